"""The day's text: the same for everybody, wherever their midnight is, and told on without spoiling it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from app.main import create_app
from app.services.importing import import_passages
from game.days import DAILY
from tests.conftest import Clock
from tests.factories import no_pointers
from tests.journeys.conftest import visiting
from tests.journeys.server import days, serving_here
from tests.journeys.steps import count_it, press, say_machine, sentences
from tests.journeys.test_accounts import keep_progress
from tests.stocking import full_deck, settings_for, stocked

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@dataclass
class Calendar:
    """A site whose clock the test holds."""

    address: str
    clock: Clock

    def turn_to(self, day: int, hour: int, minute: int = 0) -> None:
        """Set the clock of the site, in UTC."""
        self.clock.time = datetime(2026, 12, day, hour, minute, tzinfo=UTC)


@pytest.fixture
def calendar(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Calendar]:
    """A site with a deck for some days."""
    settings = settings_for(tmp_path, "sqlite", request)
    database, clock = stocked(settings, full_deck(genres=["speeches"])), Clock()
    with database.write() as db:
        import_passages(db, days(), resolve=no_pointers, deck=DAILY, now=clock())
    with serving_here(create_app(settings, database, now=clock, rng=Random(7))) as address:
        yield Calendar(address, clock)
    database.close()


def begin_day(page: Page) -> str:
    """Begin the day's text and return its first sentence."""
    page.goto("/daily")
    press(page, "Play today’s text")
    return sentences(page).first.inner_text()


def finish_day(page: Page) -> None:
    """Call the second sentence a machine's, and go to the day."""
    say_machine(page)
    count_it(page, "is not grammatical")
    page.get_by_role("link", name="Your day").click()


def test_a_day_is_the_same_in_two_time_zones_and_ends_at_midnight_utc(
    browser: Browser, calendar: Calendar
) -> None:
    with (
        visiting(browser, calendar.address, timezone_id="Pacific/Auckland", locale="en-NZ") as auckland,
        visiting(browser, calendar.address, timezone_id="America/Los_Angeles", locale="en-US") as angeles,
    ):
        calendar.turn_to(1, 23, 50)  # noon of the 2nd in Auckland, the afternoon of the 1st in Los Angeles
        name = keep_progress(auckland)
        first = begin_day(auckland)
        assert begin_day(angeles) == first
        angeles.goto("/daily")
        expect(angeles.get_by_role("heading", level=1)).to_have_text("1 December 2026")
        expect(angeles.locator("time")).to_contain_text("at 00:00 UTC (04:00 PM where you are)")

        calendar.turn_to(2, 0, 5)  # the day has changed while both were reading
        finish_day(auckland)
        expect(auckland.get_by_role("heading", level=1)).to_have_text("1 December 2026")
        expect(auckland.get_by_text("It counts for your rating")).to_be_visible()

        assert begin_day(auckland) != first
        angeles.goto("/daily")
        expect(angeles.get_by_role("heading", level=1)).to_have_text("2 December 2026")
        press(angeles, "Play today’s text")
        expect(sentences(angeles).first).to_have_text(first)  # the one that is open has to be finished first
        finish_day(angeles)
        expect(angeles.get_by_text("Played for fun")).to_be_visible()
        auckland.goto(f"/players/{name}")
        expect(auckland.get_by_role("heading", level=1)).to_have_text(name)


def test_the_text_to_pass_on_is_copied_by_one_press(browser: Browser, calendar: Calendar) -> None:
    with visiting(browser, calendar.address, permissions=["clipboard-read", "clipboard-write"]) as page:
        begin_day(page)
        finish_day(page)
        press(page, "Copy the text")
        expect(page.get_by_text("Copied.")).to_be_visible()
        copied = str(page.evaluate("navigator.clipboard.readText()"))
        assert copied == page.get_by_label("Text to pass on").input_value()
        assert "1 December 2026" in copied
        assert copied.endswith(f"{calendar.address}/daily")


def test_without_script_the_day_is_played_and_the_text_stands_there(
    browser: Browser, calendar: Calendar
) -> None:
    with visiting(browser, calendar.address, java_script_enabled=False) as page:
        begin_day(page)
        finish_day(page)
        assert page.get_by_label("Text to pass on").input_value().startswith("Where does the human stop")
        expect(page.get_by_role("button", name="Copy the text")).to_be_hidden()
