"""Whether ratings find the skills that were planted, and intervals hold what they promise."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import rankdata

from game.ratings import PASSAGE, PLAYER, play_out
from scoring.mixed import fit_skill
from scoring.skill import Rounds

PLAYERS, ROUNDS, PASSAGES, GENERATORS = 500, 60, 400, 4
SKILL, DIFFICULTY, GENERATOR, NOISE = 0.5, 0.5, 0.3, 1.85
MEAN, LINE = 2.08, 1.5
TARGET = 0.95
LARGE = 2_000
COVERED = (0.93, 0.97)
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


def coverage(played: Played) -> tuple[float, float]:
    """Return how many of the nightly model's 95 % intervals hold the truth, and how wide they are.

    The truth is what a player would earn above the lazy line on all passages together.
    """
    columns = (played.players, played.passages, played.generators, played.points - LINE)
    found = fit_skill(Rounds(*(column.tolist() for column in columns))).players
    truths = MEAN - LINE + played.skills + played.difficulties.mean()
    held = [one.lower <= truth <= one.upper for one, truth in zip(found, truths, strict=True)]
    return float(np.mean(held)), float(np.mean([one.upper - one.lower for one in found]))


def main() -> None:
    """Print both tables."""
    print(f"A. Live ratings, {PLAYERS} players × {ROUNDS} rounds on {PASSAGES} passages: rank correlation")
    print(
        f"   with the planted skill. Target: {TARGET:.0%} of what knowing every passage's difficulty gives.\n"
    )
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
    print(f"\nB. The nightly model, {LARGE:,} players × {ROUNDS} rounds: how many 95 % intervals hold the")
    print(f"   truth, and their width. Target: {COVERED[0]:.0%} to {COVERED[1]:.0%}.\n")
    print(f"{'seed':<8}{'covered':>10}{'width':>10}")
    for seed in SEEDS:
        covered, width = coverage(play(LARGE, ROUNDS, np.random.default_rng(seed)))
        print(f"{seed:<8}{covered:>10.1%}{width:>10.2f}")


def _noise(played: Played) -> float:
    means = MEAN + played.skills[played.players] + played.difficulties[played.passages]
    return float(np.sqrt(((played.points - means) ** 2).mean()))


if __name__ == "__main__":
    main()
