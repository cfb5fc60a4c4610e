"""What others said about passages, and how the guide was read: rows in, values out."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from app.store.inserting import increase
from app.store.tables import GuideReading, Opinion, table_of

opinion = table_of(Opinion)
reading = table_of(GuideReading)

_OPINIONS = select(opinion.c.answer, opinion.c.players).where(
    opinion.c.passage_id == bindparam("passage_id"), opinion.c.mode == bindparam("mode")
)


def count_opinions(db: Connection, passage_id: str, mode: str, answers: Sequence[str]) -> None:
    """Count one player more for each of some answers to a passage."""
    # in order, so that two players who close at once wait for each other the same way round
    rows = [
        {"passage_id": passage_id, "mode": mode, "answer": one, "players": 1} for one in sorted(set(answers))
    ]
    if rows:
        increase(db, opinion, rows)


def opinions_on(db: Connection, passage_id: str, mode: str) -> dict[str, int]:
    """Return how many players gave each answer to a passage."""
    rows = db.execute(_OPINIONS, {"passage_id": passage_id, "mode": mode})
    return {answer: players for answer, players in rows}  # noqa: C416


def add_reading(
    db: Connection, player_id: str, *, opened_at: datetime, noted_at: datetime, visible_ms: int | None
) -> None:
    """Note that a player had the guide before them."""
    db.execute(
        insert(reading),
        {"player_id": player_id, "opened_at": opened_at, "noted_at": noted_at, "visible_ms": visible_ms},
    )


def count_readings(db: Connection, player_id: str) -> int:
    """Return how often a reading of a player was noted."""
    return int(
        db.execute(
            select(func.count()).select_from(reading).where(reading.c.player_id == player_id)
        ).scalar_one()
    )


def readings_of(db: Connection, player_id: str) -> list[dict[str, Any]]:
    """Return when a player read the guide, and how long it was in front."""
    found = select(reading.c.opened_at, reading.c.noted_at, reading.c.visible_ms).where(
        reading.c.player_id == player_id
    )
    return [dict(row) for row in db.execute(found.order_by(reading.c.id)).mappings()]


def drop_readings(db: Connection, player_id: str) -> None:
    """Forget how a player read the guide."""
    db.execute(delete(reading).where(reading.c.player_id == player_id))
