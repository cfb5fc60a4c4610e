"""A profile on the pages and in the API: what others see, what one sees of oneself."""

import re
from typing import Any

import pytest
from sqlalchemy import text

from game.ratings import PROVISIONAL
from tests.stocking import rows
from tests.web.conftest import HUMAN, MACHINE, Arena, Seat, problem


def finished(arena: Arena, genre: str = "speeches") -> Seat:
    """Return somebody who has finished a round."""
    return arena.seat(genre).play(HUMAN, MACHINE)


def handle_of(seat: Seat) -> str:
    name = seat.player.player_id
    return f"{name[: len(name) // 4]}-1000"


def change(arena: Arena, seat: Seat, column: str, value: object) -> None:
    """Write a setting of a player past the pages."""
    with arena.database.write() as db:
        statement = f"UPDATE player SET {column} = :value WHERE id = :id"  # noqa: S608
        db.execute(text(statement), {"value": value, "id": seat.player.player_id})


def test_anybody_can_see_a_profile(arena: Arena) -> None:
    seat = finished(arena)

    page = arena.client.get(f"/players/{handle_of(seat)}").text
    told = arena.client.get(f"/api/v1/players/{handle_of(seat)}").json()
    assert "suspected a human" in page
    assert told["handle"] == handle_of(seat)
    numbers = told["modes"]["boundary"]
    assert numbers["rounds"] == 1
    assert numbers["numbers"]["genres"][0]["name"] == "speeches"


def test_reasons_and_sureness_are_nobody_elses_business_on_the_page(arena: Arena) -> None:
    seat = finished(arena)

    assert "Your reasons" in seat.player.pages.get(f"/players/{handle_of(seat)}").text
    assert "reasons" not in arena.client.get(f"/players/{handle_of(seat)}").text.lower()


def test_an_open_round_is_in_no_profile(arena: Arena) -> None:
    seat = arena.seat("stories").play(HUMAN)

    for path in (f"/players/{handle_of(seat)}", f"/api/v1/players/{handle_of(seat)}"):
        reply = arena.client.get(path)
        assert reply.status_code == 200
        assert "stories" not in reply.text.lower()


@pytest.mark.parametrize("board", ["anonymous", "off"])
def test_who_shows_no_name_shows_no_profile_but_to_themselves(arena: Arena, board: str) -> None:
    seat = finished(arena)
    change(arena, seat, "board", board)

    assert arena.client.get(f"/players/{handle_of(seat)}").status_code == 404
    assert problem(arena.client.get(f"/api/v1/players/{handle_of(seat)}")) == (404, "player-not-found")
    assert "Others do not see this page" in seat.player.pages.get(f"/players/{handle_of(seat)}").text


@pytest.mark.parametrize("handle", ["nobody", "x" * 500, "..%2F..", "%00", "ä", "<b>"])
def test_nobody_is_found_under_nonsense(arena: Arena, handle: str) -> None:
    assert arena.client.get(f"/players/{handle}").status_code in {404, 422}


def test_a_rating_is_shown_once_it_says_something(arena: Arena) -> None:
    seat = finished(arena)
    path = f"/api/v1/players/{handle_of(seat)}"
    before: Any = arena.client.get(path).json()
    for genre in ("speeches", "stories", "recipes"):
        for _ in range(9):
            reply = seat.player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre})
            seat.player.api.post(f"/api/v1/rounds/{reply.json()['id']}/moves/0", json=MACHINE)

    held = rows(arena.database, "SELECT * FROM rating WHERE subject_id = :id", id=seat.player.player_id)[0]
    after = arena.client.get(path).json()
    assert before["modes"]["boundary"]["rating"] is None
    assert held["rounds"] == 28
    assert held["deviation"] < PROVISIONAL
    assert after["modes"]["boundary"]["rating"]["mean"] == pytest.approx(held["mean"])
    assert re.search(r"Rating \d+ ± \d+", arena.client.get(f"/players/{handle_of(seat)}").text)


def test_who_does_not_want_to_see_a_rating_does_not(arena: Arena) -> None:
    seat = finished(arena)
    with arena.database.write() as db:
        db.execute(
            text("UPDATE rating SET deviation = 60 WHERE subject_id = :id"), {"id": seat.player.player_id}
        )
    assert "Rating" in seat.player.pages.get(f"/players/{handle_of(seat)}").text
    change(arena, seat, "shows_rating", value=False)

    assert "Rating" not in seat.player.pages.get(f"/players/{handle_of(seat)}").text


def test_passages_are_rated_too_but_by_those_who_are_known(arena: Arena) -> None:
    before = rows(arena.database, "SELECT count(*) AS n FROM rating WHERE kind = 'passage' AND rounds > 0")
    finished(arena)

    after = rows(arena.database, "SELECT count(*) AS n FROM rating WHERE kind = 'passage' AND rounds > 0")
    assert after == before
