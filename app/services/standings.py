"""Boards: what a closing round changes on them, and how they are read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from app.services.rating import rate_round
from app.store.daily import come
from app.store.learning import count_opinions
from app.store.players import GUEST, lock_player, role_of, set_display
from app.store.reports import is_annulled
from app.store.rounds import StoredRound, close_round, owns_round
from app.store.standings import (
    OVERALL,
    BoardKey,
    BoardRow,
    ClosedRound,
    CountedRound,
    Place,
    StandingRow,
    add_mark,
    count_ahead,
    counted_rounds,
    drop_standings,
    line_of,
    list_standings,
    load_standings,
    neighbours,
    own_row,
    ranked_rows,
    recent_rounds,
    save_standings,
    unlist_idle,
    unranked_rows,
)
from game.days import DAILY, day_at, is_in_time
from game.errors import RoundNotFoundError
from game.language import say
from game.mode import Verdict
from game.standings import ACTIVE, Tally, Window, counted_points, joins_streak, season, seasons
from scoring.vigilance import MANUAL_RULE, RUN, STREAK_RULE, UNRATED_RULE, run_length

PRACTICE = "open"
"""The kind of deck whose board everybody plays on."""

RATED = "rated"
"""The kind of deck that days are drawn from."""

SHOWN_ROWS = 50

NEIGHBOURS = 5
"""Lines above and below one's own that are shown."""

EXACT_PLACES = 1000
"""Places that are counted out; counting further would cost more with every player."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A line of a board with its place.

    `rank` is None for a player not yet above luck, for one whom others do not see, and (then
    `is_far`) beyond the places counted out.
    """

    rank: int | None
    row: BoardRow
    is_far: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: the ranked, those below, the reader's own line, and who stands around it.

    `around` holds the reader's line and up to five on each side, from the top down; it is empty
    where the reader is listed among the first anyway, or has no place.
    """

    genre: str | None
    window: Window
    ranked: tuple[RankedRow, ...]
    unranked: tuple[RankedRow, ...]
    own: RankedRow | None
    around: tuple[RankedRow, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a player stands after a round: totals over all genres, and the current run.

    `run` counts identical guesses up to the length that makes a streak; a longer run is as long.
    A guest has nothing that leads back to it all from elsewhere.
    """

    rounds: int
    points: int
    mean: float
    run: int
    is_guest: bool


def record_closing(db: Connection, stored: StoredRound, verdict: Verdict, *, now: datetime) -> None:
    """Close a round: its columns, the marks it completes, the standings it changes."""
    lock_player(db, stored.player_id)
    if not owns_round(db, stored.id, stored.player_id):  # a merger took it while it was read
        raise RoundNotFoundError(say("There is no such round of yours (any more)."))
    earlier = recent_rounds(db, stored.player_id, stored.mode, STREAK_RULE, limit=RUN - 1)
    closing = earlier[0].closing + 1 if earlier else 0
    close_round(db, stored.id, closed_at=now, closing=closing, points=verdict.points, guess=verdict.guess)
    in_streak = verdict.guess is not None and joins_streak(verdict.guess, [one.guess for one in earlier])
    newly_marked = [one for one in earlier if in_streak and not one.is_marked]
    if in_streak:
        for round_id in (stored.id, *(one.id for one in newly_marked)):
            add_mark(db, round_id, STREAK_RULE, now=now)
    come(db, stored.player_id, day_at(now))
    if not in_streak:
        count_opinions(db, stored.passage_id, stored.mode, verdict.opinions)
    new = None
    if is_annulled(db, stored.passage_id):
        add_mark(db, stored.id, MANUAL_RULE, now=now)
    elif not _is_rated(stored, now=now):
        add_mark(db, stored.id, UNRATED_RULE, now=now)
    elif verdict.points is not None:
        kind, line = line_of(db, stored.deck_id, stored.genre)
        new = _Counted(kind, line, stored.genre, verdict.points, in_streak=in_streak, closed_at=now)
        rate_round(db, stored, verdict.points, line=line, is_suspicious=in_streak, now=now)
    _count(db, stored.player_id, stored.mode, new, [one for one in newly_marked if one.counts])


def recount(db: Connection, player_id: str) -> None:
    """Write a player's standings anew, from all rounds that are theirs."""
    lock_player(db, player_id)
    boards: dict[tuple[str, str], dict[Place, list[CountedRound]]] = defaultdict(lambda: defaultdict(list))
    for one in counted_rounds(db, player_id, STREAK_RULE):
        for place in _places(one.genre, one.closed_at):
            boards[one.kind, one.mode][place].append(one)
    drop_standings(db, player_id)
    for (kind, mode), places in boards.items():
        save_standings(
            db, player_id, kind, mode, [_standing(*place, played) for place, played in places.items()]
        )


def board(
    db: Connection,
    mode: str,
    genre: str | None,
    player_id: str | None,
    *,
    now: datetime,
    window: Window = "all",
) -> Board:
    """Return a board of a mode, of practice or of the days, over all time or of today's season."""
    kind = RATED if genre == DAILY else PRACTICE
    key = BoardKey(kind, mode, genre or OVERALL, season(window, now))
    since = now - ACTIVE
    top = ranked_rows(db, key, since=since, limit=SHOWN_ROWS)
    unranked = unranked_rows(db, key, since=since, limit=SHOWN_ROWS)
    ranked = [RankedRow(rank, row) for rank, row in enumerate(top, start=1)]
    row = own_row(db, key, player_id) if player_id else None
    own = _placed(db, key, row, since) if row else None
    is_listed = own is not None and any(one.row.player_id == player_id for one in ranked)
    return Board(
        genre=genre,
        window=window,
        ranked=tuple(ranked),
        unranked=tuple(RankedRow(None, one) for one in unranked),
        own=own,
        around=() if own is None or own.rank is None or is_listed else _around(db, key, own, since),
    )


def progress(db: Connection, player_id: str, mode: str) -> Progress:
    """Return where a player stands, and how long the current run of identical guesses is."""
    row = own_row(db, BoardKey(PRACTICE, mode), player_id)
    latest = recent_rounds(db, player_id, mode, STREAK_RULE, limit=RUN)
    guesses = [one.guess for one in reversed(latest) if one.guess is not None]
    return Progress(
        rounds=row.rounds if row else 0,
        points=row.points if row else 0,
        mean=row.mean if row else 0.0,
        run=run_length(guesses),
        is_guest=role_of(db, player_id) == GUEST,
    )


def show_player(db: Connection, player_id: str, *, board: str, shows_rating: bool) -> None:
    """Let others see a player on boards with the name, without it, or not at all."""
    set_display(db, player_id, board=board, shows_rating=shows_rating)
    list_standings(db, player_id, is_listed=board != "off")


def tidy_boards(db: Connection, *, now: datetime) -> int:
    """Take players who have not played for long off the boards over all time; return how many lines."""
    return unlist_idle(db, before=now - ACTIVE)


def _is_rated(stored: StoredRound, *, now: datetime) -> bool:
    """Say whether a round counts: any but a daily one does."""
    return stored.may_count and (stored.day is None or is_in_time(stored.day, now))


def _places(genre: str, closed_at: datetime) -> list[Place]:
    """Return the boards that a round counts on."""
    return [(each, name) for each in (OVERALL, genre) for name in seasons(closed_at)]


def _standing(genre: str, season_name: str, played: Sequence[CountedRound]) -> StandingRow:
    return StandingRow(
        genre,
        season_name,
        last_at=max(one.closed_at for one in played),
        points=sum(one.points for one in played),
        tally=Tally(Counter(counted_points(one.points, in_streak=one.is_marked) for one in played)),
        lazy_line=max(one.line for one in played),
    )


def _placed(db: Connection, key: BoardKey, row: BoardRow, since: datetime) -> RankedRow:
    if not row.is_above_luck or not row.is_listed or row.last_at < since:
        return RankedRow(None, row)
    ahead = count_ahead(db, key, row, since=since, limit=EXACT_PLACES)
    return RankedRow(ahead + 1, row) if ahead < EXACT_PLACES else RankedRow(None, row, is_far=True)


def _around(db: Connection, key: BoardKey, own: RankedRow, since: datetime) -> tuple[RankedRow, ...]:
    above, below = neighbours(db, key, own.row, since=since, limit=NEIGHBOURS)
    rows = [*above, own.row, *below]
    first = (own.rank or 0) - len(above)
    return tuple(RankedRow(rank, row) for rank, row in enumerate(rows, start=first))


@dataclass(frozen=True, slots=True)
class _Counted:
    """The round that closes now."""

    kind: str
    line: float
    genre: str
    points: int
    in_streak: bool
    closed_at: datetime


def _count(
    db: Connection, player_id: str, mode: str, new: _Counted | None, newly_marked: Sequence[ClosedRound]
) -> None:
    """Add the round to its boards if it counts, and hold the newly marked ones down on theirs."""
    changes = _holding_down(newly_marked)
    places = _places(new.genre, new.closed_at) if new is not None else []
    if new is not None:
        for place in places:
            changes[new.kind][place][counted_points(new.points, in_streak=new.in_streak)] += 1
    for kind, counts in changes.items():
        rows = load_standings(db, player_id, kind, mode, counts)
        if new is not None and new.kind == kind:
            rows.update({place: _with_points(rows.get(place), place, new) for place in places})
        after = [_with(rows[place], change) for place, change in counts.items()]
        save_standings(db, player_id, kind, mode, after)


def _holding_down(newly_marked: Sequence[ClosedRound]) -> dict[str, dict[Place, Counter[float]]]:
    """Return what rounds that turn out to lie in a streak change, by kind and board."""
    changes: dict[str, dict[Place, Counter[float]]] = defaultdict(lambda: defaultdict(Counter))
    for one in newly_marked:
        if one.points is not None:
            for place in _places(one.genre, one.closed_at):
                changes[one.kind][place][counted_points(one.points, in_streak=False)] -= 1
                changes[one.kind][place][counted_points(one.points, in_streak=True)] += 1
    return changes


def _with(row: StandingRow, change: Counter[float]) -> StandingRow:
    counts = Counter(row.tally.counts)
    counts.update(change)
    return replace(row, tally=Tally(counts))


def _with_points(row: StandingRow | None, place: Place, new: _Counted) -> StandingRow:
    """Return a line, perhaps its first, with the points of the round; the tally is left as it is."""
    row = row or StandingRow(*place, new.closed_at, 0, Tally({}), new.line)
    return replace(
        row,
        points=row.points + new.points,
        lazy_line=max(row.lazy_line, new.line),
        last_at=max(row.last_at, new.closed_at),
    )
