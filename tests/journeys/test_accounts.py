"""A guest who stays: keeps their progress, comes back elsewhere, and one day leaves."""

from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.conftest import visiting
from tests.journeys.server import Server
from tests.journeys.steps import begin, count_it, press, round_id, say_machine

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PASSWORD = "five blue lamps burn"
ROUNDS = "SELECT count(*) FROM round JOIN player ON player.id = player_id WHERE handle = :handle"
PASSAGE = "SELECT passage_id FROM round WHERE id = :id"
_numbers = count(1)


def new_name() -> str:
    """Return a name that nobody has yet."""
    return f"journey-{'abcdefghjkmnp'[next(_numbers)]}"


def play(page: Page, genre: str) -> str:
    """Play a round to its end and return its id."""
    found = begin(page, genre)
    say_machine(page)
    count_it(page, "is not grammatical")
    return found


def keep_progress(page: Page) -> str:
    """Turn the guest at a browser into an account and return its name."""
    name = new_name()
    page.goto("/account")
    page.get_by_role("link", name="Keep my progress").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Keep my progress")
    expect(page.get_by_text("Your progress is kept")).to_be_visible()
    return name


def sign_in(page: Page, name: str) -> None:
    """Sign in by password."""
    page.goto("/sign-in")
    page.get_by_label("Name or e-mail address").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Sign in")


def test_a_guest_plays_signs_up_and_keeps_their_progress(page: Page, server: Server) -> None:
    play(page, "speeches")
    name = keep_progress(page)

    page.goto("/leaderboard")
    expect(page.locator("tr.own")).to_contain_text(f"{name} (you)1 round")
    assert server.value(ROUNDS, handle=name) == 1
    play(page, "stories")
    assert server.value(ROUNDS, handle=name) == 2


def test_rounds_of_a_guest_elsewhere_come_along_and_an_overlap_counts_once(
    browser: Browser, server: Server, page: Page
) -> None:
    play(page, "essays")  # a genre of one text: both meet it
    name = keep_progress(page)
    with visiting(browser, server.address) as elsewhere:
        overlap = play(elsewhere, "essays")
        play(elsewhere, "recipes")
        sign_in(elsewhere, name)

        expect(elsewhere.get_by_text("1 round that you played as a guest came along.")).to_be_visible()
        elsewhere.goto("/leaderboard")
        expect(elsewhere.locator("tr.own")).to_contain_text(f"{name} (you)2 rounds")
        gone = elsewhere.goto(f"/rounds/{overlap}")
        assert gone is not None
        assert gone.status == 404
    assert server.value(ROUNDS, handle=name) == 2


def test_a_session_is_ended_from_another_browser(browser: Browser, server: Server, page: Page) -> None:
    play(page, "speeches")
    name = keep_progress(page)
    with visiting(browser, server.address) as elsewhere:
        sign_in(elsewhere, name)
        expect(elsewhere).to_have_url(f"{server.address}/play")
        page.reload()
        page.get_by_role("button", name="End the session of").click()

        elsewhere.goto("/account")
        expect(elsewhere.get_by_role("heading", name="Nobody yet")).to_be_visible()


def test_an_account_that_is_deleted_is_gone(server: Server, page: Page) -> None:
    play(page, "speeches")
    name = keep_progress(page)
    player_id = server.value("SELECT id FROM player WHERE handle = :handle", handle=name)
    page.get_by_role("link", name="Delete this account").click()
    page.get_by_label(f"Write your name, {name}").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Delete my account")

    expect(page.get_by_text("Your account is deleted")).to_be_visible()
    tables = (
        "player",
        "account",
        "session",
        "consent",
        "identity",
        "sign_in_key",
        "round",
        "standing",
        "report",
        "notice",
    )
    for table in tables:
        key = "id" if table == "player" else "player_id"
        assert server.value(f"SELECT count(*) FROM {table} WHERE {key} = :id", id=player_id) == 0  # noqa: S608


def test_all_of_it_works_without_script(plain_page: Page, server: Server) -> None:
    page = plain_page
    page.goto("/sign-up")
    name = new_name()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("short")
    press(page, "Keep my progress")
    expect(page.get_by_role("alert")).to_contain_text("A password has 10 to 200 characters")
    expect(page.get_by_label("Name")).to_have_value(name)
    page.get_by_label("Password").fill(PASSWORD)
    press(page, "Keep my progress")
    press(page, "Sign out")
    sign_in(page, name)

    expect(page).to_have_url(f"{server.address}/play")


def test_a_bad_text_is_reported_in_the_middle_of_a_round(page: Page, server: Server) -> None:
    begin(page, "speeches")
    page.get_by_text("Report this text").click()
    page.get_by_label("It is broken").check()
    page.get_by_label("Anything to add?").fill("It stops in the middle.")
    press(page, "Send the report")

    expect(page.get_by_text("Thank you for the report.")).to_be_visible()
    assert server.value(PASSAGE, id=round_id(page)) == server.value("SELECT passage_id FROM report")
    say_machine(page)
