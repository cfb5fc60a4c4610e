"""Ratings: rows in, values out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, bindparam, delete, select

from app.store.inserting import insert_once, upsert
from app.store.standings import counts
from app.store.tables import LazyLine, RatingRow, RoundRow, table_of
from scoring.glicko import Rating

rating = table_of(RatingRow)
round_ = table_of(RoundRow)
lazy_line = table_of(LazyLine)

Kind = Literal["player", "passage"]


@dataclass(frozen=True, slots=True)
class Held:
    """A rating and the number of rounds that moved it."""

    rating: Rating
    rounds: int


_HELD = select(rating.c.mean, rating.c.deviation, rating.c.volatility, rating.c.rounds).where(
    rating.c.kind == bindparam("kind"),
    rating.c.subject_id == bindparam("subject_id"),
    rating.c.mode == bindparam("mode"),
)
_LOCKED = _HELD.with_for_update()
_ANSWERED = (
    select(round_.c.passage_id, round_.c.points, lazy_line.c.points.label("line"))
    .join(lazy_line, (lazy_line.c.deck_id == round_.c.deck_id) & (lazy_line.c.genre == round_.c.genre))
    .where(
        round_.c.player_id == bindparam("player_id"),
        round_.c.mode == bindparam("mode"),
        round_.c.points.is_not(None),
        counts(round_.c.id),
    )
    .order_by(round_.c.closed_at, round_.c.closing)
)


def load_rating(db: Connection, kind: Kind, subject_id: str, mode: str, *, start: Rating) -> Held:
    """Return a rating, or the one that everybody starts with."""
    row = db.execute(_HELD, {"kind": kind, "subject_id": subject_id, "mode": mode}).one_or_none()
    return Held(Rating(row.mean, row.deviation, row.volatility), row.rounds) if row else Held(start, 0)


def lock_rating(
    db: Connection, kind: Kind, subject_id: str, mode: str, *, start: Rating, now: datetime
) -> Held:
    """Return a rating that nobody else moves until the transaction ends; write it if it is new."""
    insert_once(db, rating, _row(kind, subject_id, mode, Held(start, 0), now))
    row = db.execute(_LOCKED, {"kind": kind, "subject_id": subject_id, "mode": mode}).one()
    return Held(Rating(row.mean, row.deviation, row.volatility), row.rounds)


def save_rating(db: Connection, kind: Kind, subject_id: str, mode: str, held: Held, *, now: datetime) -> None:
    """Write a rating over the one that is there."""
    upsert(db, rating, [_row(kind, subject_id, mode, held, now)])


def drop_ratings(db: Connection, player_id: str) -> None:
    """Delete a player's ratings."""
    db.execute(delete(rating).where(rating.c.kind == "player", rating.c.subject_id == player_id))


def answered(db: Connection, player_id: str, mode: str) -> list[tuple[str, int, float]]:
    """Return passage, points and lazy line of a player's rounds, in the order of closing."""
    rows = db.execute(_ANSWERED, {"player_id": player_id, "mode": mode})
    return [(row.passage_id, row.points, row.line) for row in rows]


def _row(kind: Kind, subject_id: str, mode: str, held: Held, now: datetime) -> dict[str, Any]:
    return {
        "kind": kind,
        "subject_id": subject_id,
        "mode": mode,
        "mean": held.rating.mean,
        "deviation": held.rating.deviation,
        "volatility": held.rating.volatility,
        "rounds": held.rounds,
        "moved_at": now,
    }
