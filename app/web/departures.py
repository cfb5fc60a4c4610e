"""What a browser carries while it is away at a provider: a signed cookie, for a few minutes."""

from dataclasses import asdict
from datetime import datetime, timedelta
from hashlib import sha256

from fastapi import Request
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.responses import Response

from app.providers.provider import Departure
from app.web.deps import keep_cookie
from app.web.site import Site

COOKIE = "roft-departure"
PATH = "/sign-in"
LASTS = timedelta(minutes=10)
"""How long somebody may stay away; shorter than the site remembers which answers were used."""


def set_departure(reply: Response, request: Request, site: Site, departure: Departure) -> None:
    """Let the browser carry a departure; the one it carried before is forgotten."""
    value = _serializer(site).dumps(asdict(departure))
    keep_cookie(reply, request, COOKIE, value, seconds=int(LASTS.total_seconds()), path=PATH)


def departure_of(request: Request, site: Site, *, now: datetime) -> Departure | None:
    """Return the departure that a browser carries; None unless we signed it a few minutes ago."""
    try:
        departure = Departure(**_serializer(site).loads(request.cookies.get(COOKIE, "")))
    except BadSignature:
        return None
    return departure if now.timestamp() - departure.left_at < LASTS.total_seconds() else None


def drop_departure(reply: Response) -> None:
    """Let the browser forget its departure."""
    reply.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="lax")


def _serializer(site: Site) -> URLSafeSerializer:
    return URLSafeSerializer(
        site.settings.secret.get_secret_value(),
        salt="roft.departure",
        signer_kwargs={"digest_method": sha256},
    )
