"""Builds of passages: asked for, watched and cancelled by researchers, carried out by workers."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection

from app.errors import BadDeckError, BadPlanError, BuildNotFoundError, BuildUnfinishedError
from app.services.importing import import_passages, set_lines
from app.store.builds import (
    StoredBuild,
    add_build,
    add_build_passages,
    ask_to_cancel,
    build_members,
    end_build,
    set_progress,
    stored_build,
)
from app.store.passages import add_to_deck, members_of, new_deck, open_decks, retire_deck
from app.store.queue import enqueue_build
from game.language import say
from game.records import Resolve

LONGEST_PLAN = 20_000
LONGEST_TITLE = 100
DECK_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")
_VERSION = re.compile(r"-v(\d+)$")


@dataclass(frozen=True, slots=True)
class Condition:
    """What a plan asks for in one genre by one generator: so many passages."""

    genre: str
    name: str
    count: int


@dataclass(frozen=True, slots=True)
class ConditionProgress:
    """How many passages of a condition are there, and why others are not."""

    kept: int
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is.

    Attributes:
        conditions: as the plan orders them; one that was not begun has nothing yet.
        tokens_per_second: of the calls of this attempt; None before the first one.
        seconds_left: at the pace of this attempt; None before anything was kept.
    """

    conditions: Sequence[ConditionProgress]
    tokens_per_second: float | None
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class Kept:
    """What a condition kept: the lines of a passage file, and their ids."""

    ids: Sequence[str]
    lines: Sequence[str]


def no_plans(_: str) -> Sequence[Condition]:
    """Refuse every plan: nothing on this site can carry one out."""
    raise BadPlanError(say("This site takes no plans; start it by `roft serve`."))


def submit_build(
    db: Connection, player_id: str, title: str, plan: str, outline: Sequence[Condition], *, now: datetime
) -> str:
    """Put a plan that was read and found right into the queue.

    Returns:
        The id of the build.
    """
    build_id = uuid4().hex
    row = {
        "id": build_id,
        "player_id": player_id,
        "title": title,
        "plan": plan,
        "outline": [asdict(condition) for condition in outline],
        "submitted_at": now,
    }
    add_build(db, row)
    enqueue_build(db, build_id)
    return build_id


def checked_title(title: str) -> str:
    """Return the title of a build.

    Raises:
        BadPlanError: it is empty or too long.
    """
    title = " ".join(title.split())
    if not title or len(title) > LONGEST_TITLE:
        raise BadPlanError(say("Give the build a name of 1 to %(most)s characters.", most=LONGEST_TITLE))
    return title


def checked_plan(plan: str) -> str:
    """Return the text of a plan with plain line ends.

    Raises:
        BadPlanError: it is empty or too long.
    """
    if not plan.strip():
        raise BadPlanError(say("The plan is empty; paste a plan file, or start from the example."))
    if len(plan) > LONGEST_PLAN:
        raise BadPlanError(say("A plan has %(most)s characters at most.", most=LONGEST_PLAN))
    return plan.replace("\r\n", "\n")


def find_build(db: Connection, build_id: str) -> StoredBuild:
    """Return a build.

    Raises:
        BuildNotFoundError: there is none of that id.
    """
    found = stored_build(db, build_id)
    if found is None:
        raise BuildNotFoundError(say("There is no such build."))
    return found


def cancel_build(db: Connection, build_id: str, *, now: datetime) -> None:
    """Cancel a build; one that runs stops at its next batch, an ended one stays as it is."""
    find_build(db, build_id)
    ask_to_cancel(db, build_id, now=now)


def note_progress(db: Connection, build_id: str, holder: str, progress: Progress, *, has_news: bool) -> bool:
    """Write how far a build is; True if it is to stop."""
    return set_progress(db, build_id, holder, asdict(progress), has_news=has_news)


def finish_build(
    db: Connection,
    build_id: str,
    holder: str,
    kept: Iterable[Kept],
    manifest: Mapping[str, Any],
    *,
    sentence: str | None,
    resolve: Resolve,
    now: datetime,
) -> bool:
    """Store what a build kept, all of it or nothing; False if it has ended before, or is in other hands."""
    if not end_build(db, build_id, holder, "done", now=now, manifest=manifest, sentence=sentence):
        return False
    for number, condition in enumerate(kept):
        import_passages(db, condition.lines, resolve=resolve, deck=None, now=now)
        places = [(number, place, passage_id) for place, passage_id in enumerate(condition.ids)]
        add_build_passages(db, build_id, places)
    return True


def deck_of_build(db: Connection, build_id: str, name: str, *, now: datetime) -> str:
    """Serve what a build kept: as a new deck, or as the next version of one.

    A deck that was played stays as it is: its next version holds its passages and the
    build's, and takes its place.

    The name is a new deck's, or that of a deck there is, in any version.

    Returns:
        The slug of the deck.

    Raises:
        BuildUnfinishedError: the build is not done.
        BadDeckError: the name is no name, or the deck holds all of this already.
    """
    build = find_build(db, build_id)
    if build.status != "done":
        raise BuildUnfinishedError(say("Only what a finished build kept can go into a deck."))
    if not DECK_NAME.fullmatch(name):
        raise BadDeckError(
            say(
                "The name of a deck has up to 40 small letters, digits and hyphens, and begins with a letter."
            )
        )
    versions = {
        _version(slug): deck_id for slug, deck_id in open_decks(db).items() if _name(slug) == _name(name)
    }
    last = max(versions, default=0)
    before = members_of(db, versions[last]) if last else set[tuple[str, str]]()
    members = before | {(build.outline[at]["genre"], one) for at, one in build_members(db, build_id)}
    if members == before:
        raise BadDeckError(say("The deck holds all of these passages already."))
    slug = f"{_name(name)}-v{last + 1}" if last else _name(name)
    deck_id = new_deck(db, slug, now=now)
    if deck_id is None:
        raise BadDeckError(
            say("Somebody made the deck %(deck)s just now; have a look at it first.", deck=slug)
        )
    for genre, passage_id in sorted(members):
        add_to_deck(db, deck_id, genre, passage_id)
    set_lines(db, deck_id)
    if last:
        retire_deck(db, versions[last], now=now)
    return slug


def _name(slug: str) -> str:
    return _VERSION.sub("", slug)


def _version(slug: str) -> int:
    found = _VERSION.search(slug)
    return int(found[1]) if found else 1
