"""Learning: the guide, and rounds to practise on."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from starlette.responses import Response

from app.errors import LessonNotFoundError
from app.services.joining import new_guest
from app.services.learning import note_reading
from app.services.playing import MOST_MS
from app.web.deps import FormData, SiteDep, Visitor, same_origin, set_claim
from app.web.pages import wants_part
from app.web.refusals import MalformedFormError
from app.web.site import Site
from app.web.views import GuideView, Part, PracticeView, Tab
from game.errors import BadMoveError
from game.language import say
from game.mode import Form, Mode
from game.modes import mode_named, modes, template_folders

router = APIRouter(include_in_schema=False)

GUIDE = "guide.html"


@router.get("/guide")
def guide(site: SiteDep) -> Response:
    """Show how to play, what gives a machine away, and where to practise."""
    chapters = [f"{slug}/{GUIDE}" for slug, folder in template_folders().items() if (folder / GUIDE).exists()]
    teaches = site.policy.teaches
    lessons = [tab for mode in modes().values() for tab in _lessons(mode, None)] if teaches else []
    view = GuideView(
        chapters=tuple(chapters),
        mode=next(iter(modes())),
        teaches=teaches,
        stamp=site.tokens.stamp(site.now()),
        lessons=tuple(lessons),
    )
    return site.pages.page("guide", view)


@router.post("/guide/readings", status_code=204, dependencies=[Depends(same_origin)])
def note(request: Request, site: SiteDep, claim: Visitor, form: FormData) -> Response:
    """Note that the guide was read, and how long it was in front; a stranger becomes a guest."""
    opened_at = opened(site, form)
    visible = form.get("visible_ms", "")
    if opened_at is None or not isinstance(visible, str) or not visible.isdecimal() or int(visible) > MOST_MS:
        raise MalformedFormError(
            say("A reading says when the guide was opened, and for how long it was in front.")
        )
    who = claim or new_guest(site.rng)
    now = site.now()
    with site.database.write() as db:
        note_reading(db, who.player_id, opened_at=opened_at, visible_ms=int(visible), now=now)
    reply = Response(status_code=204)
    if claim is None:
        set_claim(reply, request, site.tokens.sign(who))
    return reply


@router.get("/practice/{mode_slug}/{number}")
def practise(
    request: Request,
    site: SiteDep,
    mode_slug: str,
    number: Annotated[int, Path(ge=1, le=1000)],
    said: Annotated[tuple[str, ...], Query()] = (),
    call: str | None = None,
) -> Response:
    """Show a round to practise on, with what was `said` before and the latest `call`."""
    mode = mode_named(mode_slug)
    titles = mode.lessons()
    if number > len(titles) or not site.policy.teaches:
        raise LessonNotFoundError(say("There is no such round to practise on; the guide lists them."))
    try:
        practised = mode.lesson(number - 1, (*said, call) if call else said)
    except BadMoveError:  # an address that was tampered with: from the start
        practised = mode.lesson(number - 1, ())
    screen = practised.screen
    following = (
        Tab(say(titles[number]), _address(mode, number + 1), is_current=False)
        if number < len(titles)
        else None
    )
    view = PracticeView(
        part=Part(screen, f"{mode.slug}/{screen.template}"),
        is_over=practised.is_over,
        address=_address(mode, number),
        following=following,
        lessons=tuple(_lessons(mode, number)),
        mode=mode.slug,
    )
    return site.pages.page_or_part("practice", view, part=wants_part(request))


def opened(site: Site, form: Form) -> datetime | None:
    """Return when the guide was opened, if a form says so and we signed it."""
    stamp = form.get("opened")
    return site.tokens.read_stamp(stamp) if isinstance(stamp, str) else None


def _address(mode: Mode[Any, Any], number: int) -> str:
    return f"/practice/{mode.slug}/{number}"


def _lessons(mode: Mode[Any, Any], current: int | None) -> list[Tab]:
    return [
        Tab(say(title), _address(mode, number), number == current)
        for number, title in enumerate(mode.lessons(), start=1)
    ]
