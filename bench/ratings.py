"""Whether live ratings find the skills that were planted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from game.ratings import PASSAGE, PLAYER, play_out

PLAYERS, ROUNDS, PASSAGES, GENERATORS = 500, 60, 400, 4
SKILL, DIFFICULTY, GENERATOR, NOISE = 0.5, 0.5, 0.3, 1.85
MEAN, LINE = 2.08, 1.5
TARGET = 0.95
SEEDS = (1, 2, 3)

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """A simulated season: who played what in which order, for how many points, and the truth."""

    players: Array
    passages: Array
    generators: Array
    points: Array
    skills: Array
    difficulties: Array


def play(players: int, rounds: int, rng: np.random.Generator) -> Played:
    """Let players play different passages each, in an order in which all take turns."""
    skills = rng.normal(0, SKILL, players)
    generators = rng.integers(0, GENERATORS, PASSAGES)
    difficulties = rng.normal(0, DIFFICULTY, PASSAGES) + rng.normal(0, GENERATOR, GENERATORS)[generators]
    seats = np.tile(np.arange(players), rounds)
    texts = np.stack([rng.permutation(PASSAGES)[:rounds] for _ in range(players)]).T.ravel()
    means = MEAN + skills[seats] + difficulties[texts]
    return Played(seats, texts, generators, _points(means, rng), skills, difficulties)


def _points(means: Array, rng: np.random.Generator) -> Array:
    """Draw points from 0 to 5 with these means, and about the planted deviation.

    The exponential family over a U-shaped base: most rounds give nothing or nearly all.
    """
    scores = np.arange(6.0)
    base = np.array([0.42, 0.09, 0.08, 0.1, 0.12, 0.19])
    tilts = np.linspace(-4, 4, 2001)
    chances = base * np.exp(np.outer(tilts, scores))
    chances /= chances.sum(axis=1, keepdims=True)
    chosen = np.interp(means, chances @ scores, tilts)
    weights = base * np.exp(np.outer(chosen, scores))
    cumulated = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    points: Array = (rng.random(len(means))[:, None] > cumulated[:, :-1]).sum(axis=1).astype(float)
    return points


def live_ratings(played: Played) -> Array:
    """Return the players' ratings after everything was played, round by round."""
    people = [PLAYER] * len(played.skills)
    texts = [PASSAGE] * PASSAGES
    for who, what, points in zip(played.players, played.passages, played.points, strict=True):
        people[who], texts[what] = play_out(
            people[who], texts[what], int(points), line=LINE, moves_passage=True
        )
    return np.array([one.mean for one in people])


def oracle(played: Played) -> Array:
    """Return mean points above what each passage really gives."""
    total = np.bincount(played.players, played.points - played.difficulties[played.passages])
    above: Array = total / np.bincount(played.players)
    return above


def rank_correlation(one: Array, other: Array) -> float:
    """Return Spearman's correlation."""
    return float(np.corrcoef(rankdata(one), rankdata(other))[0, 1])


def main() -> None:
    """Print the table."""
    print(f"Live ratings, {PLAYERS} players × {ROUNDS} rounds on {PASSAGES} passages: rank correlation")
    print(f"with the planted skill. Target: {TARGET:.0%} of what knowing every passage's difficulty gives.\n")
    print(f"{'seed':<8}{'deviation':>10}{'oracle':>10}{'mean':>10}{'rating':>10}{'share':>10}")
    for seed in SEEDS:
        played = play(PLAYERS, ROUNDS, np.random.default_rng(seed))
        best = rank_correlation(oracle(played), played.skills)
        plain = np.bincount(played.players, played.points) / ROUNDS
        rated = rank_correlation(live_ratings(played), played.skills)
        noise = _noise(played)
        print(
            f"{seed:<8}{noise:>10.2f}{best:>10.3f}{rank_correlation(plain, played.skills):>10.3f}"
            f"{rated:>10.3f}{rated / best:>10.1%}"
        )


def _noise(played: Played) -> float:
    means = MEAN + played.skills[played.players] + played.difficulties[played.passages]
    return float(np.sqrt(((played.points - means) ** 2).mean()))


if __name__ == "__main__":
    main()
