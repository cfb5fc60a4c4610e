"""Ratings of players and passages from the same rounds.

A round is a match of player against passage. Its score says how many points were earned
against what the best answer without reading earns on that deck and genre: that much is a
draw, so that nobody rises above average without reading.
"""

from collections.abc import Sequence
from dataclasses import replace

from scoring.glicko import Rating, rated
from scoring.points import TOP

PROVISIONAL = 110.0
"""Above this deviation a rating says too little to be shown, or to move a passage."""

TAU = 0.3
PLAYER = Rating(volatility=0.03)
PASSAGE = Rating(deviation=200.0, volatility=0.005)
"""Passages do not learn; they only need to be found out about."""

STEP = 100.0
"""The most that one round moves anybody."""


def score(points: int, line: float) -> float:
    """Return points as a score in `[0, 1]`: linear, and one half at the lazy line.

    Args:
        points: of the round, 0 to 5.
        line: what the best answer without reading earns a round on that deck and genre.
    """
    reach = max(line, TOP - line)
    return 0.5 + (points - line) / (2 * reach)


def play_out(
    player: Rating, passage: Rating, points: int, *, line: float, moves_passage: bool
) -> tuple[Rating, Rating]:
    """Return both ratings after a round.

    Args:
        player: before the round.
        passage: before the round.
        points: of the round.
        line: the lazy line of its deck and genre.
        moves_passage: whether the round is evidence about the passage: a first attempt by
            somebody who is not suspected of anything.

    A player of whom little is known moves no passage either.
    """
    won = score(points, line)
    after = _bounded(player, rated(player, [(passage, won)], tau=TAU))
    if not moves_passage or player.deviation > PROVISIONAL:
        return after, passage
    return after, _bounded(passage, rated(passage, [(player, 1 - won)], tau=TAU))


def replayed(rounds: Sequence[tuple[Rating, int, float]]) -> Rating:
    """Return a player's rating from all their rounds, in order: passage, points, lazy line."""
    rating = PLAYER
    for passage, points, line in rounds:
        rating, _ = play_out(rating, passage, points, line=line, moves_passage=False)
    return rating


def _bounded(before: Rating, after: Rating) -> Rating:
    return replace(after, mean=min(max(after.mean, before.mean - STEP), before.mean + STEP))
