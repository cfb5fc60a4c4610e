"""Intervals for the mean of bounded scores that stay valid however often one looks.

A leaderboard is looked at after every round. An interval made for one look would
sooner or later lift somebody who guesses blindly above any line. This one is built
by betting (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
variables by betting", JRSS B 86:1, section 4): a mean is left out of the interval once
a fair bet against it has multiplied its stake by `1 / alpha`. By Ville's inequality
that happens at any time at all with probability `alpha` at the most. The stakes are a
fixed mixture, so only the counts of the scores matter, not their order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log

_STAKES = (0.03, 0.06, 0.12, 0.24, 0.48, 0.8)
_PRECISION = 1e-4
_SMALLEST = 1e-3


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval for a mean, in points."""

    lower: float
    upper: float


def betting_interval(counts: Mapping[float, int], *, top: float, alpha: float) -> Interval:
    """Return the time-uniform interval of a mean.

    Args:
        counts: how often each score was reached; scores lie in `[0, top]`.
        top: the highest possible score.
        alpha: the chance, over all time, that the interval misses the mean, half of
            it on each side.

    Returns:
        The interval; `[0, top]` without any score.
    """
    mirrored = {top - score: count for score, count in counts.items()}
    return Interval(
        lower=_lower(counts, top, log(2 / alpha)),
        upper=top - _lower(mirrored, top, log(2 / alpha)),
    )


def _lower(counts: Mapping[float, int], top: float, target: float) -> float:
    """Return the smallest mean that the bets leave standing, from below, within 0.0005.

    At the mean of the scores no bet has won (Jensen), so the root lies below it; the
    regula falsi in its Illinois form finds it in a few steps.
    """
    seen = [(score, count) for score, count in counts.items() if count]
    high = sum(score * count for score, count in seen) / max(sum(count for _, count in seen), 1)
    low = high * _SMALLEST
    if high == 0.0 or _log_wealth(seen, low) <= target:
        return 0.0
    gap_low, gap_high = _log_wealth(seen, low) - target, _log_wealth(seen, high) - target
    while high - low > _PRECISION * top:
        middle = (low * gap_high - high * gap_low) / (gap_high - gap_low)
        middle = min(max(middle, low + _PRECISION), high - _PRECISION)
        gap = _log_wealth(seen, middle) - target
        if gap > 0:
            low, gap_low, gap_high = middle, gap, gap_high / 2
        else:
            high, gap_high, gap_low = middle, gap, gap_low / 2
    return low


def _log_wealth(seen: list[tuple[float, int]], mean: float) -> float:
    """Return the logarithm of what betting that the mean is higher has earned."""
    wealth = [
        sum(count * log(1 - stake + stake * score / mean) for score, count in seen) for stake in _STAKES
    ]
    best = max(wealth)
    return best + log(sum(exp(one - best) for one in wealth) / len(wealth))
