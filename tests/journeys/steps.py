"""What people do on a page."""

from playwright.sync_api import Locator, Page, expect

from app.web.languages import Languages
from game.modes import modes

MODE = next(iter(modes()))
LANGUAGES = Languages()


def words(page: Page, sentence: str) -> str:
    """Return what a sentence of ours is called in the language of the page."""
    code = page.locator("html").get_attribute("lang")
    return LANGUAGES.named(code or "en").translations.gettext(sentence)


def begin(page: Page, genre: str) -> str:
    """Start a round of a genre, past the menu; return its id."""
    page.goto(page.request.post("/rounds", form={"mode": MODE, "genre": genre}).url)
    return round_id(page)


def round_id(page: Page) -> str:
    """Return the id of the round on the screen."""
    return page.url.partition("/rounds/")[2][:32]


def sentences(page: Page) -> Locator:
    """Return the sentences on the screen."""
    return page.locator(".line-text")


def press(page: Page, name: str) -> None:
    """Press the button of that name, in whatever language the page is."""
    page.get_by_role("button", name=words(page, name), exact=True).click()


def say_human(page: Page, times: int = 1) -> None:
    """Read on; the next sentence has come when this returns."""
    for _ in range(times):
        count = sentences(page).count()
        press(page, "Human")
        expect(sentences(page)).to_have_count(count + 1)


def say_machine(page: Page) -> None:
    """Say "machine"; the chips have come when this returns."""
    press(page, "Machine")
    expect(page.locator(".panel")).to_be_visible()


def say_all_human(page: Page) -> None:
    """Read to the end and say that no machine has written; the chips have come when this returns."""
    say_human(page, times=8)
    press(page, "All human")
    expect(page.locator(".panel")).to_be_visible()


def count_it(page: Page, *reasons: str) -> None:
    """Tick reasons by their words, count the answer, and wait for the reveal."""
    for reason in reasons:
        page.get_by_label(words(page, reason), exact=True).check()
    press(page, "Count it and reveal")
    expect(page.locator(".revealed")).to_be_visible()


def crowd(page: Page) -> None:
    """Let five others finish the only text of the reports."""
    browser = page.context.browser
    assert browser is not None
    for _ in range(5):
        with browser.new_context(base_url=page.context.request.get("/").url) as other:
            address = other.request.post("/rounds", form={"mode": MODE, "genre": "reports"}).url
            other.request.post(f"{address}/moves/0", form={"call": "machine", "reasons": "grammar"})
