"""A round as most people play it."""

import pytest
from playwright.sync_api import Page, Request, expect

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

HANDLE = "SELECT handle FROM player JOIN round ON player.id = round.player_id WHERE round.id = :id"

AWAY = """
let away = false;
Object.defineProperty(document, "hidden", { get: () => away });
document.addEventListener("look-away", () => {
  away = !away;
  document.dispatchEvent(new Event("visibilitychange"));
});
"""
"""Headless browsers never hide a tab; this one does when it gets a `look-away`."""


def test_one_click_on_the_front_page_opens_a_first_round(page: Page) -> None:
    page.goto("/")

    press(page, "Play a round")

    expect(sentences(page)).to_have_count(2)
    expect(page.get_by_text("Who wrote sentence 2?")).to_be_visible()


def test_sentences_appear_one_at_a_time_without_a_new_page(page: Page) -> None:
    begin(page, "speeches")
    visits: list[Request] = []
    page.on("request", lambda one: visits.append(one) if one.is_navigation_request() else None)

    say_human(page, times=3)

    expect(sentences(page)).to_contain_text([f"Sentence {number} " for number in range(5)])
    assert visits == []


def test_an_answer_taken_back_stays_in_the_log_and_out_of_the_moves(page: Page, server: Server) -> None:
    begin(page, "speeches")
    say_human(page)

    say_machine(page)
    press(page, "Back to the text")
    expect(page.get_by_text("Who wrote sentence 3?")).to_be_visible()
    say_machine(page)

    assert server.events(round_id(page)) == [("decided", 1), ("back", 1), ("decided", 1)]
    assert len(server.moves(round_id(page))) == 1


def test_an_answer_without_a_reason_is_asked_for_one_and_keeps_its_note(page: Page, server: Server) -> None:
    begin(page, "speeches")
    say_machine(page)
    page.get_by_label("Note, if you like").fill("Nobody’s lamp says that.")

    press(page, "Count it and reveal")

    expect(page.get_by_role("alert")).to_have_text("Pick at least one reason before it counts.")
    expect(page.get_by_label("Note, if you like")).to_have_value("Nobody’s lamp says that.")
    assert server.moves(round_id(page)) == []


def test_a_ticked_reason_survives_a_missing_note(page: Page) -> None:
    begin(page, "speeches")
    say_machine(page)
    page.get_by_label("something else").check()

    press(page, "Count it and reveal")

    expect(page.get_by_role("alert")).to_have_text("Say in the note what else it is.")
    expect(page.get_by_label("something else")).to_be_checked()


def test_the_reveal_tells_who_wrote_what_and_why_it_earned_that(page: Page) -> None:
    begin(page, "reports")
    say_human(page, times=3)
    say_machine(page)

    count_it(page, "is not grammatical")

    tags = [": human"] * 4 + [": machine · takes over here · your guess"] + [": machine"] * 5
    expect(page.locator(".line-tag")).to_contain_text(tags)
    expect(page.get_by_role("heading", level=1)).to_have_text("Exactly right: 5 points.")
    expect(page.locator(".verdict .lead")).to_have_text(
        "You said sentence 5, and the machine took over at sentence 5."
    )


def test_the_reveal_tells_source_and_generator(page: Page) -> None:
    begin(page, "reports")
    say_machine(page)
    count_it(page, "just a feeling")

    page.get_by_text("Where this text comes from").click()

    expect(page.get_by_role("definition")).to_contain_text(["Toy report", "toy-model (top p 0.9)"])
    expect(page.get_by_text("CC0-1.0")).to_be_visible()


def test_a_switched_text_is_not_called_a_machine(page: Page) -> None:
    begin(page, "essays")
    say_human(page, times=4)
    say_machine(page)

    count_it(page, "has nothing to do with the text")

    tags = [": human"] * 4 + [": another document"] * 6
    expect(page.locator(".line-tag")).to_contain_text(tags)
    expect(page.get_by_role("heading", level=1)).to_have_text("1 sentence late: 4 points.")


def test_next_goes_on_in_the_same_genre(page: Page) -> None:
    first = begin(page, "recipes")
    say_machine(page)
    count_it(page, "just a feeling")

    press(page, "Next round")

    expect(page.get_by_role("heading", level=1)).to_have_text("Recipes")
    expect(sentences(page)).to_have_count(2)
    assert round_id(page) != first


def test_reload_keeps_the_round_where_it_stood(page: Page) -> None:
    begin(page, "speeches")
    say_human(page, times=2)

    page.reload()

    expect(sentences(page)).to_have_count(4)
    expect(page.get_by_role("button", name="Human")).to_be_visible()


def test_the_back_button_and_forward_again_keep_the_round_where_it_stood(page: Page) -> None:
    page.goto("/play")
    press(page, "Play speeches")
    say_human(page, times=2)

    page.go_back()
    page.go_forward()

    expect(sentences(page)).to_have_count(4)


def test_a_second_tab_shows_the_same_round_and_a_repeated_answer_counts_once(
    page: Page, server: Server
) -> None:
    begin(page, "speeches")
    second = page.context.new_page()
    second.goto(page.url)

    say_human(second)
    page.bring_to_front()

    press(page, "Human")

    expect(sentences(page)).to_have_count(3)
    assert server.calls(round_id(page)) == ["human"]


def test_a_tab_left_behind_is_told_so_and_shows_the_round_as_it_stands(page: Page) -> None:
    begin(page, "speeches")
    say_machine(page)
    second = page.context.new_page()
    second.goto(page.url)
    say_human(second, times=2)
    page.bring_to_front()

    page.get_by_label("just a feeling").check()
    press(page, "Count it and reveal")

    expect(page.get_by_role("alert")).to_contain_text("This turn has been played, with another answer.")
    expect(sentences(page)).to_have_count(4)


def test_the_time_on_a_sentence_is_stored(page: Page, server: Server) -> None:
    begin(page, "speeches")
    page.wait_for_timeout(300)

    say_human(page)

    (move,) = server.moves(round_id(page))
    assert 300 <= move["client_ms"] < 10_000
    assert move["hidden_ms"] == 0


def test_the_clock_runs_on_while_reasons_are_picked(page: Page, server: Server) -> None:
    begin(page, "speeches")
    page.wait_for_timeout(150)
    say_machine(page)
    page.wait_for_timeout(150)

    count_it(page, "just a feeling")

    (move,) = server.moves(round_id(page))
    assert 300 <= move["client_ms"] < 10_000


def test_the_time_in_another_tab_is_stored_and_logged(page: Page, server: Server) -> None:
    page.add_init_script(AWAY)
    begin(page, "speeches")
    for _ in range(2):
        with page.expect_response("**/events"):
            page.locator("body").dispatch_event("look-away")
        page.wait_for_timeout(150)

    say_human(page)

    (move,) = server.moves(round_id(page))
    assert 150 <= move["hidden_ms"] <= move["client_ms"] - 150
    assert server.events(round_id(page)) == [("hidden", 0), ("shown", 0)]


def test_the_board_shows_ones_own_line(page: Page, server: Server) -> None:
    begin(page, "reports")
    say_machine(page)
    count_it(page, "just a feeling")
    handle = server.value(HANDLE, id=round_id(page))

    page.get_by_role("link", name="Board").click()

    expect(page.locator("tr.own")).to_contain_text(f"{handle} (you)1 round")


def test_a_genre_has_a_friendly_end(page: Page) -> None:
    begin(page, "letters")
    say_all_human(page)
    count_it(page, "it has a voice of its own")
    expect(page.get_by_text("All of it was human, as you said.")).to_be_visible()
    press(page, "Next round")
    say_all_human(page)
    count_it(page, "the details are right")

    press(page, "Next round")

    expect(page.get_by_role("heading", level=1)).to_have_text("You have played all of letters.")
    press(page, "Play essays")
    expect(page.get_by_role("heading", level=1)).to_have_text("Essays")
