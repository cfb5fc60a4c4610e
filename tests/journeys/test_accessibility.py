"""Every page: axe finds nothing in either theme, on phone and desk; it fits a small screen and a thumb."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.journeys.conftest import visiting
from tests.journeys.places import PLACES
from tests.journeys.players import joining
from tests.journeys.server import Server, serving, toy_deck

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("axe")]

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIZES = ((360, 780), (1440, 900))
SMALLEST = (320, 640)
SMALLEST_TARGET = 24
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")
RUN = "rules => axe.run({runOnly: rules, resultTypes: ['violations']}).then(found => found.violations)"
TARGETS = (
    "a:visible, button:visible, summary:visible, textarea:visible, label.chip:visible, label.choice:visible,"
    " .field input:visible"
)
OVERFLOW = "html => html.scrollWidth - html.clientWidth"
TOO_SMALL = """(targets, least) => targets.filter(target => {
    const box = target.getBoundingClientRect()
    const around = target.parentElement
    const stands = around.matches('p, dd') && around.innerText !== target.innerText
    return Math.min(box.width, box.height) < least && !stands
}).map(target => target.outerHTML)"""
"""Targets smaller than WCAG 2.5.8 allows; links that stand within a sentence may be."""


@pytest.fixture(scope="module", autouse=True)
def _some_players(server: Server) -> None:
    """Somebody is above luck, somebody is not."""
    with joining(server) as expert, joining(server) as idler:
        expert.find("recipes", late=[0] * 10)
        idler.repeat(1, "recipes", rounds=6)


@pytest.fixture
def quiet_page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page of the first visitor ever."""
    with (
        serving(tmp_path, toy_deck()) as server,
        visiting(browser, server.address, bypass_csp=True) as page,
    ):
        yield page


def complaints(page: Page, axe: str) -> list[str]:
    """Return what axe has against the page, in every theme and size, and what does not fit."""
    page.evaluate(axe)
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found += [f"{theme} {width}: {one}" for one in violations(page)]
    return found + misfits(page)


def violations(page: Page) -> list[str]:
    """Return what axe, which the page has read, has against it as it is shown."""
    found: list[dict[str, Any]] = page.evaluate(RUN, RULES)
    return [f"{one['id']} at {[node['target'] for node in one['nodes']]}" for one in found]


def misfits(page: Page) -> list[str]:
    """Return what does not fit the smallest screen, or thick fingers."""
    width, height = SMALLEST
    page.set_viewport_size({"width": width, "height": height})
    overflow = page.locator("html").evaluate(OVERFLOW)
    small = page.locator(TARGETS).evaluate_all(TOO_SMALL, SMALLEST_TARGET)
    return [f"{overflow} px too wide"] * bool(overflow) + [f"too small: {one}" for one in small]


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_to_be_said_against(place: str, measured_page: Page, axe: str) -> None:
    PLACES[place](measured_page)

    assert complaints(measured_page, axe) == []


@pytest.mark.parametrize("address", ["/leaderboard", "/generators"])
def test_nothing_is_to_be_said_against_a_page_with_nothing_on_it_yet(
    address: str, quiet_page: Page, axe: str
) -> None:
    quiet_page.goto(address)

    assert complaints(quiet_page, axe) == []


def test_what_does_not_fit_and_what_cannot_be_read_is_seen(measured_page: Page, axe: str) -> None:
    measured_page.goto("/")
    measured_page.locator("main").evaluate("main => { main.innerHTML = '<button><b></b></button>' }")
    measured_page.add_style_tag(content="main { width: 400px } b { display: block; width: 9px; height: 9px }")
    measured_page.add_style_tag(content="main button { all: unset }")

    found = complaints(measured_page, axe)
    assert {one.split(" at ")[0] for one in found} >= {
        *(f"{theme} {width}: button-name" for theme in THEMES for width, _ in SIZES),
        "too small: <button><b></b></button>",
    }
    assert [one for one in found if one.endswith("px too wide")]
