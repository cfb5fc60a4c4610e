"""Learning: the guide is read, and that is noted."""

from datetime import datetime, timedelta

from sqlalchemy import Connection

from app.store.learning import add_reading, count_readings

LONGEST = timedelta(days=1)
"""Older pages tell nothing about reading."""

MOST_READINGS = 200
"""Notes kept of one player; more than that is no person reading."""


def note_reading(
    db: Connection, player_id: str, *, opened_at: datetime, visible_ms: int | None, now: datetime
) -> None:
    """Note that a player had the guide before them since a moment, and how long in front.

    The time in front is the browser's word; it is cut at what the server's clock allows.
    """
    elapsed = now - opened_at
    if not timedelta() <= elapsed <= LONGEST or count_readings(db, player_id) >= MOST_READINGS:
        return
    if visible_ms is not None:
        visible_ms = min(visible_ms, elapsed // timedelta(milliseconds=1))
    add_reading(db, player_id, opened_at=opened_at, noted_at=now, visible_ms=visible_ms)
