"""What routes ask for: the site, the caller, the form."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Path, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.services.sessions import PREFIX, find_session, keep_alive
from app.store.accounts import Session
from app.store.players import Claim, is_taken_over
from app.web.refusals import (
    CrossSiteError,
    MalformedFormError,
    NotSignedInError,
    TooLargeError,
)
from app.web.site import Site
from game.errors import RoundNotFoundError
from game.language import say, unsaid
from game.mode import Form

COOKIE = "roft"
YEAR_SECONDS = 365 * 24 * 60 * 60
MOST_BYTES = 64 * 1024
MOST_FIELDS = 100
NUL = unsaid("No text may hold the character NUL.")

_ROUND_ID = re.compile("[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Visit:
    """Who sends a request; a guest has no session."""

    claim: Claim
    session: Session | None


def identify(site: Site, token: str) -> Visit | None:
    """Return who a token belongs to; None unless it is one of ours that still counts.

    The signed claim of a guest counts no more when there is an account: that has sessions,
    which can be ended.
    """
    if token.startswith(PREFIX):
        now = site.now()
        with site.database.glance() as db:
            seen = find_session(db, token, now=now)
        if seen is None:
            return None
        if seen.is_stale:
            with site.database.write() as db:
                keep_alive(db, seen.session.id, now=now)
        return Visit(seen.claim, seen.session)
    claim = site.tokens.read(token)
    if claim is None:
        return None
    with site.database.glance() as db:
        return None if is_taken_over(db, claim.player_id) else Visit(claim, None)


async def site_of(request: Request) -> Site:
    """Return the installation."""
    return request.app.state.site  # type: ignore[no-any-return]


SiteDep = Annotated[Site, Depends(site_of)]


def visit(request: Request, site: SiteDep) -> Visit | None:
    """Return who the cookie belongs to; None for a stranger."""
    token = request.cookies.get(COOKIE)
    return identify(site, token) if token else None


async def visitor(visit: Annotated[Visit | None, Depends(visit)]) -> Claim | None:
    """Return the player the cookie belongs to; None for a stranger."""
    return visit.claim if visit else None


async def seated(claim: Annotated[Claim | None, Depends(visitor)]) -> Claim:
    """Return the claim in the cookie; a stranger has no round."""
    if claim is None:
        raise RoundNotFoundError(
            say("There is no round of yours here. A round needs a cookie: allow it and start again.")
        )
    return claim


def bearer(request: Request, site: SiteDep) -> Claim:
    """Return the claim in the `Authorization` header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    visit = identify(site, token.strip()) if scheme.lower() == "bearer" else None
    if visit is None:
        raise NotSignedInError("Send a token from POST /api/v1/guests as “Authorization: Bearer …”.")
    return visit.claim


def optional_bearer(request: Request, site: SiteDep) -> Claim | None:
    """Return the claim in the `Authorization` header if there is such a header."""
    return bearer(request, site) if "authorization" in request.headers else None


async def same_origin(request: Request) -> None:
    """Refuse a form that another site made the browser send.

    Browsers say where a request comes from (`Sec-Fetch-Site`, before that `Origin`); what
    sends neither is no browser and carries no cookie against its owner's will.
    """
    fetch_site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if fetch_site is not None:
        is_ours = fetch_site in {"same-origin", "none"}
    else:
        is_ours = origin is None or origin.partition("://")[2] == request.headers.get("host")
    if not is_ours:
        raise CrossSiteError(say("This form was sent from another site; nothing was changed."))


async def small_body(request: Request) -> bytes:
    """Return the body, unless it is larger than any form of ours."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > MOST_BYTES:
                raise TooLargeError(say("A request holds %(most)s KB at most.", most=MOST_BYTES // 1024))
    except ClientDisconnect as error:  # nobody waits for the reply
        raise MalformedFormError(say("The request broke off; nothing was changed.")) from error
    return body


async def form_data(body: Annotated[bytes, Depends(small_body)]) -> Form:
    """Return the fields of a form; a field that comes twice is a list, an empty one is none."""
    try:
        pairs = parse_qsl(
            body.decode(), keep_blank_values=True, strict_parsing=bool(body), max_num_fields=MOST_FIELDS
        )
    except ValueError as error:
        raise MalformedFormError(say("The request holds no form.")) from error
    return fields_of(pairs)


async def draft(request: Request) -> Form:
    """Return the half-made move that the query holds."""
    return fields_of(request.query_params.multi_items())


async def own_round_id(round_id: str) -> str:
    """Return the id of a round; what is none cannot be anybody's round."""
    if not _ROUND_ID.fullmatch(round_id):
        raise RoundNotFoundError(say("There is no such round of yours."))
    return round_id


def fields_of(pairs: Iterable[tuple[str, str]]) -> Form:
    """Return pairs as fields: a list where a name comes twice, nothing where a value is empty."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if "\0" in name + value:
            raise MalformedFormError(say(NUL))
        if value and name in fields:
            before = fields[name]
            fields[name] = [*(before if isinstance(before, list) else [before]), value]
        elif value:
            fields[name] = value
    return fields


def set_claim(reply: Response, request: Request, token: str) -> None:
    """Let the browser remember who somebody is."""
    keep_cookie(reply, request, COOKIE, token)


def keep_cookie(
    reply: Response, request: Request, name: str, value: str, *, seconds: int = YEAR_SECONDS, path: str = "/"
) -> None:
    """Let the browser keep something that no script reads and no other site's form brings along."""
    reply.set_cookie(
        name,
        value,
        max_age=seconds,
        path=path,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


VisitDep = Annotated[Visit | None, Depends(visit)]
Visitor = Annotated[Claim | None, Depends(visitor)]
Seated = Annotated[Claim, Depends(seated)]
Bearer = Annotated[Claim, Depends(bearer)]
OptionalBearer = Annotated[Claim | None, Depends(optional_bearer)]
FormData = Annotated[Form, Depends(form_data)]
Body = Annotated[bytes, Depends(small_body)]
Draft = Annotated[Form, Depends(draft)]
RoundId = Annotated[str, Depends(own_round_id)]
TurnNumber = Annotated[int, Path(ge=0)]
