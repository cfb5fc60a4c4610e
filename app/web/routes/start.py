"""Coming in: front page, menu, and the start of a round."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import RedirectResponse, Response

from app.services.joining import new_guest
from app.services.learning import note_reading
from app.services.playing import start_round
from app.store.passages import genre_counts
from app.store.reports import mark_read, unread
from app.web.deps import FormData, SiteDep, Visitor, same_origin, set_claim
from app.web.refusals import MalformedFormError
from app.web.routes.learn import opened
from app.web.site import Site
from app.web.views import ChooserView, FinishedView, LandingView, genre_choice, mode_choice
from game.errors import NothingLeftError
from game.genres import genre_within
from game.language import say
from game.mode import Form
from game.modes import mode_named, modes

router = APIRouter(include_in_schema=False)


@router.get("/")
def landing(site: SiteDep, claim: Visitor, gone: str = "") -> Response:
    """Show what this is, and one button; to somebody who has just left, that it is done."""
    mode = next(iter(modes().values()))
    view = LandingView(mode.slug, say(mode.summary), claim is not None, bool(gone) and claim is None)
    return site.pages.page("landing", view)


@router.get("/play")
def chooser(site: SiteDep, claim: Visitor) -> Response:
    """Show modes and genres."""
    with site.database.read() as db:
        counts = genre_counts(db, claim.player_id if claim else "")
        told = unread(db, claim.player_id) if claim else []
    view = ChooserView(
        modes=tuple(mode_choice(mode, counts) for mode in modes().values()),
        notices=tuple(say(one.sentence) for one in told),
        last=told[-1].id if told else 0,
    )
    return site.pages.page("chooser", view)


@router.post("/notices/{number}/read", dependencies=[Depends(same_origin)])
def read_notices(site: SiteDep, claim: Visitor, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Response:
    """Show notices up to that number no more."""
    if claim is not None:
        with site.database.write() as db:
            mark_read(db, claim.player_id, number, now=site.now())
    return RedirectResponse("/play", status_code=303)


@router.get("/rounds")
async def back_to_menu() -> Response:
    """Lead the address that starts rounds to the menu, for those who reload the end of a genre."""
    return RedirectResponse("/play", status_code=303)


@router.post("/rounds", dependencies=[Depends(same_origin)])
def start(request: Request, site: SiteDep, claim: Visitor, form: FormData) -> Response:
    """Go to the open round, or to a new one; a stranger becomes a guest."""
    mode_slug, genre = _asked_for(form)
    mode = mode_named(mode_slug)
    who = claim or new_guest(site.rng)
    opened_at = opened(site, form)
    try:
        with site.database.write() as db:
            if opened_at is not None:
                note_reading(db, who.player_id, opened_at=opened_at, visible_ms=None, now=site.now())
            started = start_round(db, who, mode, genre, policy=site.policy, rng=site.rng, now=site.now())
    except NothingLeftError:
        return _finished(site, who.player_id, mode_slug, genre)
    reply = RedirectResponse(f"/rounds/{started.round_id}", status_code=303)
    if claim is None:
        token = site.tokens.sign(type(who)(who.player_id, started.handle))
        set_claim(reply, request, token)
    return reply


def _asked_for(form: Form) -> tuple[str, str | None]:
    unknown = sorted(set(form) - {"mode", "genre", "opened"})
    if unknown or not isinstance(form.get("mode"), str) or not isinstance(form.get("genre", ""), str):
        raise MalformedFormError(say("A round starts with a mode and, if you like, a genre; nothing else."))
    return form["mode"], form.get("genre")


def _finished(site: Site, player_id: str, mode: str, genre: str | None) -> Response:
    with site.database.read() as db:
        counts = genre_counts(db, player_id)
    others = tuple(genre_choice(count) for count in counts if count.unseen)
    view = FinishedView(mode, genre and genre_within(genre), others, is_empty=not counts)
    return site.pages.page("finished", view)
