"""Researchers submit plans, watch builds, look through them and serve them; nobody else does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from app.errors import BadDeckError, BadPlanError
from app.main import create_app
from app.services.building import (
    LONGEST_PLAN,
    Condition,
    ConditionProgress,
    Kept,
    Progress,
    deck_of_build,
    finish_build,
    note_progress,
)
from app.services.importing import import_passages
from app.services.signing_in import key_for, new_user
from app.settings import Settings
from app.store.builds import begin_build, going_builds, put_back, stored_build
from app.store.database import Database
from app.store.passages import deck_named, genre_counts, served_decks
from app.store.queue import QUEUE
from tests.conftest import Clock
from tests.factories import no_pointers, record

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
PLAN = "count = 3\n"


def toy_plan(plan: str) -> Sequence[Condition]:
    """Read a plan that says only how many passages it wants."""
    if not plan.startswith("count = "):
        raise BadPlanError("The plan says no count.")
    return [Condition("speeches", "toy, base", int(plan.removeprefix("count = ")))]


@dataclass
class Lab:
    """A site with a researcher at a browser."""

    database: Database
    browser: TestClient
    stranger: TestClient

    def submit(self, title: str = "First try", plan: str = PLAN) -> str:
        """Submit a plan and return the id of the build."""
        reply = self.browser.post("/studies/builds", data={"title": title, "plan": plan})
        assert reply.status_code == 303, reply.text
        return str(reply.headers["location"]).rpartition("/")[2]

    def page(self, build_id: str, query: str = "") -> str:
        """Return the page of a build."""
        reply = self.browser.get(f"/studies/builds/{build_id}{query}")
        assert reply.status_code == 200
        return reply.text

    def begin(self, build_id: str) -> None:
        """Be the worker that takes a build."""
        with self.database.write() as db:
            assert begin_build(db, build_id, "me", now=NOW)

    def finish(self, build_id: str, *boundaries: int, salt: str = "new") -> bool:
        """Be the worker that kept passages of these boundaries."""
        made = [record(boundary=boundary, salt=f"{salt}{boundary}") for boundary in boundaries]
        kept = Kept([one.id for one in made], [one.model_dump_json() for one in made])
        with self.database.write() as db:
            return finish_build(
                db, build_id, "me", [kept], {"seed": 1}, sentence=None, resolve=no_pointers, now=NOW
            )


@pytest.fixture
def lab(settings: Settings, database: Database, clock: Clock) -> Lab:
    """A site whose researcher has signed in by a key from the shell."""
    site = create_app(settings, database, now=clock, rng=Random(7), read_plan=toy_plan)
    browser, stranger = (TestClient(site, follow_redirects=False) for _ in range(2))
    with database.write() as db:
        key = new_user(db, "ada", "researcher", now=clock())
    reply = browser.post("/sign-in", data={"key": f" {key}\n"})
    assert (reply.status_code, reply.headers["location"]) == (303, "/studies/builds")
    return Lab(database, browser, stranger)


def test_a_submitted_plan_waits_and_is_listed(lab: Lab) -> None:
    build_id = lab.submit("Two <models>")

    assert "Waiting for a worker" in lab.page(build_id)
    assert "0 of 3" in lab.page(build_id)
    assert "Two &lt;models&gt;" in lab.browser.get("/studies/builds").text


def test_on_postgresql_the_queue_holds_the_build_exactly_when_the_table_does(lab: Lab) -> None:
    build_id = lab.submit()

    if lab.database.engine.dialect.name == "postgresql":
        with lab.database.read() as db:
            jobs = db.execute(text("SELECT queue_name, lock, args FROM queue.procrastinate_jobs")).all()
        assert [tuple(job) for job in jobs] == [(QUEUE, build_id, {"build_id": build_id})]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"title": "x", "plan": "nonsense"}, "The plan says no count."),
        ({"title": "x", "plan": "  "}, "The plan is empty"),
        ({"title": "x"}, "The plan is empty"),
        ({"title": " ", "plan": PLAN}, "Give the build a name"),
        ({"title": "x" * 101, "plan": PLAN}, "Give the build a name"),
        ({"title": "x", "plan": PLAN + "#" * LONGEST_PLAN}, "characters at most"),
    ],
)
def test_a_bad_plan_is_refused_in_a_sentence_and_what_was_typed_stays(
    lab: Lab, fields: dict[str, str], sentence: str
) -> None:
    reply = lab.browser.post("/studies/builds", data=fields)

    assert reply.status_code == 422
    assert sentence in reply.text
    assert f'value="{fields["title"].strip()}"' in reply.text or not fields["title"].strip()
    assert fields.get("plan", "").strip() in reply.text


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("POST", ""),
        ("GET", "/{id}"),
        ("GET", "/{id}/state"),
        ("GET", "/{id}/manifest.json"),
        ("POST", "/{id}/cancel"),
        ("POST", "/{id}/deck"),
    ],
)
@pytest.mark.parametrize("who", ["stranger", "guest", "player"])
def test_nobody_but_a_researcher_comes_in(lab: Lab, method: str, path: str, who: str) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3)
    if who == "guest":
        lab.stranger.post("/rounds", data={"mode": "boundary"})
    if who == "player":
        with lab.database.write() as db:
            key = new_user(db, "bob", "player", now=NOW)
        assert lab.stranger.post("/sign-in", data={"key": key}).headers["location"] == "/play"

    reply = lab.stranger.request(method, f"/studies/builds{path.format(id=build_id)}")
    assert reply.status_code == 403
    assert "Sentence" not in reply.text
    assert 'href="/sign-in"' in reply.text


def test_another_site_cannot_make_a_researcher_submit(lab: Lab) -> None:
    reply = lab.browser.post(
        "/studies/builds", data={"title": "x", "plan": PLAN}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert reply.status_code == 403
    assert "There are none yet." in lab.browser.get("/studies/builds").text


def test_progress_is_shown_with_pace_and_reasons(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    with lab.database.write() as db:
        told = Progress([ConditionProgress(2, {"machine: no verb": 4})], 71.3, 150.0)
        assert note_progress(db, build_id, "me", told, has_news=True) is False

    for page in (
        lab.page(build_id),
        lab.browser.get(f"/studies/builds/{build_id}/state", headers={"HX-Request": "true"}).text,
    ):
        assert "2 of 3 passages, 71 tokens a second, about 2 min left" in page
        assert "machine: no verb (4)" in page
        assert 'hx-trigger="every 3s"' in page


def test_a_waiting_build_is_cancelled_at_once(lab: Lab) -> None:
    build_id = lab.submit()
    lab.browser.post(f"/studies/builds/{build_id}/cancel")

    assert "Cancelled" in lab.page(build_id)
    with lab.database.write() as db:
        assert begin_build(db, build_id, "me", now=NOW) is False


def test_a_running_build_is_told_to_stop(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.browser.post(f"/studies/builds/{build_id}/cancel")

    assert "stopping at the next batch" in lab.page(build_id)
    with lab.database.write() as db:
        assert note_progress(db, build_id, "me", Progress([], None, None), has_news=False) is True


def test_an_ended_build_stays_as_it_is(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    assert lab.finish(build_id, 1, 2) is True
    lab.browser.post(f"/studies/builds/{build_id}/cancel")

    assert lab.finish(build_id, 3) is False
    with lab.database.read() as db:
        found = stored_build(db, build_id)
    assert found is not None
    assert (found.status, found.cancel_asked_at) == ("done", None)
    with (
        pytest.raises(Exception, match="an ended build stays as it is"),
        lab.database.write() as db,
    ):
        db.execute(text("UPDATE build SET title = 'other'"))


def test_a_finished_build_is_looked_through_page_by_page(lab: Lab) -> None:
    build_id = lab.submit(plan="count = 25\n")
    lab.begin(build_id)
    made = [record(boundary=1 + n % 10, salt=f"p{n}") for n in range(25)]
    kept = Kept([one.id for one in made], [one.model_dump_json() for one in made])
    with lab.database.write() as db:
        finish_build(db, build_id, "me", [kept], {"seed": 1}, sentence=None, resolve=no_pointers, now=NOW)

    first, second = (lab.page(build_id, f"?condition=0&page={page}") for page in (0, 1))
    assert len(re.findall("<h3>Passage ", first)) == 20
    assert len(re.findall("<h3>Passage ", second)) == 5
    assert "More passages" in first
    assert "The passages before" in second
    assert "More passages" not in second
    assert "There is nothing here." in lab.page(build_id, "?condition=0&page=9")
    assert "Passage 1" not in lab.page(build_id, "?condition=9")


def test_a_manifest_is_there_when_the_build_is_done(lab: Lab) -> None:
    build_id = lab.submit()
    early = lab.browser.get(f"/studies/builds/{build_id}/manifest.json")
    lab.begin(build_id)
    lab.finish(build_id, 3)

    assert early.status_code == 409
    assert lab.browser.get(f"/studies/builds/{build_id}/manifest.json").json() == {"seed": 1}


def test_what_a_build_kept_is_served_as_a_new_deck(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3, 4, 5)
    before = lab.browser.post(f"/studies/builds/{build_id}/deck", data={"deck": "Bad Name"})
    reply = lab.browser.post(f"/studies/builds/{build_id}/deck", data={"deck": "autumn"})

    assert before.status_code == 422
    assert "The deck autumn is being served now." in reply.text
    with lab.database.read() as db:
        assert served_decks(db) == ["autumn", "starter"]
        assert {one.genre: one.passages for one in genre_counts(db, "")}["speeches"] == 13


def test_a_served_deck_gets_a_next_version_and_rounds_of_the_old_one_go_on(lab: Lab) -> None:
    lab.stranger.post("/rounds", data={"mode": "boundary", "genre": "speeches"})
    round_page = lab.stranger.post("/rounds", data={"mode": "boundary", "genre": "speeches"})
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3, 4)
    lab.browser.post(f"/studies/builds/{build_id}/deck", data={"deck": "starter"})

    with lab.database.read() as db:
        assert served_decks(db) == ["starter-v2"]
        assert {one.genre: one.passages for one in genre_counts(db, "")} == {
            "recipes": 10,
            "speeches": 12,
            "stories": 10,
        }
    assert lab.stranger.get(round_page.headers["location"]).status_code == 200


def test_the_same_again_makes_no_new_version(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3)
    with lab.database.write() as db:
        assert deck_of_build(db, build_id, "starter-v2", now=NOW) == "starter-v2"
    with pytest.raises(BadDeckError, match="all of these passages already"), lab.database.write() as db:
        deck_of_build(db, build_id, "starter", now=NOW)


def test_an_unfinished_build_cannot_be_served(lab: Lab) -> None:
    build_id = lab.submit()
    reply = lab.browser.post(f"/studies/builds/{build_id}/deck", data={"deck": "autumn"})
    assert reply.status_code == 409
    assert "Only what a finished build kept" in reply.text


def test_a_build_that_is_not_there_is_said_so(lab: Lab) -> None:
    reply = lab.browser.get(f"/studies/builds/{'0' * 32}")
    assert (reply.status_code, "There is no such build." in reply.text) == (404, True)
    for address in ("nothing", "%00", "x" * 3000):
        assert lab.browser.get(f"/studies/builds/{address}").status_code == 404


def test_only_the_last_attempt_at_a_build_is_heard(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    with lab.database.write() as db:
        begin_build(db, build_id, "another", now=NOW)
        put_back(db, build_id, "me", "I gave up.", not_before=NOW, now=NOW)
        assert note_progress(db, build_id, "me", Progress([], None, None), has_news=False) is True

    assert lab.finish(build_id, 3) is False
    assert "Running" in lab.page(build_id)
    assert "I gave up." not in lab.page(build_id)


def test_a_build_that_waits_for_another_attempt_may_be_cancelled_meanwhile(lab: Lab) -> None:
    before, after = lab.submit(), lab.submit()
    for build_id in (before, after):
        lab.begin(build_id)
    lab.browser.post(f"/studies/builds/{before}/cancel")
    with lab.database.write() as db:
        for build_id in (before, after):
            put_back(db, build_id, "me", "No server.", not_before=NOW, now=NOW)
    lab.browser.post(f"/studies/builds/{after}/cancel")

    for build_id in (before, after):
        assert "Cancelled" in lab.page(build_id)


def test_attempts_that_make_nothing_new_are_counted_and_those_told_to_leave_are_not(lab: Lab) -> None:
    build_id = lab.submit()
    seen: list[int] = []
    for has_news, sentence in (
        (False, "No server."),
        (False, "No server."),
        (True, "No server."),
        (False, None),
    ):
        lab.begin(build_id)
        with lab.database.write() as db:
            note_progress(db, build_id, "me", Progress([], None, None), has_news=has_news)
            put_back(db, build_id, "me", sentence, not_before=NOW, now=NOW)
        with lab.database.read() as db:
            found = stored_build(db, build_id)
        assert found is not None
        seen.append(found.attempts)
    assert seen == [1, 2, 1, 1]


def test_a_build_waits_until_its_time(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    with lab.database.write() as db:
        put_back(db, build_id, "me", "No server.", not_before=NOW + timedelta(minutes=1), now=NOW)
    with lab.database.read() as db:
        assert going_builds(db, now=NOW) == []
        assert going_builds(db, now=NOW + timedelta(minutes=1)) == [build_id]


def test_a_retired_deck_takes_nothing_more(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3)
    with lab.database.write() as db:
        deck_of_build(db, build_id, "starter", now=NOW)
    with pytest.raises(BadDeckError, match="served no more"), lab.database.write() as db:
        import_passages(db, [], resolve=no_pointers, deck="starter", now=NOW)


def test_a_rated_deck_is_never_copied_into_an_open_one(lab: Lab) -> None:
    build_id = lab.submit()
    lab.begin(build_id)
    lab.finish(build_id, 3)
    with lab.database.write() as db:
        deck_named(db, "exam", kind="rated", now=NOW)
    with pytest.raises(BadDeckError, match="exam"), lab.database.write() as db:
        deck_of_build(db, build_id, "exam", now=NOW)


def test_a_key_works_once_and_for_a_day(lab: Lab) -> None:
    with lab.database.write() as db:
        once = key_for(db, "ada", now=NOW)
        old = key_for(db, "ada", now=NOW - timedelta(days=2))
    replies = [lab.stranger.post("/sign-in", data={"key": key}) for key in (once, once, old, "guess", "")]

    assert [reply.status_code for reply in replies] == [303, 422, 422, 422, 422]
    assert "This key signs nobody in" in replies[1].text


def test_signing_out_forgets_who_was_there(lab: Lab) -> None:
    assert lab.browser.post("/sign-out").status_code == 303
    assert lab.browser.get("/studies/builds").status_code == 403


def test_a_batch_is_never_changed(lab: Lab) -> None:
    insert = (
        "INSERT INTO batch (key, texts, tokens, seconds, made_at) VALUES ('k', '[]', 1, 1.0, '2026-12-01')"
    )
    with lab.database.write() as db:
        db.execute(text(insert))
    for deed in ("UPDATE batch SET tokens = 2", "DELETE FROM batch"):
        with pytest.raises(Exception, match="append-only"), lab.database.write() as db:
            db.execute(text(deed))
