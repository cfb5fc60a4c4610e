"""Every page there is, and how one comes there, in whatever language."""

import re
from collections.abc import Callable, Mapping
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.journeys.steps import (
    MODE,
    begin,
    count_it,
    crowd,
    press,
    say_all_human,
    say_human,
    say_machine,
    words,
)


def _open(address: str) -> Callable[[Page], object]:
    return lambda page: page.goto(address)


def _in_the_middle(page: Page) -> None:
    begin(page, "speeches")
    say_human(page, times=4)


def _last_sentence(page: Page) -> None:
    begin(page, "speeches")
    say_human(page, times=8)


def _chips(page: Page) -> None:
    _in_the_middle(page)
    say_machine(page)


def _problem(page: Page) -> None:
    _chips(page)
    press(page, "Count it and reveal")
    expect(page.get_by_role("alert")).to_be_visible()


def _notice(page: Page) -> None:
    round_id = begin(page, "speeches")
    page.request.post(f"/rounds/{round_id}/moves/0", form={"call": "machine", "reasons": "feeling"})
    press(page, "Human")
    expect(page.get_by_role("alert")).to_be_visible()


def _takeover(page: Page) -> None:
    begin(page, "reports")
    say_human(page, times=3)
    say_machine(page)
    _reveal(page, "is not grammatical")


def _all_human(page: Page) -> None:
    begin(page, "letters")
    say_all_human(page)
    _reveal(page, "the details are right")


def _switched(page: Page) -> None:
    begin(page, "essays")
    say_machine(page)
    _reveal(page, "is not grammatical")


def _reveal(page: Page, reason: str) -> None:
    count_it(page, reason)
    page.get_by_text(words(page, "Where this text comes from")).click()


def _finished(page: Page) -> None:
    _switched(page)
    press(page, "Next round")
    expect(page.get_by_role("heading", name=re.compile("essays", re.IGNORECASE))).to_be_visible()


def _board(page: Page) -> None:
    _takeover(page)
    page.goto("/leaderboard")
    page.get_by_text(words(page, "How this board counts")).click()


def _account(page: Page) -> None:
    _takeover(page)
    page.goto("/sign-up")
    page.get_by_label(words(page, "Name")).fill(f"place-{uuid4().hex[:8]}")
    page.get_by_label(words(page, "Password")).fill("five blue lamps burn")
    press(page, "Keep my progress")
    expect(page.get_by_role("heading", name=words(page, "Your account"))).to_be_visible()


def _leaving(page: Page) -> None:
    _account(page)
    page.goto("/account/delete")


def _profile(page: Page) -> None:
    _takeover(page)
    page.goto("/account")
    page.locator("main a[href^='/players/']").click()
    expect(page.get_by_role("heading", name=words(page, "Trophies"))).to_be_visible()


def _refused_name(page: Page) -> None:
    page.goto("/sign-up")
    page.get_by_label(words(page, "Name")).fill("admin")
    page.get_by_label(words(page, "Password")).fill("five blue lamps burn")
    press(page, "Keep my progress")
    expect(page.get_by_role("alert")).to_be_visible()


def _report(page: Page) -> None:
    begin(page, "stories")
    page.get_by_text(words(page, "Report this text")).click()


def _practised(page: Page) -> None:
    page.goto(f"/practice/{MODE}/1")
    for _ in range(6):
        count = page.locator(".why").count()
        press(page, "Human")
        expect(page.locator(".why")).not_to_have_count(count)


def _crowd(page: Page) -> None:
    crowd(page)
    _takeover(page)
    expect(page.get_by_role("heading", name=words(page, "What everybody said"))).to_be_visible()


def _day_played(page: Page) -> None:
    page.goto("/daily")
    press(page, "Play today’s text")
    say_machine(page)
    page.locator("select[name=confidence]").select_option("80")
    count_it(page, "is not grammatical")
    page.get_by_role("link", name=words(page, "Your day")).click()
    expect(page.get_by_role("heading", name=words(page, "Tell others"))).to_be_visible()


PLACES: Mapping[str, Callable[[Page], object]] = {
    "the front page": _open("/"),
    "the menu": _open("/play"),
    "the guide": _open("/guide"),
    "the description of the API": _open("/docs"),
    "an address that leads nowhere": _open("/nowhere"),
    "the start of a round": lambda page: begin(page, "stories"),
    "the middle of a round": _in_the_middle,
    "the last sentence": _last_sentence,
    "the reasons": _chips,
    "the question for a reason": _problem,
    "a tab left behind": _notice,
    "the reveal of a machine": _takeover,
    "the reveal of a human": _all_human,
    "the reveal of a switch": _switched,
    "the end of a genre": _finished,
    "the board": _board,
    "the machines": _open("/generators"),
    "the account of a guest": _open("/account"),
    "the sign-up": _open("/sign-up"),
    "a name that is refused": _refused_name,
    "the sign-in": _open("/sign-in"),
    "an account": _account,
    "the way out": _leaving,
    "a profile": _profile,
    "a report": _report,
    "the daily text": _open("/daily"),
    "a day that was played": _day_played,
    "the days gone by": _open("/daily/archive"),
    "a day without a text": _open("/daily/2020-01-01"),
    "a lesson": _open(f"/practice/{MODE}/2"),
    "the end of a lesson": _practised,
    "what everybody said": _crowd,
}
