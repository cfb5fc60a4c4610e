"""What a page costs to open the first time, on a slow line: bytes, shifts, seconds to the first text.

`python -m bench.pages` opens the front page and a first round in Chromium with nothing kept, on a
line of 1.6 Mbit/s and 150 ms (what Lighthouse calls slow 4G). The round is opened as people do, by a
press of the button on the front page: its time runs from the press.
"""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.journeys.conftest import CHROMIUM, QUIET
from tests.journeys.server import serving, toy_deck

TIMES = 9
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
MOST_BYTES, MOST_SECONDS = 100_000, 1.0
WATCH = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
FIRST_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""
"""Milliseconds since the navigation began, which for a redirected form is the press of its button."""


@dataclass(slots=True)
class Opened:
    """What opening a page cost, each time."""

    bytes: list[int] = field(default_factory=list[int])
    shifts: list[float] = field(default_factory=list[float])
    seconds: list[float] = field(default_factory=list[float])


def main() -> None:
    """Measure, then print the table."""
    front, first = Opened(), Opened()
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), toy_deck()) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for _ in range(TIMES):
            with _slow_page(browser, server.address) as (page, received):
                page.goto("/", wait_until="load")
                _note(front, page, received)
                received.clear()
                page.get_by_role("button", name="Play a round").click()
                page.locator(".line-text").first.wait_for()
                _note(first, page, received)
        browser.close()
    _print({"front page, cold": front, "first round, from the press": first})


@contextmanager
def _slow_page(browser: Browser, address: str) -> Iterator[tuple[Page, list[int]]]:
    """Open a page that has nothing kept, on a slow line; its list grows by the bytes of each reply."""
    received: list[int] = []
    with browser.new_context(base_url=address, bypass_csp=True, service_workers="block") as context:
        page = context.new_page()
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_4G)
        session.on("Network.loadingFinished", lambda event: received.append(int(event["encodedDataLength"])))
        page.add_init_script(WATCH)
        yield page, received


def _note(opened: Opened, page: Page, received: Sequence[int]) -> None:
    page.wait_for_load_state("networkidle")
    opened.bytes.append(sum(received))
    opened.shifts.append(float(page.evaluate("window.shifts")))
    painted: Any = page.evaluate(FIRST_PAINT)
    opened.seconds.append(float(painted) / 1000)


def _print(found: dict[str, Opened]) -> None:
    print(f"Slow 4G (1.6 Mbit/s, 150 ms), nothing kept; median of {TIMES}.")
    print(f"Targets: below {MOST_BYTES:,} bytes, no shift, text within {MOST_SECONDS:.0f} s.\n")
    print(f"{'':<30}{'bytes':>10}{'layout shift':>14}{'first text, s':>15}{'slowest':>10}")
    for name, opened in found.items():
        print(
            f"{name:<30}{median(opened.bytes):>10,.0f}{max(opened.shifts):>14.3f}"
            f"{median(opened.seconds):>15.2f}{max(opened.seconds):>10.2f}"
        )


if __name__ == "__main__":
    main()
