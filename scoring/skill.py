"""What the model behind the published numbers reads and finds; `scoring.mixed` fits it.

Apart from the fit, since the site shows what was found and has no NumPy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

RULE = "skill/1"
"""Name and version of the model; raised whenever the same rounds would give other numbers."""

UNTOLD = -1
"""Stands for the passage of a round that says nothing about it."""

REACH = 1.959964
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """Rounds as columns. Players, passages and generators are numbered from 0, none left out.

    Attributes:
        players: of each round.
        passages: of each round, or `UNTOLD`.
        generators: of each passage.
        points: of each round, above what lazy play earns there.
    """

    players: Sequence[int]
    passages: Sequence[int]
    generators: Sequence[int]
    points: Sequence[float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number in points a round, and its standard error."""

    mean: float
    error: float

    @property
    def lower(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mean - REACH * self.error

    @property
    def upper(self) -> float:
        """The upper end of it."""
        return self.mean + REACH * self.error


@dataclass(frozen=True, slots=True)
class Skill:
    """What a fit found, each kind in the order of its numbers.

    Attributes:
        mean: what the average player earns on the average passage.
        players: what each earns on the average passage.
        passages: what the average player earns on each.
        generators: what the average player earns on a passage of each, new ones included.
        deviations: standard deviations of players, generators, passages, and a round.
    """

    mean: Estimate
    players: Sequence[Estimate]
    passages: Sequence[Estimate]
    generators: Sequence[Estimate]
    deviations: tuple[float, float, float, float]
