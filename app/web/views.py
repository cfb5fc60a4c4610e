"""The one object that each template reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.services.playing import Sureness, Turn
from app.services.reporting import KINDS
from app.services.standings import Progress
from app.store.passages import GenreCount, Provenance
from app.web.formats import decimal, signed_whole
from game.genres import genre_within, genre_words
from game.language import say, unsaid
from game.mode import Mode, Screen
from game.standings import STREAK_CAP
from scoring.vigilance import RUN


@dataclass(frozen=True, slots=True)
class ErrorView:
    """What could not be done, and where to go now."""

    title: str
    sentence: str
    address: str
    way: str


@dataclass(frozen=True, slots=True)
class LandingView:
    """The front page."""

    mode: str
    summary: str
    is_returning: bool
    has_left: bool


@dataclass(frozen=True, slots=True)
class GenreChoice:
    """A genre on the menu of a mode; `within` is what it is called within a sentence."""

    genre: str
    words: str
    within: str
    unseen: int
    passages: int
    is_finished: bool


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """A mode on the menu."""

    mode: str
    title: str
    summary: str
    genres: tuple[GenreChoice, ...]


@dataclass(frozen=True, slots=True)
class ChooserView:
    """The menu of modes and genres, and what the player is to be told; `last` is its number."""

    modes: tuple[ModeChoice, ...]
    notices: tuple[str, ...]
    last: int


@dataclass(frozen=True, slots=True)
class SourceView:
    """Where human sentences come from, for the reveal."""

    title: str
    attribution: str | None
    url: str | None
    licence: str


@dataclass(frozen=True, slots=True)
class AfterView:
    """What stands below a reveal: sources, totals, the way on; now and then a guest is asked to stay."""

    sources: tuple[SourceView, ...]
    generator: str | None
    rounds: int
    points: int
    mean: str
    streak: str | None
    asks_to_stay: bool


@dataclass(frozen=True, slots=True)
class Part:
    """A mode's screen, and the file that draws it."""

    screen: Screen
    template: str


@dataclass(frozen=True, slots=True)
class RoundView:
    """A round: the mode's screen and what surrounds it.

    `after`, `sureness` and `crowd` are None while it is open; `day` leads to the day of a daily
    round; `is_thanked` follows a report, and `complaints` are what can be reported.
    """

    round_id: str
    mode: str
    genre: str
    genre_words: str
    genre_within: str
    asked_genre: str | None
    turn: int
    screen: Screen
    template: str
    notice: str | None
    is_thanked: bool
    complaints: Mapping[str, str]
    day: str | None
    after: AfterView | None
    sureness: str | None
    crowd: Part | None


@dataclass(frozen=True, slots=True)
class FinishedView:
    """The friendly end of a genre, or of everything; or a site that has no texts yet."""

    mode: str
    genre_within: str | None
    others: tuple[GenreChoice, ...]
    is_empty: bool


@dataclass(frozen=True, slots=True)
class Tab:
    """A board one can switch to."""

    words: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class GuideView:
    """The guide: a chapter of every mode that has one; it `teaches` unless a study wants it silent.

    `stamp` says when it was opened, signed.
    """

    chapters: tuple[str, ...]
    mode: str
    teaches: bool
    stamp: str
    lessons: tuple[Tab, ...]


@dataclass(frozen=True, slots=True)
class PracticeView:
    """A round to practise on, and where to go on."""

    part: Part
    is_over: bool
    address: str
    following: Tab | None
    lessons: tuple[Tab, ...]
    mode: str


@dataclass(frozen=True, slots=True)
class WorkerView:
    """The script that works without a connection: what it keeps."""

    version: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """One call of the API, with examples of what goes in and what comes out."""

    method: str
    path: str
    description: str
    request: str | None
    reply: str | None


@dataclass(frozen=True, slots=True)
class DocsView:
    """The description of the API."""

    paragraphs: list[str]
    operations: tuple[Operation, ...]


STAY_AFTER = frozenset({3, 10, 30, 100})
"""Rounds after which a guest is asked to keep them; in between nobody is pestered."""


def genre_choice(count: GenreCount) -> GenreChoice:
    """Return a genre of the menu."""
    return GenreChoice(
        genre=count.genre,
        words=genre_words(count.genre),
        within=genre_within(count.genre),
        unseen=count.unseen,
        passages=count.passages,
        is_finished=count.unseen == 0,
    )


def mode_choice(mode: Mode[Any, Any], counts: list[GenreCount]) -> ModeChoice:
    """Return a mode of the menu."""
    return ModeChoice(
        mode.slug, say(mode.title), say(mode.summary), tuple(genre_choice(count) for count in counts)
    )


def round_view(
    turn: Turn, progress: Progress | None, *, notice: str | None = None, is_thanked: bool = False
) -> RoundView:
    """Return the view of a round; `progress` comes with a closed one."""
    after = None
    if turn.provenance is not None and progress is not None:
        after = _after(turn.provenance, progress)
    return RoundView(
        round_id=turn.round_id,
        mode=turn.mode,
        genre=turn.genre,
        genre_words=genre_words(turn.genre),
        genre_within=genre_within(turn.genre),
        asked_genre=turn.asked_genre,
        turn=turn.number,
        screen=turn.screen,
        template=f"{turn.mode}/{turn.screen.template}",
        notice=notice,
        is_thanked=is_thanked,
        complaints={kind: say(words) for kind, words in KINDS.items()},
        day=f"/daily/{turn.day}" if turn.day else None,
        after=after,
        sureness=_sureness(turn.sureness) if turn.sureness else None,
        crowd=Part(turn.crowd, f"{turn.mode}/{turn.crowd.template}") if turn.crowd else None,
    )


def _after(provenance: Provenance, progress: Progress) -> AfterView:
    documents = [provenance.source, *([provenance.other] if provenance.other else [])]
    return AfterView(
        sources=tuple(_source(document) for document in documents),
        generator=_generator(provenance.generator) if provenance.generator else None,
        rounds=progress.rounds,
        points=progress.points,
        mean=decimal(progress.mean),
        streak=_streak(progress.run),
        asks_to_stay=progress.is_guest and progress.rounds in STAY_AFTER,
    )


def _sureness(sure: Sureness) -> str:
    sentence = (
        unsaid(
            "You were %(percent)s %% sure, and you were right: %(points)s on a scale from −75 to 25."
            " It pays to say what you believe. These numbers never touch your points."
        )
        if sure.is_right
        else unsaid(
            "You were %(percent)s %% sure, but you were wrong: %(points)s on a scale from −75 to 25."
            " It pays to say what you believe. These numbers never touch your points."
        )
    )
    return say(sentence, percent=sure.confidence, points=signed_whole(sure.points))


def _source(source: Mapping[str, Any]) -> SourceView:
    return SourceView(
        title=source["title"] or source["document"],
        attribution=source["attribution"],
        url=source["url"],
        licence=source["licence"],
    )


def _generator(generator: Mapping[str, Any]) -> str | None:
    if generator["model"] is None:
        return None
    settings = ", ".join(
        f"{name.replace('_', ' ')} {value}"
        for name, value in generator["decoding"].items()
        if value is not None
    )
    return f"{generator['model']} ({settings})" if settings else str(generator["model"])


def _streak(run: int) -> str | None:
    if run < RUN - 1:
        return None
    if run == RUN - 1:
        return say(
            "Your last %(run)s answers were the same. Perhaps they were right! From %(streak)s in a row on,"
            " such rounds count %(cap)s points at the most on the board.",
            run=run,
            streak=RUN,
            cap=decimal(STREAK_CAP),
        )
    return say(
        "At least your last %(run)s answers were the same. On the board these rounds count"
        " %(cap)s points at the most, as much as guessing blindly earns; your points stay yours."
        " Any other answer ends the run.",
        run=run,
        cap=decimal(STREAK_CAP),
    )
