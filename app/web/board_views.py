"""What the page of the leaderboard reads."""

from dataclasses import dataclass
from urllib.parse import urlencode

from app.services.standings import EXACT_PLACES, Board, RankedRow
from app.store.standings import BoardRow
from app.web.formats import decimal
from app.web.views import Tab
from game.genres import genre_words
from game.language import say, unsaid
from game.standings import ACTIVE, MINIMUM_ROUNDS, STREAK_CAP, Window

WINDOWS: tuple[tuple[Window, str], ...] = (
    ("all", unsaid("All time")),
    ("month", unsaid("This month")),
    ("week", unsaid("This week")),
)


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


def board_view(board: Board, genres: list[str], player_id: str | None) -> BoardView:
    """Return the view of a leaderboard."""
    tabs = [
        Tab(
            _board_words(genre),
            _board_at(genre, board.window),
            board.genre == genre,
        )
        for genre in (None, *genres)
    ]
    windows = [
        Tab(say(words), _board_at(board.genre, window), board.window == window) for window, words in WINDOWS
    ]
    listed = {one.row.player_id for one in (*board.ranked, *board.unranked)}
    return BoardView(
        title=_board_words(board.genre),
        season=say(dict(WINDOWS)[board.window]),
        tabs=tuple(tabs),
        windows=tuple(windows),
        ranked=tuple(_line(one, player_id) for one in board.ranked),
        unranked=tuple(_line(one, player_id) for one in board.unranked),
        own=_line(board.own, player_id) if board.own else None,
        own_is_listed=player_id in listed,
        around=tuple(_line(one, player_id) for one in board.around),
        minimum=MINIMUM_ROUNDS,
        cap=decimal(STREAK_CAP),
        active=ACTIVE.days,
    )


def _board_words(genre: str | None) -> str:
    return say("All genres") if genre is None else genre_words(genre)


def _board_at(genre: str | None, window: Window) -> str:
    query = urlencode(
        {**({"genre": genre} if genre else {}), **({"window": window} if window != "all" else {})}
    )
    return f"/leaderboard?{query}" if query else "/leaderboard"


def _place(one: RankedRow) -> str:
    if one.rank is not None:
        return str(one.rank)
    return say("over %(places)s", places=EXACT_PLACES) if one.is_far else "–"


def _line(one: RankedRow, player_id: str | None) -> BoardLine:
    row: BoardRow = one.row
    has_interval = row.rounds >= MINIMUM_ROUNDS
    name = row.name_for(player_id)
    return BoardLine(
        rank=_place(one),
        handle=name or say("somebody"),
        address=f"/players/{name}" if name else None,
        rounds=row.rounds,
        points=row.points,
        mean=decimal(row.mean),
        interval=say("%(lower)s to %(upper)s", lower=decimal(row.lower), upper=decimal(row.upper))
        if has_interval
        else say("too few rounds"),
        is_own=row.player_id == player_id,
        capped=row.capped,
    )
