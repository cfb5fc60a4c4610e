"""The objects that the pages about builds read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.store.builds import BuiltPassage, StoredBuild
from app.web.formats import decimal, moment_words
from game.genres import genre_words
from game.language import say, unsaid

PAGE = 20
"""Passages on a page."""
SAID = {
    "waiting": unsaid("Waiting for a worker"),
    "running": unsaid("Running"),
    "done": unsaid("Done"),
    "failed": unsaid("Failed"),
    "cancelled": unsaid("Cancelled"),
}
AUTHORS = {"human": unsaid("human"), "machine": unsaid("machine"), "other": unsaid("another document")}
REASONS_SHOWN = 3
MINUTE, HOUR = 60, 3600


@dataclass(frozen=True, slots=True)
class BuildLine:
    """A build on the list."""

    address: str
    title: str
    status: str
    submitted: str
    kept: str


@dataclass(frozen=True, slots=True)
class BuildsView:
    """The list of builds and the form for another; what was typed stays when it is refused.

    `wrong` names the field that the problem is with.
    """

    handle: str
    builds: tuple[BuildLine, ...]
    title: str
    plan: str
    wrong: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A condition of a build: what is wanted and what is there."""

    genre: str
    name: str
    wanted: int
    kept: int
    refused: int
    reasons: str
    address: str | None


@dataclass(frozen=True, slots=True)
class StateView:
    """How far a build is; drawn again and again while it goes on."""

    address: str
    status: str
    sentence: str | None
    is_waiting: bool
    is_going: bool
    is_stopping: bool
    kept: int
    wanted: int
    pace: str | None
    conditions: tuple[ConditionLine, ...]


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage with its answers, for those who made it: author, the same in words, and text."""

    number: int
    source: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownPassages:
    """A page of a condition's passages."""

    title: str
    passages: tuple[ShownPassage, ...]
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class BuildView:
    """A build: its state, its plan, and the passages it kept."""

    address: str
    title: str
    submitted: str
    plan: str
    state: StateView
    passages: ShownPassages | None
    decks: tuple[str, ...]
    is_done: bool
    notice: str | None
    problem: str | None


def builds_view(
    handle: str, builds: Sequence[StoredBuild], *, title: str, plan: str, wrong: str, problem: str | None
) -> BuildsView:
    """Return the view of the list."""
    return BuildsView(handle, tuple(map(_line, builds)), title, plan, wrong, problem)


def build_view(
    build: StoredBuild,
    passages: ShownPassages | None,
    decks: Sequence[str],
    *,
    notice: str | None = None,
    problem: str | None = None,
) -> BuildView:
    """Return the view of a build."""
    return BuildView(
        address=_address(build),
        title=build.title,
        submitted=moment_words(build.submitted_at),
        plan=build.plan,
        state=state_view(build),
        passages=passages,
        decks=tuple(decks),
        is_done=build.status == "done",
        notice=notice,
        problem=problem,
    )


def state_view(build: StoredBuild) -> StateView:
    """Return how far a build is."""
    lines = tuple(_condition(build, number) for number in range(len(build.outline)))
    is_going = build.status in {"waiting", "running"}
    return StateView(
        address=_address(build),
        status=say(SAID[build.status]),
        sentence=build.sentence,
        is_waiting=build.status == "waiting",
        is_going=is_going,
        is_stopping=is_going and build.cancel_asked_at is not None,
        kept=sum(line.kept for line in lines),
        wanted=sum(line.wanted for line in lines),
        pace=_pace(build.progress) if build.status == "running" and build.progress else None,
        conditions=lines,
    )


def passages_view(
    build: StoredBuild, condition: int, page: int, found: Sequence[BuiltPassage]
) -> ShownPassages:
    """Return a page of passages; `found` holds one more than fits if there is another page."""
    said = build.outline[condition]
    address = f"{_address(build)}?condition={condition}&page="
    return ShownPassages(
        title=f"{genre_words(said['genre'])}, {said['name']}",
        passages=tuple(_shown(one, PAGE * page + place) for place, one in enumerate(found[:PAGE], start=1)),
        before=f"{address}{page - 1}#passages" if page else None,
        after=f"{address}{page + 1}#passages" if len(found) > PAGE else None,
    )


def _address(build: StoredBuild) -> str:
    return f"/studies/builds/{build.id}"


def _line(build: StoredBuild) -> BuildLine:
    state = state_view(build)
    return BuildLine(
        state.address,
        build.title,
        state.status,
        moment_words(build.submitted_at),
        say("%(kept)s of %(wanted)s", kept=state.kept, wanted=state.wanted),
    )


def _condition(build: StoredBuild, number: int) -> ConditionLine:
    said = build.outline[number]
    begun = (build.progress or {}).get("conditions", [])
    now: Mapping[str, Any] = begun[number] if number < len(begun) else {"kept": 0, "refused": {}}
    reasons = sorted(now["refused"].items(), key=lambda pair: (-pair[1], pair[0]))
    return ConditionLine(
        genre=genre_words(said["genre"]),
        name=said["name"],
        wanted=said["count"],
        kept=now["kept"],
        refused=sum(now["refused"].values()),
        reasons=", ".join(f"{reason} ({times})" for reason, times in reasons[:REASONS_SHOWN]),
        address=f"{_address(build)}?condition={number}#passages" if build.status == "done" else None,
    )


def _shown(passage: BuiltPassage, number: int) -> ShownPassage:
    title = passage.source.get("title") or passage.source["document"]
    lines = tuple((author, say(AUTHORS[author]), text) for text, author in passage.sentences)
    return ShownPassage(number, title, lines)


def _pace(progress: Mapping[str, Any]) -> str | None:
    speed, left = progress["tokens_per_second"], progress["seconds_left"]
    parts = [say("%(speed)s tokens a second", speed=round(speed))] if speed else []
    parts += [_left(left)] if left is not None else []
    return ", ".join(parts) or None


def _left(seconds: float) -> str:
    if seconds < MINUTE:
        return say("less than a minute left")
    if seconds < HOUR:
        return say("about %(minutes)s min left", minutes=round(seconds / MINUTE))
    return say("about %(hours)s h left", hours=decimal(seconds / HOUR, 1))
