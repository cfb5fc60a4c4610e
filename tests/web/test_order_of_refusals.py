"""What is said first: not yours, already played, over, not yet, malformed; in that order."""

from typing import Any

import pytest

from tests.web.conftest import HUMAN, MACHINE, Arena, Seat, problem

NOT_YOURS = (404, "round-not-found")
PLAYED = (409, "turn-already-played")
OVER = (409, "round-closed")
NOT_YET = (409, "turn-not-reached")
MALFORMED = (422, "malformed-move")

OTHER_MACHINE = {"call": "machine", "reasons": ["grammar"]}
SENT: dict[str, dict[str, Any]] = {
    "a good move": {"json": HUMAN},
    "a closing move": {"json": MACHINE},
    "an unfinished move": {"json": {"call": "machine"}},
    "an unknown field": {"json": {**HUMAN, "points": 5}},
    "no field": {"json": {}},
    "a list": {"json": [HUMAN]},
    "null": {"content": b"null"},
    "no JSON": {"content": b"{call"},
    "nothing": {},
    "no UTF-8": {"content": b'{"call": "\xff"}'},
    "half a surrogate": {"content": b'{"call": "\\ud800"}'},
    "a NUL": {"content": b'{"call": "human\\u0000"}'},
}
WRONG = {name: sent for name, sent in SENT.items() if "move" not in name}


def told(seat: Seat, turn: int, sent: dict[str, dict[str, Any]]) -> dict[str, tuple[int, str]]:
    """Return what the API says to each of many moves."""
    return {name: problem(seat.call(turn, **options)) for name, options in sent.items()}


@pytest.mark.parametrize("turn", [0, 1, 2, 99])
def test_another_players_round_is_not_there_whatever_is_sent(arena: Arena, turn: int) -> None:
    seat = arena.seat().play(HUMAN, MACHINE)
    bob = Seat(arena.newcomer(), seat.round_id)

    with arena.unchanged():
        assert told(bob, turn, SENT) == dict.fromkeys(SENT, NOT_YOURS)
        for form in ("call=human", "call=machine", "call=human&points=5", ""):
            assert bob.press(turn, content=form).status_code == 404


@pytest.mark.parametrize("moves", [[], [HUMAN], [MACHINE]], ids=["new", "open", "closed"])
def test_another_players_round_looks_like_one_that_never_was(arena: Arena, moves: list[Any]) -> None:
    seat = arena.seat().play(*moves)
    bob = arena.newcomer()
    nowhere = "0" * 32

    for path in ("/api/v1/rounds/{}", "/rounds/{}", "/rounds/{}?call=machine"):
        client = bob.api if "api" in path else bob.pages
        yours, none = client.get(path.format(seat.round_id)), client.get(path.format(nowhere))
        assert yours.status_code == 404
        assert (yours.content, yours.headers) == (none.content, none.headers)


@pytest.mark.parametrize("kind", ["back", "hidden"])
def test_nobody_writes_into_another_players_log(arena: Arena, kind: str) -> None:
    seat, bob = arena.seat(), arena.newcomer()

    with arena.unchanged():
        event = {"kind": kind, "turn": 0}
        assert problem(bob.api.post(f"{seat.api}/events", json=[event])) == NOT_YOURS
        assert bob.pages.post(f"{seat.page}/events", data=event).status_code == 404


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_turn_that_was_played_says_so_before_a_move_is_malformed(arena: Arena, turn: int) -> None:
    seat = arena.seat().play(HUMAN, HUMAN, MACHINE)

    with arena.unchanged():
        assert told(seat, turn, WRONG) == dict.fromkeys(WRONG, PLAYED)


@pytest.mark.parametrize(
    "other", [MACHINE, {"call": "machine"}, {**HUMAN, "points": 5}, {**HUMAN, "client_ms": -1}]
)
def test_a_turn_that_was_played_is_not_played_otherwise(arena: Arena, other: Any) -> None:
    seat = arena.seat().play(HUMAN, HUMAN)

    with arena.unchanged():
        assert problem(seat.call(0, json=other)) == PLAYED
        assert seat.press(0, data=other).status_code == 409


def test_the_same_move_again_shows_the_round_as_it_stands(arena: Arena) -> None:
    seat = arena.seat().play(HUMAN, HUMAN, HUMAN)

    with arena.unchanged():
        for turn in range(3):
            assert seat.call(turn, json=HUMAN).json() == seat.player.api.get(seat.api).json()
            assert "Sentence 4 speeches" in seat.press(turn, data=HUMAN, headers={"HX-Request": "true"}).text


def test_the_closing_move_again_shows_the_verdict_again(arena: Arena) -> None:
    seat = arena.seat().play(HUMAN)
    closed = seat.call(1, json=MACHINE).json()

    with arena.unchanged():
        assert seat.call(1, json=MACHINE).json() == closed
        assert seat.call(0, json=HUMAN).json() == closed
        assert closed["verdict"] is not None


@pytest.mark.parametrize("other", [HUMAN, OTHER_MACHINE, {**MACHINE, "note": "and more"}])
def test_the_closing_move_is_not_taken_back(arena: Arena, other: Any) -> None:
    seat = arena.seat().play(HUMAN, MACHINE)

    with arena.unchanged():
        assert problem(seat.call(1, json=other)) == PLAYED
        assert seat.press(1, data=other).status_code == 409


@pytest.mark.parametrize("turn", [2, 3, 8, 9, 99])
def test_a_round_that_is_over_says_so_before_all_the_rest(arena: Arena, turn: int) -> None:
    seat = arena.seat().play(HUMAN, MACHINE)

    with arena.unchanged():
        assert told(seat, turn, SENT) == dict.fromkeys(SENT, OVER)


@pytest.mark.parametrize("turn", [2, 3, 8, 9, 10**30])
def test_a_turn_ahead_says_so_before_a_move_is_malformed(arena: Arena, turn: int) -> None:
    seat = arena.seat().play(HUMAN)

    with arena.unchanged():
        assert told(seat, turn, SENT) == dict.fromkeys(SENT, NOT_YET)


def test_what_is_no_move_is_malformed_when_its_turn_has_come(arena: Arena) -> None:
    seat = arena.seat().play(HUMAN)

    with arena.unchanged():
        assert told(seat, 1, WRONG) == dict.fromkeys(WRONG, MALFORMED)


@pytest.mark.parametrize(("turn", "status"), [(0, 409), (2, 409), (3, 409)])
def test_a_page_says_what_is_wrong_and_shows_the_round(arena: Arena, turn: int, status: int) -> None:
    seat = arena.seat().play(HUMAN, MACHINE)

    with arena.unchanged():
        reply = seat.press(turn, data=OTHER_MACHINE)
        assert reply.status_code == status
        assert "This is the round as it stands." in reply.text


@pytest.mark.parametrize("turn", ["-1", "-2", "-99", "x", "1.5", "", "0x1", "٣", "1" * 5000])
@pytest.mark.parametrize("moves", [[], [HUMAN, HUMAN], [HUMAN, MACHINE]], ids=["new", "open", "closed"])
def test_a_turn_is_a_number_from_0_on(arena: Arena, turn: str, moves: list[Any]) -> None:
    seat = arena.seat().play(*moves)

    with arena.unchanged():
        for move in (HUMAN, MACHINE):
            status, _ = problem(seat.call(turn, json=move))
            assert status in {404, 405, 409, 422}
            assert seat.press(turn, data=move).status_code in {404, 405, 409}
