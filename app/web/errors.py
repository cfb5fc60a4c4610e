"""One place that turns refusals into statuses: problem+json for the API, a page for people."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.errors import (
    BadDeckError,
    BadEmailError,
    BadKeyError,
    BadNameError,
    BadPasswordError,
    BadPlanError,
    BadProviderError,
    BuildNotFoundError,
    BuildUnfinishedError,
    HasAccountError,
    IdentityTakenError,
    LastWayError,
    LessonNotFoundError,
    NoAccountError,
    NoDailyError,
    NoSuchStudyError,
    NotAllowedError,
    NotAllowedThereError,
    PassageNotFoundError,
    PlayerNotFoundError,
    ProviderDownError,
    ProviderNotFoundError,
    SessionNotFoundError,
    SiteError,
    StrangeReturnError,
    TooManyTriesError,
    WrongPasswordError,
)
from app.web.headers import FRESH
from app.web.languages import API
from app.web.pages import wants_part
from app.web.refusals import (
    CrossSiteError,
    MalformedFormError,
    NotSignedInError,
    RefusedError,
    TooLargeError,
)
from app.web.views import ErrorView
from game.errors import (
    BadMoveError,
    BadRecordError,
    GameError,
    IllegalMoveError,
    NoSuchGenreError,
    NoSuchModeError,
    NothingLeftError,
    RoundClosedError,
    RoundNotFoundError,
    TooManyEventsError,
    TurnAlreadyPlayedError,
    TurnNotReachedError,
    UnfinishedMoveError,
)
from game.language import say, speaking, unsaid

STATUSES: dict[type[Exception], tuple[int, str]] = {
    BadMoveError: (422, "malformed-move"),
    UnfinishedMoveError: (422, "unfinished-move"),
    IllegalMoveError: (409, "illegal-move"),
    TurnAlreadyPlayedError: (409, "turn-already-played"),
    RoundClosedError: (409, "round-closed"),
    TurnNotReachedError: (409, "turn-not-reached"),
    NoSuchModeError: (404, "no-such-mode"),
    NoSuchGenreError: (404, "no-such-genre"),
    NothingLeftError: (404, "nothing-left"),
    RoundNotFoundError: (404, "round-not-found"),
    TooManyEventsError: (409, "too-many-events"),
    BadRecordError: (422, "bad-record"),
    NotSignedInError: (401, "not-signed-in"),
    CrossSiteError: (403, "cross-site"),
    TooLargeError: (413, "too-large"),
    MalformedFormError: (422, "malformed-form"),
    NotAllowedError: (403, "not-allowed"),
    BadKeyError: (422, "bad-key"),
    BadNameError: (422, "bad-name"),
    BadPasswordError: (422, "bad-password"),
    BadEmailError: (422, "bad-email"),
    WrongPasswordError: (422, "wrong-password"),
    TooManyTriesError: (429, "too-many-tries"),
    HasAccountError: (409, "has-account"),
    NoAccountError: (403, "no-account"),
    ProviderNotFoundError: (404, "provider-not-found"),
    ProviderDownError: (503, "provider-down"),
    BadProviderError: (502, "bad-provider"),
    NotAllowedThereError: (403, "not-allowed-there"),
    StrangeReturnError: (422, "strange-return"),
    IdentityTakenError: (409, "identity-taken"),
    LastWayError: (409, "last-way"),
    SessionNotFoundError: (404, "session-not-found"),
    PassageNotFoundError: (404, "passage-not-found"),
    PlayerNotFoundError: (404, "player-not-found"),
    NoSuchStudyError: (404, "no-such-study"),
    NoDailyError: (404, "no-daily"),
    LessonNotFoundError: (404, "lesson-not-found"),
    BadPlanError: (422, "bad-plan"),
    BadDeckError: (422, "bad-deck"),
    BuildNotFoundError: (404, "build-not-found"),
    BuildUnfinishedError: (409, "build-unfinished"),
}
"""Status and name of each refusal."""

_TITLES = {404: unsaid("There is nothing here"), 500: unsaid("That was our mistake")}
_TITLE = unsaid("That did not work")
_NOWHERE = unsaid("The address leads nowhere.")
_SAID = {404: _NOWHERE, 405: unsaid("Method Not Allowed.")}
_WAY = unsaid("To the game")
_WAYS = {
    "not-allowed": ("/sign-in", unsaid("Sign in")),
    "has-account": ("/account", unsaid("To your account")),
    "no-account": ("/sign-up", unsaid("Keep my progress")),
    "provider-not-found": ("/account", unsaid("Back")),
    "provider-down": ("/account", unsaid("Back")),
    "bad-provider": ("/account", unsaid("Back")),
    "not-allowed-there": ("/account", unsaid("Back")),
    "strange-return": ("/account", unsaid("Back")),
    "identity-taken": ("/account", unsaid("Back")),
    "player-not-found": ("/leaderboard", unsaid("To the board")),
    "session-not-found": ("/account", unsaid("To your account")),
    "lesson-not-found": ("/guide", unsaid("To the guide")),
    "build-not-found": ("/studies/builds", unsaid("To the builds")),
    "build-unfinished": ("/studies/builds", unsaid("To the builds")),
}
_OURS = unsaid("Something broke on our side. Nothing you played is lost; please try again.")

log = logging.getLogger("roft")


def handle_errors(app: FastAPI) -> None:
    """Install the handlers."""
    app.add_exception_handler(GameError, _refusal)
    app.add_exception_handler(SiteError, _refusal)
    app.add_exception_handler(RefusedError, _refusal)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _bug)


def problem(status: int, rule: str, detail: str) -> JSONResponse:
    """Return an RFC 9457 reply; `type` names the rule."""
    content = {"type": rule, "title": HTTPStatus(status).phrase, "status": status, "detail": detail}
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(content, status, headers, media_type="application/problem+json")


def status_of(error: Exception) -> tuple[int, str]:
    """Return the status of a refusal and the name of the rule."""
    status, rule = STATUSES[type(error)]
    return status, error.rule if isinstance(error, UnfinishedMoveError) else rule


def _reply(request: Request, status: int, rule: str, detail: str) -> Response:
    if request.url.path.startswith(API):
        return problem(status, rule, detail)
    pages = request.app.state.site.pages
    address, way = _WAYS.get(rule, ("/play", _WAY))
    view = ErrorView(say(_TITLES.get(status, _TITLE)), detail, address, say(way))
    return pages.error(view, status=status, part=wants_part(request))  # type: ignore[no-any-return]


async def _refusal(request: Request, error: Exception) -> Response:
    status, rule = status_of(error)
    return _reply(request, status, rule, str(error))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first: dict[str, Any] = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part not in {"body", "path", "query"})
    if request.url.path.startswith(API):
        return problem(422, "malformed", f"“{place or 'body'}”: {first['msg']}.")
    return _reply(request, 404, "not-found", say(_NOWHERE))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    status = error.status_code
    rule = HTTPStatus(status).phrase.lower().replace(" ", "-")
    detail = say(_SAID[status]) if status in _SAID else f"{error.detail}."
    reply = _reply(request, status, rule, detail)
    reply.headers.update(error.headers or {})
    return reply


async def _bug(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    with speaking(request.app.state.site.languages.of(request)):  # made outside every middleware
        reply = _reply(request, 500, "our-mistake", say(_OURS))
    reply.raw_headers.extend(FRESH)
    return reply
