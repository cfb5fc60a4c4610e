"""Signing in with a key from the shell, and out."""

from fastapi import APIRouter, Depends, Request
from starlette.responses import RedirectResponse, Response

from app.errors import BadKeyError
from app.services.signing_in import RESEARCHERS, sign_in
from app.store.players import role_of
from app.web.build_views import SignInView
from app.web.deps import COOKIE, FormData, SiteDep, Visitor, same_origin, set_claim

router = APIRouter(include_in_schema=False)


@router.get("/sign-in")
def show_form(site: SiteDep, claim: Visitor) -> Response:
    """Ask for a key."""
    return site.pages.page("sign_in", SignInView(claim.handle if claim else None, None))


@router.post("/sign-in", dependencies=[Depends(same_origin)])
def enter(request: Request, site: SiteDep, claim: Visitor, form: FormData) -> Response:
    """Sign somebody in by their key."""
    try:
        with site.database.write() as db:
            found = sign_in(db, str(form.get("key", "")), now=site.now())
            is_researcher = role_of(db, found.player_id) in RESEARCHERS
    except BadKeyError as error:
        view = SignInView(claim.handle if claim else None, str(error))
        return site.pages.page("sign_in", view, status=422)
    reply = RedirectResponse("/studies/builds" if is_researcher else "/play", status_code=303)
    set_claim(reply, request, site.tokens.sign(found))
    return reply


@router.post("/sign-out", dependencies=[Depends(same_origin)])
def leave() -> Response:
    """Forget who is at this browser."""
    reply = RedirectResponse("/", status_code=303)
    reply.delete_cookie(COOKIE, httponly=True, samesite="lax")
    return reply
