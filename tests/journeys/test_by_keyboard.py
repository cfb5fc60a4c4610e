"""The same round for somebody without mouse or finger: only `page.keyboard` is used."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.journeys.server import Server
from tests.journeys.steps import begin, round_id, sentences

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MOST_STOPS = 30


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until the target has the focus; every stop on the way shows where it is."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        expect(page.locator(":focus-visible")).to_have_css("outline-style", "solid")
        if target.and_(page.locator(":focus")).count():
            return
    raise AssertionError("Tab never came there.")


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def read_on(page: Page) -> None:
    count = sentences(page).count()
    page.keyboard.press("h")
    expect(sentences(page)).to_have_count(count + 1)


def test_a_whole_round_with_a_way_back(page: Page, server: Server) -> None:
    page.goto("/")
    tab_to(page, button(page, "Play a round"))
    page.keyboard.press("Enter")
    expect(sentences(page)).to_have_count(2)
    first = round_id(page)
    read_on(page)
    page.keyboard.press("m")
    expect(page.get_by_role("checkbox").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#latest")).to_be_focused()
    read_on(page)
    page.keyboard.press("m")
    expect(page.get_by_role("checkbox").first).to_be_focused()
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_focused()
    page.keyboard.press("n")
    expect(sentences(page)).to_have_count(2)

    assert server.events(first) == [("decided", 1), ("back", 1), ("decided", 2)]
    assert server.moves(first)[-1]["form"] == '{"call": "machine", "reasons": ["irrelevant"]}'
    assert round_id(page) != first


def test_a_whole_round_with_tab_and_enter_alone(page: Page) -> None:
    page.goto("/play")
    tab_to(page, button(page, "Play speeches"))
    page.keyboard.press("Enter")
    expect(sentences(page)).to_have_count(2)
    tab_to(page, button(page, "Human"))
    page.keyboard.press("Enter")
    expect(sentences(page)).to_have_count(3)
    tab_to(page, button(page, "Machine"))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_label("just a feeling"))
    page.keyboard.press("Space")
    tab_to(page, button(page, "Count it and reveal"))
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_focused()

    tab_to(page, button(page, "Next round"))


def test_the_focus_goes_to_the_new_sentence(page: Page) -> None:
    begin(page, "speeches")

    page.keyboard.press("h")

    expect(page.locator(".line").nth(2)).to_be_focused()


def test_a_missing_reason_puts_the_focus_on_the_first_chip(page: Page) -> None:
    begin(page, "speeches")
    page.keyboard.press("m")
    expect(page.get_by_role("checkbox").first).to_be_focused()

    page.keyboard.press("Enter")

    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("checkbox").first).to_be_focused()


def test_keys_can_be_switched_off_and_then_do_nothing(page: Page) -> None:
    begin(page, "speeches")
    tab_to(page, button(page, "Keys H and M: on"))
    page.keyboard.press("Enter")
    expect(button(page, "Keys H and M: off")).to_be_focused()
    page.reload()
    page.keyboard.press("m")
    page.keyboard.press("h")
    tab_to(page, button(page, "Keys H and M: off"))

    page.keyboard.press("Enter")

    read_on(page)
    expect(sentences(page)).to_have_count(3)


def test_typing_a_note_triggers_no_keys(page: Page) -> None:
    begin(page, "speeches")
    page.keyboard.press("m")
    note = page.get_by_label("Note, if you like")
    tab_to(page, note)

    page.keyboard.type("hm, 1 n 2")
    page.keyboard.press("Escape")

    expect(note).to_have_value("hm, 1 n 2")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(0)


def test_a_key_pressed_together_with_control_is_the_browsers(page: Page) -> None:
    begin(page, "speeches")

    page.keyboard.press("Control+m")
    read_on(page)

    expect(sentences(page)).to_have_count(3)


def test_the_first_stop_skips_the_navigation(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the text")).to_be_in_viewport()

    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()
