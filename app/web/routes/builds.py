"""Builds of passages, for researchers: submit a plan, watch it, look through it, serve it."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from app.errors import BadDeckError, BadPlanError, BuildUnfinishedError
from app.services.building import (
    cancel_build,
    checked_plan,
    checked_title,
    deck_of_build,
    find_build,
    submit_build,
)
from app.services.signing_in import require_researcher
from app.settings import ROOT
from app.store.builds import built_passages, newest_builds
from app.store.passages import served_decks
from app.store.players import Claim
from app.web.build_views import PAGE, build_view, builds_view, passages_view, state_view
from app.web.deps import FormData, SiteDep, Visitor, same_origin
from app.web.refusals import MalformedFormError
from app.web.site import Site
from game.language import say
from game.mode import Form

EXAMPLE = ROOT / "plans" / "example.toml"
SHOWN = 50
MOST = 1_000_000
Number = Annotated[int, Query(ge=0, le=MOST)]


def researcher(site: SiteDep, claim: Visitor) -> Claim:
    """Return the claim of a researcher; nobody else comes in."""
    with site.database.read() as db:
        return require_researcher(db, claim)


Researcher = Annotated[Claim, Depends(researcher)]
router = APIRouter(prefix="/studies/builds", include_in_schema=False, dependencies=[Depends(researcher)])
BuildId = Annotated[str, Path(pattern="^[0-9a-f]{32}$")]


@router.get("")
def show_builds(site: SiteDep, claim: Researcher) -> Response:
    """Show the builds there are, and the form for another."""
    return _list(site, claim, plan=EXAMPLE.read_text(encoding="utf-8"))


@router.post("", dependencies=[Depends(same_origin)])
def submit(site: SiteDep, claim: Researcher, form: FormData) -> Response:
    """Put a plan into the queue, or say what is wrong with it."""
    title, plan = _text(form, "title"), _text(form, "plan")
    wrong = "title"
    try:
        title = checked_title(title)
        wrong = "plan"
        plan = checked_plan(plan)
        outline = site.read_plan(plan)
    except BadPlanError as error:
        return _list(site, claim, title=title, plan=plan, wrong=wrong, problem=str(error))
    with site.database.write() as db:
        build_id = submit_build(db, claim.player_id, title, plan, outline, now=site.now())
    return RedirectResponse(f"/studies/builds/{build_id}", status_code=303)


@router.get("/{build_id}")
def show_build(
    site: SiteDep, build_id: BuildId, condition: Number | None = None, page: Number = 0
) -> Response:
    """Show a build and a page of what it kept."""
    return _show(site, build_id, condition=condition, page=page)


@router.get("/{build_id}/state")
def show_state(request: Request, site: SiteDep, build_id: BuildId) -> Response:
    """Show how far a build is, for htmx; anybody else gets the whole page."""
    if "hx-request" not in request.headers:
        return RedirectResponse(f"/studies/builds/{build_id}", status_code=303)
    with site.database.read() as db:
        found = find_build(db, build_id)
    view = state_view(found)
    reply = site.pages.part("build_state", view)
    if not view.is_going:  # there is more on the page now
        reply.headers["HX-Refresh"] = "true"
    return reply


@router.get("/{build_id}/manifest.json")
def show_manifest(site: SiteDep, build_id: BuildId) -> Response:
    """Hand out what was built and how."""
    with site.database.read() as db:
        found = find_build(db, build_id)
    if found.manifest is None:
        raise BuildUnfinishedError(say("A build has a manifest when it is done."))
    return JSONResponse(found.manifest)


@router.post("/{build_id}/cancel", dependencies=[Depends(same_origin)])
def cancel(site: SiteDep, build_id: BuildId) -> Response:
    """Cancel a build, or ask its worker to stop."""
    with site.database.write() as db:
        cancel_build(db, build_id, now=site.now())
    return RedirectResponse(f"/studies/builds/{build_id}", status_code=303)


@router.post("/{build_id}/deck", dependencies=[Depends(same_origin)])
def serve(site: SiteDep, build_id: BuildId, form: FormData) -> Response:
    """Put what a build kept into a deck, or say why not."""
    try:
        with site.database.write() as db:
            slug = deck_of_build(db, build_id, _text(form, "deck").strip(), now=site.now())
    except BadDeckError as error:
        return _show(site, build_id, problem=str(error))
    return _show(site, build_id, notice=say("The deck %(deck)s is being served now.", deck=slug))


def _list(
    site: Site, claim: Claim, *, plan: str, title: str = "", wrong: str = "", problem: str | None = None
) -> Response:
    with site.database.read() as db:
        builds = newest_builds(db, SHOWN)
    view = builds_view(claim.handle, builds, title=title, plan=plan, wrong=wrong, problem=problem)
    return site.pages.page("builds", view, status=422 if problem else 200)


def _show(
    site: Site,
    build_id: str,
    *,
    condition: int | None = None,
    page: int = 0,
    notice: str | None = None,
    problem: str | None = None,
) -> Response:
    passages = None
    with site.database.read() as db:
        found = find_build(db, build_id)
        if condition is not None and condition < len(found.outline):
            kept = built_passages(db, build_id, condition, start=PAGE * page, most=PAGE + 1)
            passages = passages_view(found, condition, page, kept)
        decks = served_decks(db)
    view = build_view(found, passages, decks, notice=notice, problem=problem)
    return site.pages.page("build", view, status=422 if problem else 200)


def _text(form: Form, name: str) -> str:
    value = form.get(name, "")
    if not isinstance(value, str):
        raise MalformedFormError(say("The field “%(name)s” comes once.", name=name))
    return value
