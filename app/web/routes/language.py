"""Choosing a language."""

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match
from starlette.types import Scope

from app.web.deps import FormData, SiteDep, keep_cookie, same_origin
from app.web.languages import COOKIE
from app.web.refusals import MalformedFormError
from game.language import say

router = APIRouter(include_in_schema=False)


@router.post("/language", dependencies=[Depends(same_origin)])
def choose_language(request: Request, site: SiteDep, form: FormData) -> Response:
    """Remember a language, and lead back to where it was chosen."""
    code = form.get("language")
    if code not in site.languages.codes:
        raise MalformedFormError(say("This site does not speak that language; choose one of those below."))
    reply = RedirectResponse(_origin(request), status_code=303)
    keep_cookie(reply, request, COOKIE, code)
    return reply


def _origin(request: Request) -> str:
    """Return the page of ours that a form was sent from; the front page if it cannot be asked for again."""
    _, separator, rest = request.headers.get("referer", "").partition(f"://{request.headers.get('host')}/")
    path, _, query = rest.partition("?")
    asked: Scope = {**request.scope, "method": "GET", "path": f"/{path}", "path_params": {}}
    is_page = any(route.matches(asked)[0] is Match.FULL for route in request.app.routes)
    if not separator or path.startswith("/") or not is_page:
        return "/"
    return f"/{path}?{query}" if query else f"/{path}"
