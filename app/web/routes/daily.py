"""The daily round: one text a day for everybody."""

import secrets
from datetime import date

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from app.errors import NoDailyError
from app.services.daily import archive, day_of, start_daily
from app.services.joining import new_guest
from app.services.sessions import hash_of
from app.store.players import Claim
from app.web.cards import card
from app.web.daily_views import archive_view, daily_view
from app.web.deps import SiteDep, Visitor, keep_cookie, same_origin, set_claim
from app.web.site import Site
from game.days import day_at
from game.language import say

DEVICE = "roft-device"
"""A cookie that tells devices apart; only a hash of it is kept."""

router = APIRouter(prefix="/daily", include_in_schema=False)


@router.get("")
def today(request: Request, site: SiteDep, claim: Visitor) -> Response:
    """Show today's round, or how it went."""
    return _page(request, site, claim, day_at(site.now()))


@router.get("/archive")
def past(site: SiteDep, claim: Visitor) -> Response:
    """List days gone by, to be played for fun."""
    with site.database.read() as db:
        found = archive(db, claim, now=site.now())
    return site.pages.page("archive", archive_view(found))


@router.get("/{day}")
def show_day(request: Request, site: SiteDep, claim: Visitor, day: date) -> Response:
    """Show a day's round, or how it went."""
    return _page(request, site, claim, day)


@router.post("/{day}", dependencies=[Depends(same_origin)])
def start_day(request: Request, site: SiteDep, claim: Visitor, day: date) -> Response:
    """Go to the player's round of that day; a stranger becomes a guest."""
    who = claim or new_guest(site.rng)
    device = request.cookies.get(DEVICE) or secrets.token_urlsafe(16)
    with site.database.write() as db:
        started = start_daily(
            db, who, day, device=hash_of(device), policy=site.policy, rng=site.rng, now=site.now()
        )
    reply = RedirectResponse(f"/rounds/{started.round_id}", status_code=303)
    if claim is None:
        set_claim(reply, request, site.tokens.sign(Claim(who.player_id, started.handle)))
    keep_cookie(reply, request, DEVICE, device, path="/daily")
    return reply


@router.get("/{day}/card.png")
def show_card(site: SiteDep, claim: Visitor, day: date) -> Response:
    """Draw what a player earned on a day, to be passed on; it tells nothing about the text."""
    with site.database.read() as db:
        found = day_of(db, claim, day, device=None, now=site.now())
    if found.played is None or found.played.points is None:
        raise NoDailyError(say("There is a picture once you have finished the round of that day."))
    return Response(card(day, found.played.points), media_type="image/png")


def _page(request: Request, site: Site, claim: Claim | None, day: date) -> Response:
    device = request.cookies.get(DEVICE)
    with site.database.read() as db:
        found = day_of(db, claim, day, device=hash_of(device) if device else None, now=site.now())
    address = site.settings.address or str(request.base_url).rstrip("/")
    return site.pages.page("daily", daily_view(found, now=site.now(), address=address))
