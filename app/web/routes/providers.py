"""The way over a provider: out, and back with an answer."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from app.errors import (
    HasAccountError,
    NotAllowedThereError,
    ProviderNotFoundError,
    StrangeReturnError,
)
from app.providers.provider import Departure, Provider, depart
from app.services.accounts import enter
from app.services.joining import new_guest
from app.services.linking import keep_by_identity, link
from app.services.throttling import allow, is_first
from app.store.accounts import claim_of_identity
from app.web.account_views import DepartureView
from app.web.departures import departure_of, drop_departure, set_departure
from app.web.deps import SiteDep, Visit, VisitDep, same_origin
from app.web.routes.sign_in import TRIES_NEARBY, device, guest_of, let_in, network
from app.web.site import Site
from game.language import say

DENIED = "access_denied"
BROKEN = frozenset({"server_error", "temporarily_unavailable"})

router = APIRouter(prefix="/sign-in", include_in_schema=False)


async def provider_named(provider: str, site: SiteDep) -> Provider:
    """Return the provider that an address names."""
    if provider not in site.providers:
        raise ProviderNotFoundError(say("There is no such way in; please choose another."))
    return site.providers[provider]


ProviderDep = Annotated[Provider, Depends(provider_named)]


@router.post("/with/{provider}", dependencies=[Depends(same_origin)])
def go_out(request: Request, site: SiteDep, provider: ProviderDep) -> Response:
    """Send somebody to a provider, to come back signed in."""
    return send_out(request, site, provider, player_id=None)


@router.get("/back/{provider}")
def come_back(
    request: Request,
    site: SiteDep,
    visit: VisitDep,
    provider: ProviderDep,
    state: str = "",
    code: str = "",
    error: str = "",
    iss: str = "",
) -> Response:
    """Take the answer of a provider, once, from the browser that went there."""
    departure = _expected(request, site, provider, state)
    _check(provider, error, iss)
    if not code:
        raise StrangeReturnError(
            say("%(name)s sent no answer along; please start again.", name=provider.name)
        )
    subject = provider.subject_of(code, departure, back_to(site, provider), now=site.now())
    if departure.player_id is None:
        reply = _sign_in(request, site, visit, provider, subject)
    else:
        reply = _link(site, visit, provider, subject, departure.player_id)
    drop_departure(reply)
    return reply


def send_out(request: Request, site: Site, provider: Provider, *, player_id: str | None) -> Response:
    """Send somebody to a provider, to sign in or to have an account linked.

    By a page, not by a redirect: Chromium holds a form's policy against every address that it ends up
    at, and a provider may send people on to sites that nobody here knows.
    """
    now = site.now()
    with site.database.write() as db:
        allow(db, f"provider from {network(request)}", TRIES_NEARBY, now=now)
    departure = depart(provider.slug, player_id, now=now)
    address = provider.address_for(departure, back_to(site, provider), now=now)
    reply = site.pages.page("departure", DepartureView(provider.name, address))
    set_departure(reply, request, site, departure)
    return reply


def back_to(site: Site, provider: Provider) -> str:
    """Return the address that a provider sends people back to; it is registered there."""
    return f"{site.settings.address.rstrip('/')}/sign-in/back/{provider.slug}"


def _expected(request: Request, site: Site, provider: Provider, state: str) -> Departure:
    """Return the departure that an answer belongs to, and use it up."""
    now = site.now()
    departure = departure_of(request, site, now=now)
    if departure is not None and (departure.provider, departure.state) == (provider.slug, state):
        with site.database.write() as db:
            if is_first(db, f"return {state}", now=now):
                return departure
    raise StrangeReturnError(
        say(
            "This browser is not waiting for an answer of %(name)s, or has had it; please start again.",
            name=provider.name,
        )
    )


def _check(provider: Provider, error: str, issuer: str) -> None:
    """Refuse an answer that is a refusal, or another provider's (RFC 9207)."""
    if issuer not in {"", provider.issuer}:
        raise provider.distrusted(f"an answer of {issuer!r}")
    if error == DENIED:
        raise NotAllowedThereError(
            say(
                "%(name)s was not allowed to tell who you are, so nothing was done; you can start again,"
                " or come in another way.",
                name=provider.name,
            )
        )
    if error in BROKEN:
        raise provider.missed(f"error {error}")
    if error:
        raise provider.distrusted(f"error {error!r}")


def _sign_in(request: Request, site: Site, visit: Visit | None, provider: Provider, subject: str) -> Response:
    guest, now = guest_of(visit), site.now()
    with site.database.write() as db:
        known = claim_of_identity(db, provider.issuer, subject)
        if known is None and visit is not None and visit.session is not None:
            raise HasAccountError(
                say(
                    "You are signed in as %(handle)s; to come in by %(name)s as well, link it"
                    " on the page of your account.",
                    handle=visit.claim.handle,
                    name=provider.name,
                )
            )
        claim = known or keep_by_identity(
            db, guest or new_guest(site.rng), provider.issuer, subject, rng=site.rng, now=now
        )
        entered = enter(db, claim, guest=guest, device=device(request), way="provider", rng=site.rng, now=now)
    return let_in(request, site, visit, entered, None if known else "/account?done=kept")


def _link(site: Site, visit: Visit | None, provider: Provider, subject: str, player_id: str) -> Response:
    if visit is None or visit.session is None or visit.claim.player_id != player_id:
        raise StrangeReturnError(
            say(
                "You are not signed in any more as whoever wanted to link %(name)s; please start again.",
                name=provider.name,
            )
        )
    with site.database.write() as db:
        link(db, player_id, provider.issuer, subject, now=site.now())
    return RedirectResponse("/account?done=linked", status_code=303)
