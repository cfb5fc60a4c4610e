"""Reading the guide, and practising by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.server import Server
from tests.journeys.steps import MODE, press

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

READINGS = "SELECT player_id, visible_ms FROM guide_reading ORDER BY id DESC LIMIT 1"


def test_how_long_the_guide_was_in_front_is_noted_on_leaving_it(page: Page, server: Server) -> None:
    before = server.value("SELECT count(*) FROM guide_reading")
    page.goto("/guide")
    page.wait_for_timeout(300)
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Daily").click()
    expect(page.get_by_role("heading", name="Your days")).to_be_visible()
    page.wait_for_timeout(300)

    assert server.value("SELECT count(*) FROM guide_reading") == before + 1
    assert 300 <= server.rows(READINGS)[0]["visible_ms"] < 30_000


def test_who_reads_and_then_plays_is_one_player(page: Page, server: Server) -> None:
    page.goto("/guide")
    press(page, "Play a round")
    found = page.url.partition("/rounds/")[2][:32]
    player = server.value("SELECT player_id FROM round WHERE id = :id", id=found)
    assert server.value("SELECT count(*) FROM guide_reading WHERE player_id = :id", id=player) >= 1


def test_a_lesson_is_done_by_keys_and_the_explanation_is_in_focus(page: Page) -> None:
    page.goto(f"/practice/{MODE}/1")
    for number in range(2, 7):
        page.keyboard.press("h")
        expect(page.locator("[data-focus]")).to_be_focused()
        expect(page.locator("[data-focus]")).to_contain_text(f"Sentence {number}, human · you were right")
    page.keyboard.press("m")
    expect(page.get_by_role("status").filter(has_text="exact: 5 points")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("Spaghetti pie")


def test_a_lesson_needs_no_script(plain_page: Page) -> None:
    plain_page.goto(f"/practice/{MODE}/1")
    for _ in range(6):
        press(plain_page, "Human")
    expect(plain_page.get_by_text("You read past sentence 7")).to_be_visible()
