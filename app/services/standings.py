"""Boards: what a closing round changes on them, and how they are read."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from app.store.players import lock_player
from app.store.rounds import StoredRound, close_round
from app.store.standings import (
    OVERALL,
    BoardRow,
    ClosedRound,
    CountedRound,
    StandingRow,
    add_mark,
    count_ahead,
    counted_rounds,
    drop_standings,
    line_of,
    load_standings,
    own_row,
    ranked_rows,
    recent_rounds,
    save_standings,
    unranked_rows,
)
from game.mode import Verdict
from game.standings import Tally, counted_points, joins_streak
from scoring.vigilance import RUN, STREAK_RULE, run_length

PRACTICE = "open"
"""The kind of deck whose board everybody plays on."""

SHOWN_ROWS = 50

EXACT_PLACES = 1000
"""Places that are counted out; counting further would cost more with every player."""


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A line of a board with its place.

    `rank` is None for a player not yet above luck, or beyond the places counted out.
    """

    rank: int | None
    row: BoardRow


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard: the ranked, those below, and the reader's own line if there is one."""

    genre: str | None
    ranked: tuple[RankedRow, ...]
    unranked: tuple[RankedRow, ...]
    own: RankedRow | None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a player stands after a round: totals over all genres, and the current run.

    `run` counts identical guesses up to the length that makes a streak; a longer run is as long.
    """

    rounds: int
    points: int
    mean: float
    run: int


def record_closing(db: Connection, stored: StoredRound, verdict: Verdict, *, now: datetime) -> None:
    """Close a round: its columns, the marks it completes, the standings it changes."""
    lock_player(db, stored.player_id)
    earlier = recent_rounds(db, stored.player_id, stored.mode, STREAK_RULE, limit=RUN - 1)
    closing = earlier[0].closing + 1 if earlier else 0
    close_round(db, stored.id, closed_at=now, closing=closing, points=verdict.points, guess=verdict.guess)
    in_streak = verdict.guess is not None and joins_streak(verdict.guess, [one.guess for one in earlier])
    newly_marked = [one for one in earlier if in_streak and not one.is_marked]
    if in_streak:
        for round_id in (stored.id, *(one.id for one in newly_marked)):
            add_mark(db, round_id, STREAK_RULE, now=now)
    if verdict.points is not None:
        _count(db, stored, verdict.points, in_streak=in_streak, newly_marked=newly_marked)


def recount(db: Connection, player_id: str) -> None:
    """Write a player's standings anew, from all rounds that are theirs."""
    boards: dict[tuple[str, str], dict[str, list[CountedRound]]] = defaultdict(lambda: defaultdict(list))
    for one in counted_rounds(db, player_id, STREAK_RULE):
        for genre in (OVERALL, one.genre):
            boards[one.kind, one.mode][genre].append(one)
    drop_standings(db, player_id)
    for (kind, mode), genres in boards.items():
        rows = [_standing_of(genre, played) for genre, played in genres.items()]
        save_standings(db, player_id, kind, mode, rows)


def _standing_of(genre: str, played: Sequence[CountedRound]) -> StandingRow:
    return StandingRow(
        genre,
        points=sum(one.points for one in played),
        tally=Tally(Counter(counted_points(one.points, in_streak=one.is_marked) for one in played)),
        lazy_line=max(one.line for one in played),
    )


def board(db: Connection, mode: str, genre: str | None, player_id: str | None) -> Board:
    """Return the practice board of a mode, overall or in a genre."""
    key = (PRACTICE, mode, genre or OVERALL)
    ranked = ranked_rows(db, *key, limit=SHOWN_ROWS)
    unranked = unranked_rows(db, *key, limit=SHOWN_ROWS)
    own = own_row(db, *key, player_id) if player_id else None
    return Board(
        genre=genre,
        ranked=tuple(RankedRow(rank, row) for rank, row in enumerate(ranked, start=1)),
        unranked=tuple(RankedRow(None, row) for row in unranked),
        own=RankedRow(_rank(db, key, own), own) if own else None,
    )


def progress(db: Connection, player_id: str, mode: str) -> Progress:
    """Return where a player stands, and how long the current run of identical guesses is."""
    row = own_row(db, PRACTICE, mode, OVERALL, player_id)
    latest = recent_rounds(db, player_id, mode, STREAK_RULE, limit=RUN)
    guesses = [one.guess for one in reversed(latest) if one.guess is not None]
    return Progress(
        rounds=row.rounds if row else 0,
        points=row.points if row else 0,
        mean=row.mean if row else 0.0,
        run=run_length(guesses),
    )


def _rank(db: Connection, key: tuple[str, str, str], row: BoardRow) -> int | None:
    if not row.is_above_luck:
        return None
    ahead = count_ahead(db, *key, row, limit=EXACT_PLACES)
    return ahead + 1 if ahead < EXACT_PLACES else None


def _count(
    db: Connection, stored: StoredRound, points: int, *, in_streak: bool, newly_marked: Sequence[ClosedRound]
) -> None:
    """Add the round to its boards, and hold the newly marked ones down on theirs."""
    kind, line = line_of(db, stored.deck_id, stored.genre)
    played = {OVERALL, stored.genre}
    changes: dict[str, dict[str, Counter[float]]] = {kind: {genre: Counter() for genre in played}}
    for genre in played:
        changes[kind][genre][counted_points(points, in_streak=in_streak)] += 1
    for one in newly_marked:
        if one.points is not None:
            for genre in (OVERALL, one.genre):
                change = changes.setdefault(one.kind, {}).setdefault(genre, Counter())
                change[counted_points(one.points, in_streak=False)] -= 1
                change[counted_points(one.points, in_streak=True)] += 1
    for changed, counts in changes.items():
        before = load_standings(db, stored.player_id, changed, stored.mode, list(counts))
        after = [_with(before.get(genre), genre, change, line) for genre, change in counts.items()]
        if changed == kind:
            after = [_with_points(row, points, line) if row.genre in played else row for row in after]
        save_standings(db, stored.player_id, changed, stored.mode, after)


def _with(row: StandingRow | None, genre: str, change: Counter[float], line: float) -> StandingRow:
    row = row or StandingRow(genre, 0, Tally({}), line)
    counts = Counter(row.tally.counts)
    counts.update(change)
    return replace(row, tally=Tally(counts))


def _with_points(row: StandingRow, points: int, line: float) -> StandingRow:
    return replace(row, points=row.points + points, lazy_line=max(row.lazy_line, line))
