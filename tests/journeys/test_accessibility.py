"""What axe finds on every page, in both themes, on phone and desk: nothing."""

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
SIZES = ((360, 780), (390, 844), (1440, 900))
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice")
RUN = "rules => axe.run({runOnly: rules, resultTypes: ['violations']}).then(found => found.violations)"


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


def violations(page: Page, axe: str) -> list[str]:
    """Return what axe has against the page, in every theme and size."""
    page.evaluate(axe)
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            found += [f"{theme} {width}: {_told(one)}" for one in page.evaluate(RUN, RULES)]
    return found


def _told(violation: dict[str, Any]) -> str:
    return f"{violation['id']} at {[node['target'] for node in violation['nodes']]}"


@pytest.mark.parametrize("place", PLACES)
def test_axe_has_nothing_against(place: str, measured_page: Page, axe: str) -> None:
    PLACES[place](measured_page)

    assert violations(measured_page, axe) == []


@pytest.mark.parametrize("address", ["/leaderboard", "/generators"])
def test_axe_has_nothing_against_a_page_with_nothing_on_it_yet(
    address: str, quiet_page: Page, axe: str
) -> None:
    quiet_page.goto(address)

    assert violations(quiet_page, axe) == []
