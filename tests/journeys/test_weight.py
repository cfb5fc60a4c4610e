"""What the first visit costs on the line, and that nothing jumps."""

import pytest
from playwright.sync_api import Browser

from tests.journeys.conftest import PATIENCE_MS
from tests.journeys.server import Server
from tests.journeys.steps import press, say_human, say_machine

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MOST_BYTES = 100_000
WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_the_first_visit_weighs_less_than_a_hundred_kilobytes_and_nothing_jumps(
    browser: Browser, server: Server
) -> None:
    received: list[int] = []
    with browser.new_context(base_url=server.address, bypass_csp=True) as context:
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
        page.add_init_script(WATCH)

        page.goto("/", wait_until="networkidle")
        assert page.evaluate("window.shifts") == 0
        press(page, "Play a round")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("window.shifts") == 0
        assert 5_000 < sum(received) < MOST_BYTES

        say_human(page)
        say_machine(page)
        assert page.evaluate("window.shifts") == 0
