"""The same round for somebody who has switched JavaScript off."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.server import Server
from tests.journeys.steps import (
    begin,
    count_it,
    press,
    round_id,
    say_all_human,
    say_human,
    say_machine,
    sentences,
)

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_whole_round_from_the_front_page_to_the_next_one(plain_page: Page) -> None:
    plain_page.goto("/")
    press(plain_page, "Play a round")
    say_human(plain_page, times=2)
    say_machine(plain_page)
    count_it(plain_page, "repeats what was said")
    expect(plain_page.get_by_text("your guess")).to_be_visible()

    press(plain_page, "Next round")

    expect(sentences(plain_page)).to_have_count(2)


def test_an_answer_taken_back_stays_in_the_log_without_script_too(plain_page: Page, server: Server) -> None:
    begin(plain_page, "speeches")
    say_human(plain_page)

    say_machine(plain_page)
    press(plain_page, "Back to the text")
    expect(sentences(plain_page)).to_have_count(3)
    say_human(plain_page)

    assert server.events(round_id(plain_page)) == [("decided", 1), ("back", 1)]
    assert server.calls(round_id(plain_page)) == ["human", "human"]


def test_a_missing_reason_is_asked_for_without_script_too(plain_page: Page) -> None:
    begin(plain_page, "speeches")
    say_human(plain_page)
    say_machine(plain_page)
    plain_page.get_by_label("Note, if you like").fill("Nobody’s lamp says that.")

    press(plain_page, "Count it and reveal")

    expect(plain_page.get_by_role("alert")).to_have_text("Pick at least one reason before it counts.")
    expect(plain_page.get_by_label("Note, if you like")).to_have_value("Nobody’s lamp says that.")
    count_it(plain_page, "gets the world wrong")


def test_all_human_is_said_without_script_too(plain_page: Page) -> None:
    begin(plain_page, "letters")
    say_all_human(plain_page)

    count_it(plain_page, "it hangs together to the end")

    expect(plain_page.get_by_role("heading", level=1)).to_have_text("Exactly right: 5 points.")
    expect(plain_page.get_by_text("Your guess: human to the end")).to_be_visible()


def test_nobody_is_offered_keys_that_do_nothing(plain_page: Page) -> None:
    begin(plain_page, "speeches")

    expect(plain_page.locator("kbd:visible, [data-keys]:visible")).to_have_count(0)
