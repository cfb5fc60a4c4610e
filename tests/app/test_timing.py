"""When it happened: the server's clock counts, the client's is kept beside it, events beside both."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.store.database import Database
from app.store.tables import EventRow, MoveRow, RoundRow, table_of
from tests.conftest import Clock, Person
from tests.stocking import column, rows

HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}

move, round_, event = table_of(MoveRow), table_of(RoundRow), table_of(EventRow)


@pytest.fixture
def round_id(ada: Person) -> str:
    """Ada's round in speeches."""
    reply = ada.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": "speeches"})
    return str(reply.json()["id"])


def say(player: Person, door: str, round_id: str, turn: int, **fields: Any) -> int:
    """Send a move through the API, or from the page with or without htmx."""
    if door == "api":
        return player.api.post(f"/api/v1/rounds/{round_id}/moves/{turn}", json=fields).status_code
    headers = {"HX-Request": "true"} if door == "part" else {}
    return player.pages.post(f"/rounds/{round_id}/moves/{turn}", data=fields, headers=headers).status_code


def note(player: Person, door: str, round_id: str, **fields: Any) -> int:
    """Send an event through the API, or from the page with or without htmx."""
    if door == "api":
        return player.api.post(f"/api/v1/rounds/{round_id}/events", json=[fields]).status_code
    headers = {"HX-Request": "true"} if door == "part" else {}
    return player.pages.post(f"/rounds/{round_id}/events", data=fields, headers=headers).status_code


DOORS = pytest.mark.parametrize("door", ["api", "page", "part"])


@DOORS
def test_a_turn_is_shown_when_the_one_before_it_was_decided(
    database: Database, ada: Person, round_id: str, door: str
) -> None:
    said: list[dict[str, Any]] = [HUMAN, HUMAN, HUMAN, MACHINE]
    for turn, fields in enumerate(said):
        say(ada, door, round_id, turn, **fields)

    with database.read() as db:
        times = db.execute(select(move.c.shown_at, move.c.decided_at).order_by(move.c.number)).all()
        started, closed = db.execute(select(round_.c.started_at, round_.c.closed_at)).one()
    assert [shown for shown, _ in times] == [started, *(decided for _, decided in times[:-1])]
    assert closed == times[-1].decided_at
    assert all(shown < decided for shown, decided in times)


def test_looking_at_a_round_in_between_does_not_restart_the_time(
    database: Database, ada: Person, round_id: str, clock: Clock
) -> None:
    clock.time += timedelta(minutes=5)
    for path in ("", "?call=machine"):
        ada.pages.get(f"/rounds/{round_id}{path}")
    ada.api.get(f"/api/v1/rounds/{round_id}")
    say(ada, "api", round_id, 0, **HUMAN)

    with database.read() as db:
        shown, decided = db.execute(select(move.c.shown_at, move.c.decided_at)).one()
    assert timedelta(minutes=5) < decided - shown < timedelta(minutes=6)


def test_the_time_of_a_turn_is_the_time_of_the_first_of_its_copies(
    database: Database, ada: Person, round_id: str
) -> None:
    say(ada, "api", round_id, 0, **HUMAN)
    before = rows(database, "SELECT * FROM move")

    for door in ("api", "page", "part"):
        say(ada, door, round_id, 0, **HUMAN)
    assert rows(database, "SELECT * FROM move") == before


@DOORS
def test_the_clients_measures_are_kept_beside_the_move(
    database: Database, ada: Person, round_id: str, door: str
) -> None:
    say(ada, door, round_id, 0, **HUMAN, client_ms=5310, hidden_ms=200, confidence=75)

    found = rows(database, "SELECT form, client_ms, hidden_ms, confidence FROM move")[0]
    assert (found["client_ms"], found["hidden_ms"], found["confidence"]) == (5310, 200, 75)
    assert "5310" not in str(found["form"])


@DOORS
def test_measures_do_not_make_it_another_move_and_the_first_stay(
    database: Database, ada: Person, round_id: str, door: str
) -> None:
    say(ada, "api", round_id, 0, **HUMAN, client_ms=5310, hidden_ms=200, confidence=75)
    others: list[dict[str, int]] = [{"client_ms": 1}, {"hidden_ms": 9}, {"confidence": 100}, {}]

    assert {say(ada, door, round_id, 0, **HUMAN, **fields) for fields in others} <= {200, 303}
    assert rows(database, "SELECT client_ms, hidden_ms, confidence FROM move") == [
        {"client_ms": 5310, "hidden_ms": 200, "confidence": 75}
    ]


def test_without_a_script_a_move_comes_without_measures(
    database: Database, ada: Person, round_id: str
) -> None:
    say(ada, "page", round_id, 0, **HUMAN, client_ms="", hidden_ms="")

    assert rows(database, "SELECT client_ms, hidden_ms, confidence FROM move") == [
        {"client_ms": None, "hidden_ms": None, "confidence": None}
    ]


@DOORS
def test_an_event_is_recorded_with_its_turn_and_the_clients_clock(
    database: Database, ada: Person, round_id: str, door: str
) -> None:
    say(ada, "api", round_id, 0, **HUMAN)
    kinds = ["decided", "back", "hidden", "shown"]

    told = {note(ada, door, round_id, kind=kind, turn=1, client_ms=5310) for kind in kinds}
    assert told <= {200, 204, 303}
    assert rows(database, "SELECT round_id, kind, turn, client_ms FROM event ORDER BY id") == [
        {"round_id": round_id, "kind": kind, "turn": 1, "client_ms": 5310} for kind in kinds
    ]


def test_an_event_is_received_when_our_clock_says_so(
    database: Database, ada: Person, round_id: str, clock: Clock
) -> None:
    note(ada, "api", round_id, kind="hidden", turn=0)

    with database.read() as db:
        assert db.execute(select(event.c.received_at)).scalars().all() == [clock.time]


def test_taking_an_answer_back_is_recorded_and_shows_the_text_again(
    database: Database, ada: Person, round_id: str
) -> None:
    ada.pages.follow_redirects = True
    decided = ada.pages.post(
        f"/rounds/{round_id}/events", data={"kind": "decided", "turn": 0, "call": "machine"}
    )
    back = ada.pages.post(f"/rounds/{round_id}/events", data={"kind": "back", "turn": 0})

    assert ("is the machine’s first" in decided.text, "is the machine’s first" in back.text) == (True, False)
    assert column(database, "SELECT kind FROM event ORDER BY id") == ["decided", "back"]


@DOORS
def test_events_move_nothing(database: Database, ada: Person, round_id: str, door: str) -> None:
    before = ada.api.get(f"/api/v1/rounds/{round_id}").json()

    for kind in ("decided", "back", "hidden", "shown"):
        note(ada, door, round_id, kind=kind, turn=0)
    assert ada.api.get(f"/api/v1/rounds/{round_id}").json() == before
    assert column(database, "SELECT count(*) FROM move") == [0]


def test_events_of_one_request_stay_in_order(database: Database, ada: Person, round_id: str) -> None:
    kinds = ["hidden", "shown", "decided", "back", "hidden", "shown"]
    events = [{"kind": kind, "turn": 0, "client_ms": number} for number, kind in enumerate(kinds)]
    reply = ada.api.post(f"/api/v1/rounds/{round_id}/events", json=events)

    assert (reply.status_code, reply.content) == (204, b"")
    assert column(database, "SELECT kind FROM event ORDER BY id") == kinds


def test_no_events_are_fine_too(database: Database, ada: Person, round_id: str) -> None:
    assert ada.api.post(f"/api/v1/rounds/{round_id}/events", json=[]).status_code == 204
    assert column(database, "SELECT count(*) FROM event") == [0]
