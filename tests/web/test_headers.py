"""What every reply carries: nobody frames, sniffs, or keeps what must stay fresh."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.web.pages import asset
from tests.web.conftest import Arena

FRESH = "no-store"
LASTING = "public, max-age=31536000, immutable"


@pytest.mark.parametrize(
    ("path", "status", "kept"),
    [
        ("/", 200, FRESH),
        ("/leaderboard", 200, FRESH),
        ("/api/v1/leaderboard", 200, FRESH),
        ("/nowhere", 404, FRESH),
        (f"/rounds/{'0' * 32}", 404, FRESH),
        (f"/api/v1/rounds/{'0' * 32}", 401, FRESH),
        ("/healthz", 200, FRESH),
        (asset("site.css"), 200, LASTING),
        ("/static/not-there.css", 404, FRESH),
    ],
)
def test_a_reply_says_how_long_it_lasts_and_who_may_show_it(
    arena: Arena, path: str, status: int, kept: str
) -> None:
    reply = arena.newcomer().pages.get(path)

    assert reply.status_code == status
    assert reply.headers.get_list("cache-control") == [kept]
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
    assert "'unsafe" not in reply.headers["content-security-policy"]


def test_a_file_that_has_not_changed_is_not_sent_again(arena: Arena) -> None:
    player = arena.newcomer()
    tag = player.pages.get(asset("site.css")).headers["etag"]

    reply = player.pages.get(asset("site.css"), headers={"If-None-Match": tag})

    assert (reply.status_code, reply.headers["cache-control"]) == (304, LASTING)


def test_our_own_mistakes_carry_them_too(tmp_path: Path) -> None:
    site = create_app(Settings(home=tmp_path))  # its database has no tables

    reply = TestClient(site, raise_server_exceptions=False).get("/play")

    assert (reply.status_code, reply.headers["cache-control"]) == (500, FRESH)
    assert "frame-ancestors 'none'" in reply.headers["content-security-policy"]
