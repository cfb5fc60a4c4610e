"""Phones, people whom movement makes sick, and people who want to be left alone."""

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import visiting
from tests.journeys.server import Server
from tests.journeys.steps import begin, say_human

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("axe")]

TRACKER = 'main => { main.innerHTML = \'<img src="https://tracker.example/dot.gif" alt="">\' }'


def test_a_visit_on_which_somebody_else_is_asked_fails(browser: Browser, server: Server) -> None:
    def visit() -> None:
        with visiting(browser, server.address) as page:
            page.goto("/")
            page.locator("main").evaluate(TRACKER)

    with pytest.raises(AssertionError, match=r"tracker\.example"):
        visit()


@pytest.mark.parametrize(("wish", "animation"), [("reduce", "none"), ("no-preference", "arrive")])
def test_a_new_sentence_moves_only_for_those_who_like_it(
    browser: Browser, server: Server, wish: str, animation: str
) -> None:
    with visiting(browser, server.address, reduced_motion=wish) as page:
        begin(page, "speeches")

        say_human(page)

        expect(page.locator("#latest")).to_have_css("animation-name", animation)


def test_answers_and_the_new_sentence_stay_in_sight_of_a_phone(browser: Browser, server: Server) -> None:
    with visiting(browser, server.address, viewport={"width": 390, "height": 844}) as page:
        begin(page, "speeches")

        say_human(page, times=7)

        expect(page.get_by_role("button", name="Machine")).to_be_in_viewport(ratio=1)
        expect(page.locator("#latest")).to_be_in_viewport(ratio=1)
