"""Without a connection the site says so, and the round waits."""

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.conftest import PATIENCE_MS
from tests.journeys.server import Server
from tests.journeys.steps import begin, press, say_human, sentences

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

READY = "navigator.serviceWorker.ready.then(() => true)"


def test_a_round_survives_a_lost_connection(browser: Browser, server: Server) -> None:
    with browser.new_context(base_url=server.address) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto("/")
        assert page.evaluate(READY)
        found = begin(page, "speeches")
        say_human(page, times=2)

        context.set_offline(True)
        press(page, "Human")
        expect(page.get_by_text("No connection to the site. Nothing is lost")).to_be_visible()
        page.get_by_role("link", name="Guide").click()
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()

        context.set_offline(False)
        page.goto(f"/rounds/{found}")
        expect(sentences(page)).to_have_count(4)
        assert server.calls(found) == ["human", "human"]
