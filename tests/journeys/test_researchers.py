"""A researcher in a real browser: signs in, submits a plan, watches it, looks through it, serves it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.services.building import ConditionProgress, Kept, Progress, finish_build, note_progress
from app.services.signing_in import new_user
from app.store.builds import begin_build
from tests.factories import no_pointers, record
from tests.journeys.conftest import visiting
from tests.journeys.server import Server, serving, toy_deck
from tests.journeys.steps import press
from tests.journeys.test_accessibility import complaints

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("axe")]

MADE = [record(boundary=boundary, salt=f"new{boundary}") for boundary in range(1, 10)]


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Server]:
    """A site of one's own, for what is served there changes."""
    with serving(tmp_path, toy_deck()) as server:
        yield server


def sign_in(page: Page, server: Server) -> None:
    """Sign a researcher in by a key from the shell."""
    with server.database.write() as db:
        key = new_user(db, "ada", "researcher", now=datetime.now(UTC))
    page.goto("/sign-in")
    page.get_by_text("You got a key").click()
    page.get_by_label("Key").fill(key)
    press(page, "Sign in with the key")


def submit(page: Page, title: str) -> str:
    """Submit the example plan under a name; return the build's id."""
    page.get_by_label("Name").fill(title)
    press(page, "Build")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    return page.url.rpartition("/")[2]


def work(server: Server, build_id: str) -> None:
    """Be a worker that has begun."""
    with server.database.write() as db:
        begin_build(db, build_id, "me", now=datetime.now(UTC))
        told = Progress([ConditionProgress(9, {"machine: no verb": 4})], 71.3, 150.0)
        note_progress(db, build_id, "me", told, has_news=True)


def end(server: Server, build_id: str) -> None:
    """Be the worker that has finished."""
    kept = Kept([one.id for one in MADE], [one.model_dump_json() for one in MADE])
    with server.database.write() as db:
        finish_build(
            db, build_id, "me", [kept], {"seed": 1}, sentence=None, resolve=no_pointers, now=datetime.now(UTC)
        )


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_from_a_plan_to_a_deck_that_people_play(browser: Browser, lab: Server, *, script: bool) -> None:
    with visiting(browser, lab.address, java_script_enabled=script) as page:
        sign_in(page, lab)
        build_id = submit(page, "First try")
        expect(page.get_by_role("heading", name="Waiting for a worker")).to_be_visible()

        work(lab, build_id)
        if not script:
            page.get_by_role("link", name="Look again").click()
        expect(page.get_by_text("9 of 80 passages, 71 tokens a second, about 2 min left")).to_be_visible()

        end(lab, build_id)
        if not script:
            page.get_by_role("link", name="Look again").click()
        expect(page.get_by_role("heading", name="Done")).to_be_visible()
        expect(page.get_by_role("heading", name="Let people play it")).to_be_visible()
        page.get_by_role("link", name="Speeches, smollm2, base").click()
        expect(page.get_by_role("heading", name="Passage 9 from Toy")).to_be_visible()

        page.get_by_label("Deck").fill("starter")
        press(page, "Serve")
        expect(page.get_by_text("The deck starter-v2 is being served now.")).to_be_visible()
        page.goto("/play")
        expect(page.get_by_text("19 of 19 texts are new to you.")).to_be_visible()


def test_a_plan_that_is_wrong_keeps_what_was_typed_and_the_focus(browser: Browser, lab: Server) -> None:
    with visiting(browser, lab.address) as page:
        sign_in(page, lab)
        page.get_by_label("Name").fill("Mine")
        page.get_by_label("Plan").fill("seed = \n")
        press(page, "Build")

        expect(page.get_by_role("alert")).to_contain_text("The plan is not TOML")
        expect(page.get_by_label("Name")).to_have_value("Mine")
        expect(page.get_by_label("Plan")).to_have_value("seed = \n")
        expect(page.get_by_label("Plan")).to_be_focused()


def test_axe_has_nothing_against_the_pages_of_researchers(
    browser: Browser,
    lab: Server,
    axe: str,
) -> None:
    with visiting(browser, lab.address, bypass_csp=True) as page:
        found: list[str] = []
        page.goto("/sign-in")
        page.get_by_text("You got a key").click()
        page.get_by_label("Key").fill("guess")
        press(page, "Sign in with the key")
        found += complaints(page, axe)
        sign_in(page, lab)
        found += complaints(page, axe)
        build_id = submit(page, "First try")
        work(lab, build_id)
        page.reload()
        found += complaints(page, axe)
        end(lab, build_id)
        page.goto(f"/studies/builds/{build_id}?condition=0")
        page.get_by_text("The plan and what came of it").click()
        found += complaints(page, axe)
    assert found == []
