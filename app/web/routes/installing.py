"""What a browser needs to keep the site as an app, and to say so when there is no connection."""

from hashlib import sha256

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from app.web.deps import SiteDep
from app.web.pages import asset
from app.web.views import WorkerView
from game.language import say, spoken

router = APIRouter(include_in_schema=False)

OFFLINE = "/offline"
KEPT = ("modern-normalize.css", "site.css", "site.js", "htmx.min.js", "icon.svg")
"""Files that the page without a connection is made of."""


@router.get("/manifest.webmanifest")
async def manifest() -> Response:
    """Say what the app is called and looks like."""
    icons = [
        {"src": asset("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": asset("icon-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": asset("icon-512.png"), "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
    ]
    told = {
        "name": say("RoFT: Real or Fake Text"),
        "short_name": "RoFT",
        "description": say("Can you tell where a human stops writing and a machine goes on?"),
        "lang": spoken().code,
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#fbf8f2",
        "theme_color": "#fbf8f2",
        "icons": icons,
    }
    return JSONResponse(told, media_type="application/manifest+json")


@router.get(OFFLINE)
def offline(site: SiteDep) -> Response:
    """Say that there is no connection, and that nothing is lost."""
    return site.pages.page("offline", None)


@router.get("/sw.js")
def worker(site: SiteDep) -> Response:
    """Return the script that keeps the page without a connection, and no page that somebody plays on.

    It is another script in every language, so that the page is kept anew when somebody chooses one.
    """
    files = (OFFLINE, *(asset(name) for name in KEPT))
    version = sha256(" ".join((spoken().code, *files)).encode()).hexdigest()[:12]
    return site.pages.script("sw", WorkerView(version, files))
