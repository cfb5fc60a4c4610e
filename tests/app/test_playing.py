"""A round over the API and on the pages, on both databases."""

from typing import Any

from tests.conftest import Person

MACHINE = {"call": "machine", "reasons": ["generic"]}


def start(player: Person, genre: str = "speeches") -> Any:
    return player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre}).json()


def test_a_round_opens_with_two_sentences(ada: Person) -> None:
    row = start(ada)

    assert (row["turn"], row["status"], len(row["screen"]["shown"])) == (0, "open", 2)


def test_a_guess_closes_the_round_and_tells_all(ada: Person) -> None:
    row = start(ada)

    closed = ada.api.post(f"/api/v1/rounds/{row['id']}/moves/0", json=MACHINE).json()

    assert closed["status"] == "closed"
    assert closed["verdict"]["guess"] == 1
    assert len(closed["verdict"]["sentences"]) == 10
