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

_TITLES = {404: "There is nothing here", 500: "That was our mistake"}
_WAYS = {
    "not-allowed": ("/sign-in", "Sign in"),
    "has-account": ("/account", "To your account"),
    "no-account": ("/sign-up", "Keep my progress"),
    "provider-not-found": ("/account", "Back"),
    "provider-down": ("/account", "Back"),
    "bad-provider": ("/account", "Back"),
    "not-allowed-there": ("/account", "Back"),
    "strange-return": ("/account", "Back"),
    "identity-taken": ("/account", "Back"),
    "player-not-found": ("/leaderboard", "To the board"),
    "session-not-found": ("/account", "To your account"),
    "lesson-not-found": ("/guide", "To the guide"),
    "build-not-found": ("/studies/builds", "To the builds"),
    "build-unfinished": ("/studies/builds", "To the builds"),
}
_OURS = "Something broke on our side. Nothing you played is lost; please try again."

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
    if request.url.path.startswith("/api/"):
        return problem(status, rule, detail)
    pages = request.app.state.site.pages
    view = ErrorView(_TITLES.get(status, "That did not work"), detail, *_WAYS.get(rule, ()))
    return pages.error(view, status=status, part=wants_part(request))  # type: ignore[no-any-return]


async def _refusal(request: Request, error: Exception) -> Response:
    status, rule = status_of(error)
    return _reply(request, status, rule, str(error))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    first: dict[str, Any] = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part not in {"body", "path", "query"})
    if request.url.path.startswith("/api/"):
        return problem(422, "malformed", f"“{place or 'body'}”: {first['msg']}.")
    return _reply(request, 404, "not-found", "The address leads nowhere.")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    phrase = HTTPStatus(error.status_code).phrase
    rule = phrase.lower().replace(" ", "-")
    detail = "The address leads nowhere." if error.status_code == HTTPStatus.NOT_FOUND else f"{error.detail}."
    reply = _reply(request, error.status_code, rule, detail)
    reply.headers.update(error.headers or {})
    return reply


async def _bug(request: Request, error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    reply = _reply(request, 500, "our-mistake", _OURS)
    reply.raw_headers.extend(FRESH)  # made outside every middleware
    return reply
