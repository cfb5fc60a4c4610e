"""Standings and marks: rows in, values out."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, bindparam, delete, exists, func, select, tuple_, update

from app.store.inserting import insert_once, upsert
from app.store.passages import deck, lazy_line
from app.store.players import player
from app.store.tables import Mark, RoundRow, Standing, table_of
from game.standings import ALL_TIME, STREAK_CAP, Tally
from scoring.vigilance import DUPLICATE_RULE, MANUAL_RULE, UNRATED_RULE

round_ = table_of(RoundRow)
mark = table_of(Mark)
standing = table_of(Standing)


def counts(round_id: Any) -> Any:
    """Return the condition that a round counts at all: not doubled by a merger, taken out, or for fun."""
    against = mark.alias()
    return ~exists().where(
        against.c.round_id == round_id, against.c.rule.in_([DUPLICATE_RULE, MANUAL_RULE, UNRATED_RULE])
    )


OVERALL = ""
"""The board over all genres."""

COUNTS: Mapping[str, float] = {
    "n_0": 0.0,
    "n_1": 1.0,
    "n_2": 2.0,
    "n_3": 3.0,
    "n_4": 4.0,
    "n_5": 5.0,
    "n_capped": STREAK_CAP,
}
"""Columns of a standing and the counted points they count."""


@dataclass(frozen=True, slots=True)
class BoardKey:
    """Which board: kind of deck, mode, genre (or all), season (or all time)."""

    kind: str
    mode: str
    genre: str = OVERALL
    season: str = ALL_TIME


Place = tuple[str, str]
"""Genre and season, where kind and mode are given."""


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """A round of the past, as far as streaks care."""

    id: str
    kind: str
    genre: str
    closed_at: datetime
    closing: int
    points: int | None
    guess: int | None
    is_marked: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class CountedRound:
    """A round with points, as far as boards care; `line` is the lazy line of its deck and genre."""

    kind: str
    mode: str
    genre: str
    closed_at: datetime
    points: int
    line: float
    is_marked: bool


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's totals on one board; `points` are all that were earned."""

    genre: str
    season: str
    last_at: datetime
    points: int
    tally: Tally
    lazy_line: float


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A line of a leaderboard; `board` says whether others see it, and the name on it."""

    player_id: str
    handle: str
    board: str
    rounds: int
    points: int
    capped: int
    mean: float
    lower: float
    upper: float
    lazy_line: float
    last_at: datetime
    is_listed: bool

    def name_for(self, reader_id: str | None) -> str | None:
        """Return the name that a reader sees; None for somebody who shows none."""
        return self.handle if self.board == "named" or self.player_id == reader_id else None

    @property
    def is_above_luck(self) -> bool:
        """Whether the whole interval lies above what ignoring the text earns."""
        return self.lower > self.lazy_line


_RECENT = (
    select(
        round_.c.id,
        deck.c.kind,
        round_.c.genre,
        round_.c.closed_at,
        round_.c.closing,
        round_.c.points,
        round_.c.guess,
        mark.c.rule.is_not(None),
        counts(round_.c.id),
    )
    .join(deck, deck.c.id == round_.c.deck_id)
    .outerjoin(mark, (mark.c.round_id == round_.c.id) & (mark.c.rule == bindparam("rule")))
    .where(
        round_.c.player_id == bindparam("player_id"),
        round_.c.mode == bindparam("mode"),
        round_.c.closing.is_not(None),
    )
    .order_by(round_.c.closing.desc())
    .limit(bindparam("limit"))
)
_COUNTED = (
    select(
        deck.c.kind,
        round_.c.mode,
        round_.c.genre,
        round_.c.closed_at,
        round_.c.points,
        lazy_line.c.points.label("line"),
        exists().where(mark.c.round_id == round_.c.id, mark.c.rule == bindparam("rule")).label("is_marked"),
    )
    .join(deck, deck.c.id == round_.c.deck_id)
    .join(lazy_line, (lazy_line.c.deck_id == round_.c.deck_id) & (lazy_line.c.genre == round_.c.genre))
    .where(round_.c.player_id == bindparam("player_id"), round_.c.points.is_not(None), counts(round_.c.id))
)
_LINE = (
    select(deck.c.kind, lazy_line.c.points)
    .join(deck, deck.c.id == lazy_line.c.deck_id)
    .where(lazy_line.c.deck_id == bindparam("deck_id"), lazy_line.c.genre == bindparam("genre"))
)
_TOTALS = select(
    standing.c.genre,
    standing.c.season,
    standing.c.last_at,
    standing.c.points,
    standing.c.lazy_line,
    *(standing.c[name] for name in COUNTS),
).where(
    standing.c.player_id == bindparam("player_id"),
    standing.c.kind == bindparam("kind"),
    standing.c.mode == bindparam("mode"),
    standing.c.genre.in_(bindparam("genres", expanding=True)),
    standing.c.season.in_(bindparam("seasons", expanding=True)),
)
_ON_BOARD = (
    standing.c.kind == bindparam("kind"),
    standing.c.mode == bindparam("mode"),
    standing.c.genre == bindparam("genre"),
    standing.c.season == bindparam("season"),
)
_LINES: Any = (
    select(
        standing.c.player_id,
        player.c.handle,
        player.c.board,
        standing.c.rounds,
        standing.c.points,
        standing.c.n_capped,
        standing.c.mean,
        standing.c.lower,
        standing.c.upper,
        standing.c.lazy_line,
        standing.c.last_at,
        standing.c.is_listed,
    )
    .join(player, player.c.id == standing.c.player_id)
    .where(*_ON_BOARD)
)
_OTHERS_SEE = (standing.c.is_listed, standing.c.last_at >= bindparam("since"))
_IS_RANKED = (standing.c.lower > standing.c.lazy_line, *_OTHERS_SEE)
_PLACE = tuple_(standing.c.lower, standing.c.player_id)
_OWN_PLACE = tuple_(bindparam("lower"), bindparam("player_id"))
_DOWN = (standing.c.lower.desc(), standing.c.player_id.desc())
_UP = (standing.c.lower, standing.c.player_id)
_LIMIT = bindparam("limit", type_=Integer)
_RANKED = _LINES.where(*_IS_RANKED).order_by(*_DOWN).limit(_LIMIT)
_ABOVE = _LINES.where(*_IS_RANKED, _PLACE > _OWN_PLACE).order_by(*_UP).limit(_LIMIT)
_BELOW = _LINES.where(*_IS_RANKED, _PLACE < _OWN_PLACE).order_by(*_DOWN).limit(_LIMIT)
_UNRANKED = (
    _LINES.where(standing.c.lower <= standing.c.lazy_line, *_OTHERS_SEE)
    .order_by(standing.c.rounds.desc(), standing.c.player_id.desc())
    .limit(_LIMIT)
)
_OWN = _LINES.where(standing.c.player_id == bindparam("player_id"))
_AHEAD = select(func.count()).select_from(
    select(standing.c.player_id).where(*_ON_BOARD, *_IS_RANKED, _PLACE > _OWN_PLACE).limit(_LIMIT).subquery()
)


def recent_rounds(db: Connection, player_id: str, mode: str, rule: str, *, limit: int) -> list[ClosedRound]:
    """Return a player's closed rounds in a mode, the latest first."""
    values = {"player_id": player_id, "mode": mode, "rule": rule, "limit": limit}
    return [ClosedRound(*row) for row in db.execute(_RECENT, values)]


def counted_rounds(db: Connection, player_id: str, rule: str) -> list[CountedRound]:
    """Return all rounds of a player that gave points, and which of them a rule has marked."""
    return [CountedRound(*row) for row in db.execute(_COUNTED, {"player_id": player_id, "rule": rule})]


def drop_standings(db: Connection, player_id: str) -> None:
    """Take a player off all boards."""
    db.execute(delete(standing).where(standing.c.player_id == player_id))


def line_of(db: Connection, deck_id: int, genre: str) -> tuple[str, float]:
    """Return the kind of a deck and the lazy line of one of its genres."""
    kind, points = db.execute(_LINE, {"deck_id": deck_id, "genre": genre}).one()
    return kind, points


def add_mark(db: Connection, round_id: str, rule: str, *, now: datetime) -> None:
    """Mark a round; marking it again does nothing."""
    insert_once(db, mark, {"round_id": round_id, "rule": rule, "marked_at": now})


def load_standings(
    db: Connection, player_id: str, kind: str, mode: str, places: Collection[Place]
) -> dict[Place, StandingRow]:
    """Return a player's standings on some boards; a board never played on is left out."""
    values = {
        "player_id": player_id,
        "kind": kind,
        "mode": mode,
        "genres": sorted({genre for genre, _ in places}),
        "seasons": sorted({season for _, season in places}),
    }
    found: dict[Place, StandingRow] = {}
    for row in db.execute(_TOTALS, values):
        tally = Tally({score: getattr(row, name) for name, score in COUNTS.items()})
        if (row.genre, row.season) in places:
            found[row.genre, row.season] = StandingRow(
                row.genre, row.season, row.last_at, row.points, tally, row.lazy_line
            )
    return found


def save_standings(db: Connection, player_id: str, kind: str, mode: str, rows: Iterable[StandingRow]) -> None:
    """Write standings, over those that are there; whether others see them is for the player to say."""
    key = {"player_id": player_id, "kind": kind, "mode": mode}
    is_listed = db.execute(select(player.c.board).where(player.c.id == player_id)).scalar() != "off"
    upsert(db, standing, [{**key, **_columns(row), "is_listed": is_listed} for row in rows])


def list_standings(db: Connection, player_id: str, *, is_listed: bool) -> None:
    """Let others see a player's lines, or not."""
    db.execute(update(standing).where(standing.c.player_id == player_id).values(is_listed=is_listed))


def unlist_idle(db: Connection, *, before: datetime) -> int:
    """Take lines over all time of players who have not played for long off the boards.

    Boards leave them out by themselves; this keeps reading fast where there are many.
    """
    idle = (
        update(standing)
        .where(standing.c.is_listed, standing.c.season == ALL_TIME, standing.c.last_at < before)
        .values(is_listed=False)
    )
    return db.execute(idle).rowcount


def ranked_rows(db: Connection, key: BoardKey, *, since: datetime, limit: int) -> list[BoardRow]:
    """Return the top of a board: players whose interval lies above luck, by its lower end."""
    values = {**asdict(key), "since": since, "limit": limit}
    return [BoardRow(*row) for row in db.execute(_RANKED, values)]


def unranked_rows(db: Connection, key: BoardKey, *, since: datetime, limit: int) -> list[BoardRow]:
    """Return players not yet above luck, those with most rounds first."""
    values = {**asdict(key), "since": since, "limit": limit}
    return [BoardRow(*row) for row in db.execute(_UNRANKED, values)]


def own_row(db: Connection, key: BoardKey, player_id: str) -> BoardRow | None:
    """Return a player's own line."""
    row = db.execute(_OWN, {**asdict(key), "player_id": player_id}).one_or_none()
    return None if row is None else BoardRow(*row)


def neighbours(
    db: Connection, key: BoardKey, row: BoardRow, *, since: datetime, limit: int
) -> tuple[list[BoardRow], list[BoardRow]]:
    """Return the ranked lines just above and just below a row, both from the top down."""
    values = {**asdict(key), "since": since, "limit": limit, "lower": row.lower, "player_id": row.player_id}
    above, below = (
        [BoardRow(*one) for one in db.execute(statement, values)] for statement in (_ABOVE, _BELOW)
    )
    return above[::-1], below


def count_ahead(db: Connection, key: BoardKey, row: BoardRow, *, since: datetime, limit: int) -> int:
    """Return how many ranked players stand before a row, counting to `limit` at most."""
    values = {**asdict(key), "since": since, "limit": limit, "lower": row.lower, "player_id": row.player_id}
    return int(db.execute(_AHEAD, values).scalar_one())


def all_with_standings(db: Connection) -> list[str]:
    """Return every player who has closed a round with points."""
    found = select(round_.c.player_id).where(round_.c.points.is_not(None)).distinct()
    return list(db.execute(found.order_by(round_.c.player_id)).scalars())


def _columns(row: StandingRow) -> dict[str, Any]:
    interval = row.tally.interval
    return {
        "genre": row.genre,
        "season": row.season,
        "last_at": row.last_at,
        "points": row.points,
        **{name: row.tally.counts.get(score, 0) for name, score in COUNTS.items()},
        "rounds": row.tally.rounds,
        "mean": row.tally.mean,
        "lower": interval.lower,
        "upper": interval.upper,
        "lazy_line": row.lazy_line,
    }
