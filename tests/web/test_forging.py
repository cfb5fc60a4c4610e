"""Nothing is forged: what is not a player's to decide is refused, and nothing changes."""

from typing import Any

import pytest

from app.errors import BadProviderError, ProviderDownError, SiteError
from app.web.errors import STATUSES
from app.web.refusals import RefusedError
from game.errors import GameError
from tests.stocking import column
from tests.web.conftest import HUMAN, MACHINE, Arena, problem

MALFORMED = (422, "malformed-move")
FORGED = {
    "points": 5,
    "guess": 4,
    "boundary": 1,
    "shown_at": "2020-01-01T00:00:00Z",
    "decided_at": "2020-01-01T00:00:00Z",
    "closed_at": "2020-01-01T00:00:00Z",
    "closing": 0,
    "number": 8,
    "turn": 8,
    "player_id": "ada",
    "passage_id": "0" * 64,
    "policy": "none",
    "verdict": "right",
    "is_last": "true",
    "anything": "else",
}


@pytest.mark.parametrize("move", [HUMAN, MACHINE], ids=["human", "machine"])
@pytest.mark.parametrize("field", FORGED)
def test_a_move_that_brings_its_own_results_is_refused(arena: Arena, field: str, move: Any) -> None:
    seat = arena.seat()
    forged = {**move, field: FORGED[field]}

    with arena.unchanged():
        assert problem(seat.call(0, json=forged)) == MALFORMED
        assert seat.press(0, data=forged).status_code == 422


@pytest.mark.parametrize("field", ["passage_id", "player_id", "boundary", "points", "deck", "turn"])
def test_nobody_chooses_more_than_mode_and_genre(arena: Arena, field: str) -> None:
    player = arena.newcomer()
    asked = {"mode": "boundary", "genre": "speeches", field: "1"}

    with arena.unchanged():
        assert problem(player.api.post("/api/v1/rounds", json=asked)) == (422, "malformed-form")
        assert player.pages.post("/rounds", data=asked).status_code == 422


@pytest.mark.parametrize("asked", [{"mode": "riddles"}, {"mode": ""}, {"mode": "../boundary"}])
def test_a_mode_that_nobody_made_is_not_found(arena: Arena, asked: Any) -> None:
    with arena.unchanged():
        assert problem(arena.newcomer().api.post("/api/v1/rounds", json=asked)) == (404, "no-such-mode")


@pytest.mark.parametrize("asked", [{}, {"mode": 5}, {"mode": None}, {"mode": "boundary", "genre": ["a"]}])
def test_a_start_without_a_mode_or_with_many_genres_is_refused(arena: Arena, asked: Any) -> None:
    player = arena.newcomer()

    with arena.unchanged():
        assert problem(player.api.post("/api/v1/rounds", json=asked)) == (422, "malformed-form")


@pytest.mark.parametrize(
    "form", ["mode=boundary&mode=boundary", "mode=boundary&genre=a&genre=b", "genre=a", ""]
)
def test_a_form_without_one_mode_starts_nothing(arena: Arena, form: str) -> None:
    with arena.unchanged():
        assert arena.newcomer().pages.post("/rounds", content=form).status_code == 422


@pytest.mark.parametrize(
    "event",
    [
        {"kind": "points", "turn": 0},
        {"kind": "back", "turn": -1},
        {"kind": "back", "turn": 10_001},
        {"kind": "back", "turn": "x"},
        {"kind": "back", "turn": 0, "client_ms": -1},
        {"kind": "back", "turn": 0, "client_ms": 2_000_000_001},
        {"kind": "back", "turn": 0, "client_ms": "soon"},
        {"kind": "back"},
        {"turn": 0},
    ],
)
def test_an_event_that_cannot_have_been_is_refused(arena: Arena, event: Any) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.player.api.post(f"{seat.api}/events", json=[event])) == (422, "malformed-form")
        assert seat.player.pages.post(f"{seat.page}/events", data=event).status_code == 422


@pytest.mark.parametrize("field", ["received_at", "round_id", "id", "points"])
def test_an_event_brings_no_more_than_its_kind_turn_and_time(arena: Arena, field: str) -> None:
    seat = arena.seat()
    events = [{"kind": "hidden", "turn": 0}, {"kind": "back", "turn": 0, field: "5"}]

    with arena.unchanged():
        assert problem(seat.player.api.post(f"{seat.api}/events", json=events)) == (422, "malformed-form")


def test_the_log_of_a_round_is_finite(arena: Arena) -> None:
    seat = arena.seat()
    many = [{"kind": "hidden", "turn": 0}] * 600
    seat.player.api.post(f"{seat.api}/events", json=many)

    with arena.unchanged():
        reply = seat.player.api.post(f"{seat.api}/events", json=many)
        assert problem(reply) == (409, "too-many-events")


@pytest.mark.parametrize("value", [-1, "soon", 1.5, 2_000_000_001, [], {}, [5], "NaN", "0x10"])
@pytest.mark.parametrize("field", ["client_ms", "hidden_ms"])
def test_a_time_that_no_clock_shows_is_refused(arena: Arena, field: str, value: Any) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.call(0, json={**HUMAN, field: value})) == MALFORMED
        if isinstance(value, int | float | str):
            assert seat.press(0, data={**HUMAN, field: value}).status_code == 422


@pytest.mark.parametrize("confidence", [49, 101, -50, 0, "sure", 75.5, [75], {}])
def test_a_confidence_is_a_whole_number_from_50_to_100(arena: Arena, confidence: Any) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.call(0, json={**HUMAN, "confidence": confidence})) == MALFORMED


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ({"call": "machine", "reasons": ["voice"]}, "malformed-move"),  # a sign of a human
        ({"call": "machine", "reasons": ["generic", "detail"]}, "malformed-move"),
        ({"call": "machine", "reasons": ["nonsense"]}, "malformed-move"),
        ({"call": "machine", "reasons": [""]}, "malformed-move"),
        ({"call": "machine", "reasons": [5]}, "malformed-move"),
        ({"call": "machine", "reasons": {"generic": True}}, "malformed-move"),
        ({"call": "machine", "reasons": None}, "malformed-move"),
        ({"call": "machine", "reasons": ["generic"], "note": "x" * 1001}, "malformed-move"),
        ({"call": "machine", "reasons": ["generic"], "note": ["x"]}, "malformed-move"),
        ({"call": "human", "reasons": ["voice"]}, "malformed-move"),  # the round goes on: nothing to explain
        ({"call": "human", "reasons": ["generic"]}, "malformed-move"),
        ({"call": "human", "note": "hm"}, "malformed-move"),
        ({"call": "robot"}, "malformed-move"),
        ({"call": ["human"]}, "malformed-move"),
        ({"reasons": ["generic"]}, "malformed-move"),
        ({}, "malformed-move"),
        ({"call": "machine"}, "reason-missing"),
        ({"call": "machine", "reasons": []}, "reason-missing"),
        ({"call": "machine", "note": "It sounds wrong."}, "reason-missing"),
        ({"call": "machine", "reasons": ["other"]}, "note-missing"),
        ({"call": "machine", "reasons": ["generic", "other"]}, "note-missing"),
    ],
)
def test_a_wrong_answer_sheet_is_refused_and_changes_nothing(arena: Arena, move: Any, rule: str) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.call(0, json=move)) == (422, rule)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ({"call": "human"}, "reason-missing"),
        ({"call": "human", "reasons": ["generic"]}, "malformed-move"),  # a sign of a machine
        ({"call": "human", "reasons": ["other"]}, "note-missing"),
        ({"call": "machine"}, "reason-missing"),
    ],
)
def test_all_human_is_explained_as_well(arena: Arena, move: Any, rule: str) -> None:
    seat = arena.seat().play(*[HUMAN] * 8)

    with arena.unchanged():
        assert problem(seat.call(8, json=move)) == (422, rule)


@pytest.mark.parametrize(
    "form",
    [
        "call=human&points=5",
        "call=human&call=machine",
        "call=human&reasons=voice",
        "call=machine",
        "call=machine&reasons=voice",
        "call=machine&reasons=other",
        "call=machine&reasons=generic&note=a&note=b",
        "call=machine&reasons=generic&note=" + "x" * 1001,
        "call=robot",
        "call",
        "call=human&client_ms=1&client_ms=2",
        "",
    ],
)
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["page", "part"])
def test_a_wrong_form_is_refused_and_changes_nothing(
    arena: Arena, form: str, headers: dict[str, str]
) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert seat.press(0, content=form, headers=headers).status_code == 422


def test_a_reason_that_comes_twice_is_stored_once(arena: Arena) -> None:
    called = arena.seat().play({"call": "machine", "reasons": ["grammar", "generic", "grammar"]})
    pressed = arena.seat()
    pressed.press(0, content="call=machine&reasons=grammar&reasons=generic&reasons=grammar")

    query = "SELECT form FROM move WHERE round_id = :id"
    assert "grammar" in str(column(arena.database, query, id=called.round_id))
    assert column(arena.database, query, id=called.round_id) == column(
        arena.database, query, id=pressed.round_id
    )


def test_a_file_upload_is_no_form(arena: Arena) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert seat.press(0, data=HUMAN, files={"note": ("note.txt", b"a=b&call=human")}).status_code == 422
        assert seat.player.pages.post("/rounds", files={"mode": (None, "boundary")}).status_code == 422
        assert problem(seat.call(0, files={"call": (None, "human")})) == MALFORMED


@pytest.mark.parametrize("size", [64 * 1024 + 1, 1024 * 1024])
def test_a_body_larger_than_any_form_of_ours_is_refused(arena: Arena, size: int) -> None:
    seat = arena.seat()
    body = b'{"call": "human", "note": "' + b"x" * size + b'"}'

    with arena.unchanged():
        assert problem(seat.call(0, content=body)) == (413, "too-large")
        assert problem(seat.player.api.post(f"{seat.api}/events", content=body)) == (413, "too-large")
        assert problem(seat.player.api.post("/api/v1/rounds", content=body)) == (413, "too-large")
        assert seat.press(0, content=body).status_code == 413
        assert seat.player.pages.post("/rounds", content=body).status_code == 413


def test_a_body_without_an_end_is_not_waited_for(arena: Arena) -> None:
    seat = arena.seat()
    endless = (b"x" * 8192 for _ in range(10_000))

    with arena.unchanged():
        assert problem(seat.call(0, content=endless)) == (413, "too-large")


def every_child(kind: type[Exception]) -> set[type[Exception]]:
    """Return a class of errors and all below it."""
    return {kind}.union(*(every_child(child) for child in kind.__subclasses__()))


def test_every_refusal_has_a_status_and_a_name_of_its_own() -> None:
    refusals = every_child(GameError) | every_child(RefusedError) | every_child(SiteError)
    told = {kind: STATUSES[kind] for kind in refusals - {GameError, RefusedError, SiteError}}

    assert len({rule for _, rule in told.values()}) == len(told)
    assert {told.pop(kind)[0] for kind in (BadProviderError, ProviderDownError)} == {502, 503}
    assert not [kind for kind, (status, _) in told.items() if not 400 <= status < 500]
