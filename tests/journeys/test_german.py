"""The site for somebody whose browser speaks German."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import visiting
from tests.journeys.places import PLACES
from tests.journeys.server import Server
from tests.journeys.steps import begin, press, say_human, sentences
from tests.journeys.test_accessibility import misfits, violations

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("axe")]

GERMANY = "de-DE"


@pytest.fixture
def german(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of somebody whose browser speaks German."""
    with visiting(browser, server.address, locale=GERMANY) as page:
        yield page


def test_a_round_is_played_in_german_and_its_text_stays_english(german: Page, server: Server) -> None:
    german.goto("/")
    press(german, "Eine Runde spielen")
    expect(german.get_by_text("Wer hat Satz 2 geschrieben?")).to_be_visible()
    say_human(german, times=2)
    press(german, "Maschine")
    expect(german.get_by_text("Satz 4 ist der erste der Maschine. Er …")).to_be_visible()
    press(german, "Zählen lassen und aufdecken")
    expect(german.get_by_role("alert")).to_have_text("Wähl mindestens einen Grund; dann zählt es.")
    german.get_by_label("sagt nichts Bestimmtes", exact=True).check()
    press(german, "Zählen lassen und aufdecken")

    expect(german.get_by_text("dein Tipp")).to_be_visible()
    expect(german.locator("html")).to_have_attribute("lang", "de")
    expect(sentences(german)).to_contain_text(["Sentence 0 "] + ["Sentence "] * 9)
    for sentence in sentences(german).all():
        expect(sentence).to_have_attribute("lang", "en")
    assert server.calls(german.url.partition("/rounds/")[2][:32]) == ["human", "human", "machine"]


def test_english_is_chosen_in_the_footer_and_stays(german: Page) -> None:
    german.goto("/guide")
    expect(german.get_by_role("heading", level=1)).to_have_text("Anleitung")

    press(german, "English")
    expect(german.get_by_role("heading", level=1)).to_have_text("Guide")
    german.get_by_role("link", name="Play", exact=True).click()

    expect(german.locator("html")).to_have_attribute("lang", "en")


def test_without_script_a_language_is_chosen_as_well(plain_page: Page) -> None:
    plain_page.goto("/leaderboard?window=month")
    press(plain_page, "Deutsch")

    expect(plain_page.get_by_role("heading", level=1)).to_have_text("Bestenliste zum Üben")
    assert plain_page.url.endswith("/leaderboard?window=month")


def test_what_the_script_says_is_german_too(german: Page) -> None:
    begin(german, "speeches")
    switch = german.locator("[data-keys] button")
    expect(switch).to_have_text("Tasten H und M: an")
    switch.click()
    expect(switch).to_have_text("Tasten H und M: aus")

    german.goto("/daily")
    expect(german.locator("time")).to_contain_text("bei dir)")


@pytest.mark.parametrize("place", PLACES)
def test_long_words_fit_and_axe_has_nothing_against_them(
    place: str, browser: Browser, server: Server, axe: str
) -> None:
    with visiting(browser, server.address, locale=GERMANY, bypass_csp=True) as page:
        PLACES[place](page)
        page.evaluate(axe)

        assert misfits(page) + violations(page) == []
