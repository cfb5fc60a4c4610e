"""Days on which somebody played; a day is a date in UTC."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

DAILY = "daily"
"""The deck that days draw their passages from, and what their rounds are filed under for a genre."""

WINDOW = 30
"""Days that are looked back on, today included."""

GRACE = timedelta(minutes=15)
"""How long after midnight a daily round begun before it may still be rated."""


def day_at(moment: datetime) -> date:
    """Return the day it is."""
    return moment.astimezone(UTC).date()


def is_in_time(day: date, moment: datetime) -> bool:
    """Say whether a daily round that ends now ends on its day, or soon enough after it."""
    return moment <= datetime.combine(day + timedelta(days=1), time(), UTC) + GRACE


def played_lately(days: Iterable[date], today: date) -> int:
    """Return on how many of the last thirty days somebody played."""
    first = today - timedelta(days=WINDOW - 1)
    return sum(first <= day <= today for day in set(days))


def best_streak(days: Iterable[date]) -> int:
    """Return the most days in a row on which somebody played."""
    best = run = 0
    before: date | None = None
    for day in sorted(set(days)):
        run = run + 1 if before is not None and day - before == timedelta(days=1) else 1
        best, before = max(best, run), day
    return best
