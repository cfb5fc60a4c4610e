"""Glicko-2: ratings with a deviation, brought up to date after every result.

Source: Glickman 2022, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf);
the steps below are its steps 2 to 8. A rating period is one result here, as on sites that
show ratings while people play.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt

START = 1500.0
SCALE = 173.7178
"""Points of the shown scale in one unit of the inner scale."""

WIDEST = 350.0
"""The deviation of somebody of whom nothing is known."""

_PRECISION = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """How strong a player is, or how hard a passage, on Glicko's scale.

    Attributes:
        mean: the estimate; 1500 is average.
        deviation: its standard error, on the same scale; 350 is complete ignorance.
        volatility: how much the strength is expected to wander, on the inner scale.
    """

    mean: float = START
    deviation: float = WIDEST
    volatility: float = 0.06


def rated(
    one: Rating, results: Sequence[tuple[Rating, float]], *, tau: float = 0.5, widest: float = WIDEST
) -> Rating:
    """Return a rating after the results of one period.

    Args:
        one: the rating before.
        results: opponents, each with the score against them in `[0, 1]`.
        tau: how much the volatility may change; smaller is steadier.
        widest: no deviation grows beyond this.

    Returns:
        The rating after; without results only the deviation grows.
    """
    mu, phi = (one.mean - START) / SCALE, one.deviation / SCALE
    weights = [(_weight(other), (other.mean - START) / SCALE, score) for other, score in results]
    expected = [1 / (1 + exp(-g * (mu - mu_other))) for g, mu_other, _ in weights]
    information = sum(g * g * e * (1 - e) for (g, _, _), e in zip(weights, expected, strict=True))
    surprise = sum(g * (score - e) for (g, _, score), e in zip(weights, expected, strict=True))
    volatility = one.volatility
    if information > 0:
        volatility = _volatility(one.volatility, phi, surprise / information, 1 / information, tau)
    spread = phi * phi + volatility * volatility
    phi = 1 / sqrt(1 / spread + information)
    return Rating(
        mean=START + SCALE * (mu + phi * phi * surprise),
        deviation=min(SCALE * phi, widest),
        volatility=volatility,
    )


def _weight(other: Rating) -> float:
    """Return how much a result against an opponent says: g(phi), step 3."""
    phi = other.deviation / SCALE
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(sigma: float, phi: float, delta: float, variance: float, tau: float) -> float:
    """Return the new volatility (step 5, the Illinois form of the regula falsi)."""
    start = log(sigma * sigma)

    def gap(x: float) -> float:
        spread = phi * phi + variance + exp(x)
        return exp(x) * (delta * delta - spread) / (2 * spread * spread) - (x - start) / (tau * tau)

    low = start
    if delta * delta > phi * phi + variance:
        high = log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while gap(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    gap_low, gap_high = gap(low), gap(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * gap_low / (gap_high - gap_low)
        gap_middle = gap(middle)
        if gap_middle * gap_high <= 0:
            low, gap_low = high, gap_high
        else:
            gap_low /= 2
        high, gap_high = middle, gap_middle
    return exp(low / 2)
