"""What closed rounds add up to on a board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from scoring.intervals import Interval, betting_interval
from scoring.points import TOP
from scoring.vigilance import RUN

MINIMUM_ROUNDS = 10
"""Rounds before a player can be ranked."""

STREAK_CAP = 1.30
"""The most that a round in a streak of identical guesses counts: what blind guessing earns."""

ACTIVE = timedelta(days=90)
"""Who has not finished a round for longer stands on no board over all time until they do."""

Window = Literal["all", "month", "week"]
ALL_TIME = ""

ALPHA = 0.02
"""Chance that a board's interval ever misses. One in a hundred players who ignore the
text could be ranked at some time, over all time (one side of the interval)."""


def season(window: Window, at: datetime) -> str:
    """Return the name of the month or week (ISO 8601, in UTC) that a time lies in; "" for all time."""
    if window == "month":
        return f"{at:%Y-%m}"
    if window == "week":
        year, week, _ = at.isocalendar()
        return f"{year}-W{week:02}"
    return ALL_TIME


def seasons(at: datetime) -> tuple[str, ...]:
    """Return the names of all windows that a round closed at that time counts in."""
    return (ALL_TIME, season("month", at), season("week", at))


def counted_points(points: int, *, in_streak: bool) -> float:
    """Return what a round counts on a board: never more for being in a streak."""
    return min(float(points), STREAK_CAP) if in_streak else float(points)


def joins_streak(guess: int, earlier: Sequence[int | None]) -> bool:
    """Say whether a guess completes or prolongs a run.

    Args:
        guess: of the round that closes now.
        earlier: the guesses before it, latest first; `RUN - 1` are looked at.
    """
    before = list(earlier[: RUN - 1])
    return len(before) == RUN - 1 and all(one == guess for one in before)


@dataclass(frozen=True, slots=True)
class Tally:
    """A player's rounds on one board: how often each counted score was reached."""

    counts: Mapping[float, int]

    @property
    def rounds(self) -> int:
        """How many rounds count."""
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        """Mean counted points; 0 without a round."""
        total = sum(score * count for score, count in self.counts.items())
        return total / self.rounds if self.rounds else 0.0

    @property
    def interval(self) -> Interval:
        """The interval of the mean; all that is possible below the minimum of rounds."""
        if self.rounds < MINIMUM_ROUNDS:
            return Interval(0.0, float(TOP))
        return betting_interval(self.counts, top=float(TOP), alpha=ALPHA)
