"""A server, a browser, and visitors who notice what a page does behind their back."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)

from tests.app.seasons import publish_made_up
from tests.journeys.server import Server, serving, toy_deck

CHROMIUM = "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE_MS = 10_000
REFUSAL = "Failed to load resource: the server responded with a status of 4"
"""What Chromium writes when we answer 404 or 422 on purpose."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The site with the toy deck, after a night, for everybody."""
    with serving(tmp_path_factory.mktemp("home"), toy_deck()) as one:
        publish_made_up(one.database)
        yield one


@pytest.fixture(scope="session")
def axe() -> str:
    """What checks pages: the one of the package, or a newer one named by `ROFT_AXE`."""
    newer = os.environ.get("ROFT_AXE")
    return Path(newer).read_text() if newer else (files("axe_playwright_python") / "axe.min.js").read_text()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium."""
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield one
        one.close()


@contextmanager
def visiting(browser: Browser, address: str, **options: Any) -> Iterator[Page]:
    """Open a page of a new visitor; at the end, nobody else was asked and nothing was complained about."""
    odd: list[str] = []
    with browser.new_context(base_url=address, **{"reduced_motion": "reduce", **options}) as context:
        context.set_default_timeout(PATIENCE_MS)
        _watch(context, address, odd)
        yield context.new_page()
    assert odd == []


def _watch(context: BrowserContext, address: str, odd: list[str]) -> None:
    def on_request(request: Request) -> None:
        if not request.url.startswith((f"{address}/", "data:")):
            odd.append(f"asked {request.url}")

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(REFUSAL):
            odd.append(f"{message.type}: {message.text}")

    context.on("request", on_request)
    context.on("console", on_console)
    context.on("weberror", lambda error: odd.append(str(error.error)))


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of somebody new, with everything a browser has."""
    with visiting(browser, server.address) as one:
        yield one


@pytest.fixture
def plain_page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page of somebody new who has switched JavaScript off."""
    with visiting(browser, server.address, java_script_enabled=False) as one:
        yield one


@pytest.fixture
def measured_page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that lets the test look inside: without our policy, which forbids that."""
    with visiting(browser, server.address, bypass_csp=True) as one:
        yield one
