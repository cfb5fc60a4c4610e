"""The one object that each template reads."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from app.services.playing import Sureness, Turn
from app.services.reporting import KINDS
from app.services.standings import EXACT_PLACES, Board, Progress, RankedRow
from app.store.passages import GenreCount, Provenance
from app.store.standings import BoardRow
from game.mode import Mode, Screen
from game.standings import ACTIVE, MINIMUM_ROUNDS, STREAK_CAP, Window
from scoring.vigilance import RUN


@dataclass(frozen=True, slots=True)
class ErrorView:
    """What could not be done, and where to go now."""

    title: str
    sentence: str
    address: str = "/play"
    way: str = "To the game"


@dataclass(frozen=True, slots=True)
class LandingView:
    """The front page."""

    mode: str
    summary: str
    is_returning: bool
    has_left: bool


@dataclass(frozen=True, slots=True)
class GenreChoice:
    """A genre on the menu of a mode."""

    genre: str
    words: str
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
    genre_words: str | None
    others: tuple[GenreChoice, ...]
    is_empty: bool


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A line of the leaderboard, in words."""

    rank: str
    handle: str
    address: str | None
    rounds: int
    points: int
    mean: str
    interval: str
    is_own: bool
    capped: int


@dataclass(frozen=True, slots=True)
class Tab:
    """A board one can switch to."""

    words: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class BoardView:
    """The leaderboard; `around` is the reader's line among those next to it."""

    title: str
    season: str
    tabs: tuple[Tab, ...]
    windows: tuple[Tab, ...]
    ranked: tuple[BoardLine, ...]
    unranked: tuple[BoardLine, ...]
    own: BoardLine | None
    own_is_listed: bool
    around: tuple[BoardLine, ...]
    minimum: int
    cap: str
    active: int


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

WINDOWS: tuple[tuple[Window, str], ...] = (
    ("all", "All time"),
    ("month", "This month"),
    ("week", "This week"),
)


def words_for(genre: str) -> str:
    """Return a genre as people write it."""
    return genre.replace("-", " ").capitalize()


def genre_choice(count: GenreCount) -> GenreChoice:
    """Return a genre of the menu."""
    return GenreChoice(count.genre, words_for(count.genre), count.unseen, count.passages, count.unseen == 0)


def mode_choice(mode: Mode[Any, Any], counts: list[GenreCount]) -> ModeChoice:
    """Return a mode of the menu."""
    return ModeChoice(mode.slug, mode.title, mode.summary, tuple(genre_choice(count) for count in counts))


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
        genre_words=words_for(turn.genre),
        asked_genre=turn.asked_genre,
        turn=turn.number,
        screen=turn.screen,
        template=f"{turn.mode}/{turn.screen.template}",
        notice=notice,
        is_thanked=is_thanked,
        complaints=KINDS,
        day=f"/daily/{turn.day}" if turn.day else None,
        after=after,
        sureness=_sureness(turn.sureness) if turn.sureness else None,
        crowd=Part(turn.crowd, f"{turn.mode}/{turn.crowd.template}") if turn.crowd else None,
    )


def board_view(board: Board, genres: list[str], player_id: str | None) -> BoardView:
    """Return the view of a leaderboard."""
    tabs = [
        Tab(
            "All genres" if genre is None else words_for(genre),
            _board_at(genre, board.window),
            board.genre == genre,
        )
        for genre in (None, *genres)
    ]
    windows = [
        Tab(words, _board_at(board.genre, window), board.window == window) for window, words in WINDOWS
    ]
    listed = {one.row.player_id for one in (*board.ranked, *board.unranked)}
    return BoardView(
        title="All genres" if board.genre is None else words_for(board.genre),
        season=dict(WINDOWS)[board.window],
        tabs=tuple(tabs),
        windows=tuple(windows),
        ranked=tuple(_line(one, player_id) for one in board.ranked),
        unranked=tuple(_line(one, player_id) for one in board.unranked),
        own=_line(board.own, player_id) if board.own else None,
        own_is_listed=player_id in listed,
        around=tuple(_line(one, player_id) for one in board.around),
        minimum=MINIMUM_ROUNDS,
        cap=f"{STREAK_CAP:.2f}",
        active=ACTIVE.days,
    )


def _board_at(genre: str | None, window: Window) -> str:
    query = urlencode(
        {**({"genre": genre} if genre else {}), **({"window": window} if window != "all" else {})}
    )
    return f"/leaderboard?{query}" if query else "/leaderboard"


def _after(provenance: Provenance, progress: Progress) -> AfterView:
    documents = [provenance.source, *([provenance.other] if provenance.other else [])]
    return AfterView(
        sources=tuple(_source(document) for document in documents),
        generator=_generator(provenance.generator) if provenance.generator else None,
        rounds=progress.rounds,
        points=progress.points,
        mean=f"{progress.mean:.2f}",
        streak=_streak(progress.run),
        asks_to_stay=progress.is_guest and progress.rounds in STAY_AFTER,
    )


def _sureness(sure: Sureness) -> str:
    was = "and you were right" if sure.is_right else "but you were wrong"
    sign = "+" if sure.points > 0 else "−" if sure.points < 0 else ""
    return (
        f"You were {sure.confidence} % sure, {was}: {sign}{abs(sure.points)} on a scale from −75 to 25."
        " It pays to say what you believe. These numbers never touch your points."
    )


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
        return (
            f"Your last {run} answers were the same. Perhaps they were right! From {RUN} in a row on,"
            f" such rounds count {STREAK_CAP:.2f} points at the most on the board."
        )
    return (
        f"At least your last {run} answers were the same. On the board these rounds count"
        f" {STREAK_CAP:.2f} points at the most, as much as guessing blindly earns; your points stay yours."
        " Any other answer ends the run."
    )


def _place(one: RankedRow) -> str:
    if one.rank is not None:
        return str(one.rank)
    return f"over {EXACT_PLACES}" if one.is_far else "–"


def _line(one: RankedRow, player_id: str | None) -> BoardLine:
    row: BoardRow = one.row
    has_interval = row.rounds >= MINIMUM_ROUNDS
    name = row.name_for(player_id)
    return BoardLine(
        rank=_place(one),
        handle=name or "somebody",
        address=f"/players/{name}" if name else None,
        rounds=row.rounds,
        points=row.points,
        mean=f"{row.mean:.2f}",
        interval=f"{row.lower:.2f} to {row.upper:.2f}" if has_interval else "too few rounds",
        is_own=row.player_id == player_id,
        capped=row.capped,
    )
