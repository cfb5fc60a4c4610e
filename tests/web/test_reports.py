"""A bad text is reported from the round, taken out, and the reporter hears of it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.services.reporting import ENOUGH, annul, clear
from app.store.reports import complaints
from tests.app.recounting import recounted_books, stored_books
from tests.conftest import Clock
from tests.factories import record
from tests.stocking import column, rows, settings_for, stocked
from tests.web.conftest import HUMAN, MACHINE, Arena, Seat, problem
from tests.web.test_profiles import handle_of


@pytest.fixture(params=["sqlite", "postgresql"])
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A site with one bad text, and two genres of other texts."""
    settings = settings_for(tmp_path_factory.mktemp("reports"), request.param, request)
    others = [
        record(boundary=3, genre=genre, salt=f"{genre}{n}") for genre in ("good", "fine") for n in range(3)
    ]
    database = stocked(settings, [record(boundary=3, genre="bad", salt="bad"), *others])
    site = create_app(settings, database, now=Clock(), rng=Random(7))
    with TestClient(site) as client:
        yield Arena(site, database, client)
    database.close()


def on(_: Arena, genre: str, player: Any) -> Seat:
    """Start a round of a genre."""
    reply = player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre})
    return Seat(player, reply.json().get("id", ""))


def reporter(arena: Arena, *, is_known: bool = True) -> Seat:
    """Return somebody who reports the bad text; who is known has finished another round."""
    player = arena.newcomer()
    if is_known:
        on(arena, "good", player).play(MACHINE)
    seat = on(arena, "bad", player)
    assert (
        seat.player.pages.post(
            f"{seat.page}/report", data={"kind": "broken", "note": "It stops."}
        ).status_code
        == 303
    )
    return seat


def is_served(arena: Arena) -> bool:
    """Say whether somebody new gets the bad text."""
    return bool(on(arena, "bad", arena.newcomer()).round_id)


def test_the_report_is_stored_and_the_round_goes_on(arena: Arena) -> None:
    seat = reporter(arena)

    kept = rows(arena.database, "SELECT round_id, kind, note FROM report")
    assert kept == [{"round_id": seat.round_id, "kind": "broken", "note": "It stops."}]
    assert "Thank you for the report" in seat.player.pages.get(f"{seat.page}?thanks=1").text
    assert seat.press(0, data=MACHINE).status_code == 303


def test_reporting_twice_is_reporting_once(arena: Arena) -> None:
    seat = reporter(arena)
    reply = seat.player.pages.post(f"{seat.page}/report", data={"kind": "offensive"})

    assert reply.status_code == 303
    assert column(arena.database, "SELECT kind FROM report") == ["broken"]


def test_the_api_takes_reports_too(arena: Arena) -> None:
    seat = on(arena, "bad", arena.newcomer())

    assert seat.player.api.post(f"{seat.api}/reports", json={"kind": "seen"}).status_code == 204
    assert column(arena.database, "SELECT kind FROM report") == ["seen"]


@pytest.mark.parametrize(
    "form", [{}, {"kind": "boring"}, {"kind": ["broken", "seen"]}, {"kind": "broken", "note": "x" * 1001}]
)
def test_a_report_that_says_nothing_is_refused(arena: Arena, form: dict[str, Any]) -> None:
    seat = on(arena, "bad", arena.newcomer())

    assert seat.player.pages.post(f"{seat.page}/report", data=form).status_code == 422
    assert problem(seat.player.api.post(f"{seat.api}/reports", json={"kind": "boring"}))[0] == 422
    assert column(arena.database, "SELECT kind FROM report") == []


def test_nobody_reports_from_the_round_of_another(arena: Arena) -> None:
    seat, other = on(arena, "bad", arena.newcomer()), arena.newcomer()

    assert other.pages.post(f"{seat.page}/report", data={"kind": "broken"}).status_code == 404
    assert problem(other.api.post(f"{seat.api}/reports", json={"kind": "broken"})) == (404, "round-not-found")


def test_enough_independent_reports_suspend_a_text(arena: Arena) -> None:
    for _ in range(ENOUGH - 1):
        reporter(arena)
    assert is_served(arena)
    reporter(arena)

    assert not is_served(arena)
    assert "Bad" not in arena.client.get("/play").text


def test_guests_made_for_the_purpose_suspend_nothing(arena: Arena) -> None:
    for _ in range(ENOUGH + 2):
        reporter(arena, is_known=False)

    assert is_served(arena)


def test_an_open_round_on_a_suspended_text_can_be_finished(arena: Arena) -> None:
    seat = on(arena, "bad", arena.newcomer())
    for _ in range(ENOUGH):
        reporter(arena)

    assert seat.press(0, data=MACHINE).status_code == 303


def points(arena: Arena, seat: Seat) -> tuple[int, int]:
    """Return rounds and points of a player on the board."""
    found = rows(
        arena.database,
        "SELECT rounds, points FROM standing WHERE player_id = :id AND genre = '' AND season = ''",
        id=seat.player.player_id,
    )
    return (found[0]["rounds"], found[0]["points"]) if found else (0, 0)


def decide(arena: Arena, how: Any) -> Any:
    """Be the curator."""
    passage = column(arena.database, "SELECT id FROM passage WHERE genre = 'bad'")[0]
    with arena.database.write() as db:
        return how(db, passage, now=Clock()())


def test_annulling_takes_the_rounds_out_and_computes_everything_again(arena: Arena) -> None:
    player = arena.newcomer()
    seat = on(arena, "bad", player).play(HUMAN, HUMAN, MACHINE)
    on(arena, "good", player).play(HUMAN, HUMAN, MACHINE)
    assert points(arena, seat) == (2, 10)

    assert decide(arena, annul) == 1
    assert points(arena, seat) == (1, 5)
    rated = rows(arena.database, "SELECT rounds FROM rating WHERE subject_id = :id", id=player.player_id)
    assert rated == [{"rounds": 1}]
    assert not is_served(arena)
    assert decide(arena, annul) == 0
    assert "1 round" in player.pages.get(f"/players/{handle_of(seat)}").text


def test_a_round_that_ends_after_the_annulment_counts_nothing(arena: Arena) -> None:
    seat = on(arena, "bad", arena.newcomer())
    decide(arena, annul)
    seat.play(HUMAN, HUMAN, MACHINE)

    assert points(arena, seat) == (0, 0)
    assert "points" in seat.player.pages.get(seat.page).text


def test_the_books_stay_right_beside_the_annulled(arena: Arena) -> None:
    seat = on(arena, "bad", arena.newcomer()).play(MACHINE)
    other = on(arena, "good", arena.newcomer()).play(MACHINE)
    decide(arena, annul)

    ours = {
        key: line
        for key, line in recounted_books(arena.database).standings.items()
        if key[0] == other.player.player_id
    }
    assert stored_books(arena.database).standings == ours
    assert points(arena, seat) == (0, 0)


@pytest.mark.parametrize(("how", "told"), [(annul, "was taken out"), (clear, "and kept it")])
def test_the_reporter_hears_the_outcome_until_they_have_read_it(arena: Arena, how: Any, told: str) -> None:
    seat = reporter(arena)
    pages = seat.player.pages
    assert told not in pages.get("/play").text
    decide(arena, how)

    page = pages.get("/play").text
    assert told in page
    number = page.partition("/notices/")[2].partition("/")[0]
    pages.post(f"/notices/{number}/read")
    assert told not in pages.get("/play").text
    decide(arena, how)
    assert told not in pages.get("/play").text


def test_a_cleared_text_is_served_again_whatever_the_same_reports_say(arena: Arena) -> None:
    for _ in range(ENOUGH):
        reporter(arena)
    decide(arena, clear)
    assert is_served(arena)
    on(arena, "bad", arena.newcomer())
    seat = on(arena, "bad", arena.newcomer())
    seat.player.pages.post(f"{seat.page}/report", data={"kind": "broken"})

    assert is_served(arena)


def test_an_annulled_text_does_not_come_back(arena: Arena) -> None:
    decide(arena, annul)
    decide(arena, clear)

    assert not is_served(arena)


def test_curators_see_what_is_reported_and_not_decided(arena: Arena) -> None:
    for _ in range(ENOUGH):
        reporter(arena)

    with arena.database.read() as db:
        found = complaints(db)
    assert [(one.state, one.reports, set(one.kinds)) for one in found] == [("suspended", 3, {"broken"})]
    assert found[0].notes == ("It stops.",) * 3
    decide(arena, clear)
    with arena.database.read() as db:
        assert complaints(db) == []
