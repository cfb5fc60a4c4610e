"""A round on the pages."""

from contextlib import suppress
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from pydantic import ValidationError
from starlette.responses import RedirectResponse, Response

from app.services.noting import Event, note_events
from app.services.playing import Turn, current_turn, submit_move
from app.services.reporting import report_passage
from app.services.standings import progress
from app.store.players import Claim
from app.web.deps import Draft, FormData, RoundId, Seated, SiteDep, TurnNumber, same_origin
from app.web.errors import status_of
from app.web.pages import wants_part
from app.web.refusals import MalformedFormError
from app.web.site import Site
from app.web.views import round_view
from game.errors import BadMoveError, IllegalMoveError, TooManyEventsError, UnfinishedMoveError
from game.language import say
from game.mode import Form

router = APIRouter(prefix="/rounds/{round_id}", include_in_schema=False)

PRESSES = {"decided", "back"}
"""Events that are an answer to the sentence on the screen."""
EVENT_FIELDS = ("kind", "turn", "client_ms")


@router.get("")
def show_round(request: Request, site: SiteDep, claim: Seated, round_id: RoundId, draft: Draft) -> Response:
    """Show the round as it stands; the query may hold a half-made move."""
    is_thanked = draft.get("thanks") == "1"
    return _show(request, site, claim, round_id, draft=draft, is_thanked=is_thanked)


@router.post("/moves/{number}", dependencies=[Depends(same_origin)])
def play_turn(
    request: Request, site: SiteDep, claim: Seated, round_id: RoundId, number: TurnNumber, form: FormData
) -> Response:
    """Play a turn, then show the round."""
    try:
        with site.database.write() as db:
            turn = submit_move(db, claim.player_id, round_id, number, form, now=site.now())
    except UnfinishedMoveError as error:
        return _show(request, site, claim, round_id, draft=form, problem=str(error), status=422)
    except (IllegalMoveError, BadMoveError) as error:
        status, _ = status_of(error)
        return _show(request, site, claim, round_id, notice=str(error), status=status)
    if not wants_part(request):
        return RedirectResponse(f"/rounds/{round_id}#latest", status_code=303)
    return _draw(request, site, claim, turn)


@router.get("/moves/{number}")  # noqa: FAST003
@router.get("/events")
@router.get("/report")
def back_to_round(round_id: RoundId) -> Response:
    """Lead an address that a form was sent to back to the round."""
    return RedirectResponse(f"/rounds/{round_id}", status_code=303)


@router.post("/events", dependencies=[Depends(same_origin)])
def note(request: Request, site: SiteDep, claim: Seated, round_id: RoundId, form: FormData) -> Response:
    """Write an event into the log; the rest of the form is a half-made move to show."""
    fields = {name: form[name] for name in EVENT_FIELDS if name in form}
    draft = {name: value for name, value in form.items() if name not in EVENT_FIELDS}
    try:
        event = Event.model_validate(fields)
    except ValidationError as error:
        raise MalformedFormError(say("An event has a kind and a turn.")) from error
    with suppress(TooManyEventsError), site.database.write() as db:  # a full log stops nobody
        note_events(db, claim.player_id, round_id, [event], now=site.now())
    if event.kind in PRESSES and _turn_due(site, claim, round_id) != event.turn:
        notice = say("This turn has been played already.")
        return _show(request, site, claim, round_id, notice=notice, status=409)
    if not wants_part(request):
        query = urlencode(draft, doseq=True)
        return RedirectResponse(f"/rounds/{round_id}?{query}#decide", status_code=303)
    return _show(request, site, claim, round_id, draft=draft)


@router.post("/report", dependencies=[Depends(same_origin)])
def report(site: SiteDep, claim: Seated, round_id: RoundId, form: FormData) -> Response:
    """Report the text of a round; the round goes on as it was."""
    kind, note = form.get("kind", ""), form.get("note", "")
    if not isinstance(kind, str) or not isinstance(note, str):
        raise MalformedFormError(say("A report has one kind and, if you like, a note."))
    with site.database.write() as db:
        report_passage(db, claim.player_id, round_id, kind, note.strip(), now=site.now())
    return RedirectResponse(f"/rounds/{round_id}?thanks=1", status_code=303)


def _turn_due(site: Site, claim: Claim, round_id: str) -> int | None:
    with site.database.read() as db:
        turn = current_turn(db, claim.player_id, round_id, draft={})
    return turn.number if turn.verdict is None else None


def _show(
    request: Request,
    site: Site,
    claim: Claim,
    round_id: str,
    *,
    draft: Form | None = None,
    problem: str | None = None,
    notice: str | None = None,
    is_thanked: bool = False,
    status: int = 200,
) -> Response:
    with site.database.read() as db:
        turn = current_turn(db, claim.player_id, round_id, draft=draft or {}, problem=problem)
    return _draw(request, site, claim, turn, notice=notice, is_thanked=is_thanked, status=status)


def _draw(
    request: Request,
    site: Site,
    claim: Claim,
    turn: Turn,
    *,
    notice: str | None = None,
    is_thanked: bool = False,
    status: int = 200,
) -> Response:
    standing = None
    if turn.verdict is not None:
        with site.database.read() as db:
            standing = progress(db, claim.player_id, turn.mode)
    view = round_view(turn, standing, notice=notice, is_thanked=is_thanked)
    return site.pages.page_or_part("round", view, part=wants_part(request), status=status)
