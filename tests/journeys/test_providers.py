"""A guest goes over another site and back, in a browser that holds us to our policy."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.server import Server, serving, toy_deck
from tests.journeys.steps import begin, count_it, press, say_machine
from tests.web import openid

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

BUTTON = "Go on with The University"


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A site that knows a university."""
    home = tmp_path_factory.mktemp("university")
    file = home / "providers.toml"
    with openid.serving(lambda: datetime.now(UTC)) as university:
        file.write_text(f"[university]\n{openid.entry_for(university.issuer('good'), 'The University')}")
        with serving(home, toy_deck(), providers=str(file)) as one:
            yield one


def play(page: Page, genre: str) -> None:
    begin(page, genre)
    say_machine(page)
    count_it(page, "is not grammatical")


def test_a_guest_goes_over_another_site_and_comes_back_elsewhere(browser: Browser, site: Server) -> None:
    with browser.new_context(base_url=site.address) as context:
        page = context.new_page()
        play(page, "speeches")
        page.goto("/sign-up")
        press(page, BUTTON)
        expect(page.get_by_text("Your progress is kept")).to_be_visible()

    with browser.new_context(base_url=site.address, java_script_enabled=False) as context:
        page = context.new_page()
        play(page, "stories")
        page.goto("/sign-in")
        press(page, BUTTON)
        expect(page.get_by_text("1 round that you played as a guest came along.")).to_be_visible()
        expect(page.get_by_text("by another site")).to_have_count(2)
    assert site.value("SELECT count(*) FROM round JOIN account USING (player_id)") == 2
