"""The guide and how it is read, practice, what others said, and how sure somebody was."""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.main import create_app
from app.services.playing import start_round
from app.settings import Settings
from app.store.database import Database
from app.store.learning import count_opinions
from app.store.players import Claim
from app.web.tokens import Tokens
from game.mode import Policy
from game.modes import modes
from tests.conftest import Clock, Person, person
from tests.stocking import SECRET, column, rows
from tests.web.conftest import HUMAN, MACHINE, problem

CONFIDENT = {**MACHINE, "confidence": 80}


def start(player: Person, genre: str = "speeches") -> str:
    """Start a round and return its address in the API."""
    reply = player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre})
    return f"/api/v1/rounds/{reply.json()['id']}"


def stamp(browser: TestClient) -> str:
    """Return what the guide hands back of itself."""
    return browser.get("/guide").text.partition('data-reading="')[2].partition('"')[0]


@pytest.fixture
def readings(database: Database) -> Any:
    """Return what is known of readings."""
    return lambda: rows(database, "SELECT * FROM guide_reading ORDER BY id")


def test_the_guide_holds_eight_signs_each_with_an_example_and_a_caveat(stranger: TestClient) -> None:
    page = stranger.get("/guide").text
    signs = page.split('id="sign-')[1:]
    assert len(signs) == 8
    for sign in signs:
        assert 'class="example"' in sign
        assert "<strong>But:</strong>" in sign


def test_reading_the_guide_is_noted_with_the_servers_times_and_the_time_in_front(
    ada: Person, clock: Clock, readings: Any
) -> None:
    opened = stamp(ada.pages)
    clock.time += timedelta(minutes=4)
    reply = ada.pages.post("/guide/readings", data={"opened": opened, "visible_ms": "90000"})

    assert reply.status_code == 204
    (row,) = readings()
    assert (row["player_id"], row["visible_ms"]) == (ada.player_id, 90000)


def test_a_browser_that_claims_to_have_read_longer_than_it_was_open_is_cut_short(
    ada: Person, clock: Clock, readings: Any
) -> None:
    opened = stamp(ada.pages)
    clock.time += timedelta(seconds=9)
    ada.pages.post("/guide/readings", data={"opened": opened, "visible_ms": "9000000"})
    assert readings()[0]["visible_ms"] == 10_000


def test_a_stranger_who_reads_first_is_the_guest_who_plays_then(
    stranger: TestClient, database: Database, readings: Any
) -> None:
    stranger.post("/guide/readings", data={"opened": stamp(stranger), "visible_ms": "5000"})
    stranger.post("/rounds", data={"mode": "boundary"})
    assert column(database, "SELECT player_id FROM round") == [readings()[0]["player_id"]]


def test_without_script_going_on_from_the_guide_notes_the_reading(ada: Person, readings: Any) -> None:
    reply = ada.pages.post("/rounds", data={"mode": "boundary", "opened": stamp(ada.pages)})
    assert reply.status_code == 303
    assert [row["visible_ms"] for row in readings()] == [None]


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"opened": "2026-12-01T09:00:00+00:00", "visible_ms": "5"},
        {"opened": "%", "visible_ms": "-1"},
        {"opened": "%", "visible_ms": "x"},
        {"opened": "%", "visible_ms": "99999999999"},
    ],
)
def test_a_reading_that_nobody_did_is_refused(ada: Person, readings: Any, form: dict[str, str]) -> None:
    sent = {name: stamp(ada.pages) if value == "%" else value for name, value in form.items()}
    assert ada.pages.post("/guide/readings", data=sent).status_code == 422
    assert readings() == []


def test_a_page_left_open_for_days_tells_nothing(ada: Person, clock: Clock, readings: Any) -> None:
    opened = stamp(ada.pages)
    clock.time += timedelta(days=2)
    ada.pages.post("/guide/readings", data={"opened": opened, "visible_ms": "5000"})
    assert readings() == []


def test_readings_of_one_player_end_somewhere(ada: Person, readings: Any) -> None:
    opened = stamp(ada.pages)
    for _ in range(203):
        ada.pages.post("/guide/readings", data={"opened": opened, "visible_ms": "1"})
    assert len(readings()) == 200


# Practice


def test_practice_needs_neither_name_nor_script(stranger: TestClient, database: Database) -> None:
    page = stranger.get("/practice/boundary/1?said=human&call=machine").text
    assert "you said otherwise" in page
    assert "Sentence </span>4" in page
    assert "Sentence </span>5" not in page
    assert column(database, "SELECT id FROM player") == []


def test_an_address_that_was_tampered_with_begins_the_lesson(stranger: TestClient) -> None:
    reply = stranger.get("/practice/boundary/1?said=human&said=perhaps")
    assert reply.status_code == 200
    assert "Sentence </span>3" not in reply.text


@pytest.mark.parametrize("address", ["/practice/boundary/99", "/practice/boundary/0", "/practice/chess/1"])
def test_there_is_no_such_lesson(stranger: TestClient, address: str) -> None:
    assert stranger.get(address).status_code in {404, 422}


# What others said


@pytest.fixture
def played(site: FastAPI) -> Any:
    """Let several people finish the only open text of a genre, and return what the last one is told."""

    def play(*moves: dict[str, Any]) -> Any:
        last: Any = None
        for number, move in enumerate(moves):
            player = person(site, f"p{number:02}x")
            for _ in range(10):  # every text of the genre, in whatever order
                address = start(player)
                last = player.api.post(f"{address}/moves/0", json=move).json()
        return last

    return play


@pytest.mark.parametrize(("others", "is_told"), [(3, False), (4, True)])
def test_the_crowd_is_told_once_there_are_five(
    ada: Person, database: Database, others: int, *, is_told: bool
) -> None:
    address = start(ada)
    passage_id = column(database, "SELECT passage_id FROM round")[0]
    with database.write() as db:
        for _ in range(others):
            count_opinions(db, passage_id, "boundary", ["3"])
    told = ada.api.post(f"{address}/moves/0", json=MACHINE).json()["crowd"]
    assert (told is not None) is is_told
    if told:
        assert (told["players"], told["guesses"]["1"], told["guesses"]["3"]) == (5, 1, 4)


def test_the_crowd_counts_every_player_but_those_in_a_streak(played: Any, database: Database) -> None:
    played(*[MACHINE] * 6)
    counted = column(database, "SELECT SUM(players) FROM opinion WHERE answer = '1'")[0]
    streaks = column(database, "SELECT COUNT(*) FROM mark WHERE rule = 'excluded_streak/1'")[0]
    rounds = column(database, "SELECT COUNT(*) FROM round WHERE closed_at IS NOT NULL")[0]
    assert counted == 6 * 4  # the fifth to the tenth of each player's ten identical answers are a streak
    assert (streaks, rounds) == (60, 60)


def test_an_open_round_says_nothing_of_the_crowd(ada: Person) -> None:
    told = ada.api.post(f"{start(ada)}/moves/0", json=HUMAN).json()
    assert (told["crowd"], told["sureness"]) == (None, None)


# How sure


def test_confidence_earns_beside_the_points_and_never_in_them(ada: Person, bob: Person) -> None:
    sure = ada.api.post(f"{start(ada)}/moves/0", json=CONFIDENT).json()
    assert sure["sureness"]["confidence"] == 80
    assert sure["sureness"]["points"] in {21, -39}
    assert sure["sureness"]["is_right"] is (sure["verdict"]["boundary"] == 1)

    again = ada.api.get(f"/api/v1/rounds/{sure['id']}").json()
    assert again["sureness"] == sure["sureness"]

    silent = bob.api.post(f"{start(bob)}/moves/0", json=MACHINE).json()
    assert silent["sureness"] is None


@pytest.mark.parametrize("confidence", [49, 101, "x", 50.5])
def test_a_confidence_that_is_none_is_refused(ada: Person, confidence: Any) -> None:
    reply = ada.api.post(f"{start(ada)}/moves/0", json={**MACHINE, "confidence": confidence})
    assert problem(reply) == (422, "malformed-move")


def ruled(database: Database, player: Person, policy: Policy) -> str:
    """Start a round under other rules, as a study does."""
    with database.write() as db:
        started = start_round(
            db,
            Claim(player.player_id, "ada-1000"),
            next(iter(modes().values())),
            "speeches",
            policy=policy,
            rng=Random(1),
            now=Clock()(),
        )
    return started.round_id


def test_where_a_study_requires_confidence_the_closing_answer_waits_for_it(
    ada: Person, database: Database
) -> None:
    round_id = ruled(database, ada, Policy(confidence="required"))
    address = f"/api/v1/rounds/{round_id}/moves"

    assert ada.api.post(f"{address}/0", json=HUMAN).status_code == 200
    assert problem(ada.api.post(f"{address}/1", json=MACHINE)) == (422, "confidence-missing")
    page = ada.pages.post(f"/rounds/{round_id}/moves/1", data=MACHINE)
    assert page.status_code == 422
    assert "Say how sure you are" in page.text
    assert ada.api.post(f"{address}/1", json=CONFIDENT).json()["status"] == "closed"


def test_where_a_study_withholds_learning_the_reveal_says_nothing_of_others(
    ada: Person, database: Database
) -> None:
    round_id = ruled(database, ada, Policy(teaches=False))
    with database.write() as db:
        db.exec_driver_sql("INSERT INTO opinion SELECT passage_id, mode, '1', 50 FROM round")
    told = ada.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=MACHINE).json()
    assert told["status"] == "closed"
    assert told["crowd"] is None


def test_a_site_that_withholds_learning_explains_the_round_and_no_more(
    settings: Settings, database: Database
) -> None:
    site = create_app(settings, database, now=Clock(), rng=Random(7))
    site.state.site = replace(site.state.site, policy=Policy(teaches=False))
    browser = TestClient(site)

    page = browser.get("/guide").text
    assert "How a round works" in page
    assert "sign-" not in page
    assert "/practice/" not in page
    assert browser.get("/practice/boundary/1").status_code == 404


def test_a_stamp_of_one_kind_is_no_token_of_another() -> None:
    tokens = Tokens(SECRET)
    claim = Claim("ada", "ada-1000")
    assert tokens.read(tokens.stamp(Clock()())) is None
    assert tokens.read_stamp(tokens.sign(claim)) is None
