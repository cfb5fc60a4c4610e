"""The model behind the published numbers: exact where it can be worked out, honest where it cannot."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bench.ratings import coverage, live_ratings, oracle, play, rank_correlation
from scoring.mixed import USUAL_DEVIATION, fit_skill
from scoring.skill import UNTOLD, Estimate, Rounds, Skill

EACH = 30

Array = np.ndarray[Any, Any]


def rounds_of(players: Any, passages: Any, generators: Any, points: Any) -> Rounds:
    """Return rounds of columns that may be arrays."""
    return Rounds(*(np.asarray(one).tolist() for one in (players, passages, generators, points)))


def balanced(*, skill: float, difficulty: float, seed: int = 3) -> Rounds:
    """Return rounds in which everybody plays everything once."""
    rng = np.random.default_rng(seed)
    players, passages = (one.ravel() for one in np.meshgrid(np.arange(EACH), np.arange(EACH)))
    effects = rng.normal(0, skill, EACH)[players] + rng.normal(0, difficulty, EACH)[passages]
    return rounds_of(players, passages, [0] * EACH, effects + rng.normal(0, 1.5, EACH * EACH))


def ragged(*, players: int, passages: int) -> Rounds:
    """Return rounds of two generators in which nothing is balanced, and some tell nothing."""
    rng = np.random.default_rng(players)
    who = np.concatenate([np.arange(players), rng.integers(0, players, 80)])
    what = np.concatenate([np.arange(passages), rng.integers(UNTOLD, passages, len(who) - passages)])
    return rounds_of(who, what, np.arange(passages) % 2, rng.normal(0.5, 1.5, len(who)) + who / players)


def means_of(found: Sequence[Estimate]) -> Array:
    return np.array([one.mean for one in found])


def errors_of(found: Sequence[Estimate]) -> Array:
    return np.array([one.error for one in found])


def plain_means(rounds: Rounds) -> Array:
    """Return the plain mean of every player."""
    found: Array = np.bincount(rounds.players, rounds.points) / np.bincount(rounds.players)
    return found


class Written:
    """The same model written out: every column, nothing absorbed, whole matrices inverted."""

    def __init__(self, rounds: Rounds, deviations: Sequence[float]) -> None:
        players, passages, by = (
            np.array(one) for one in (rounds.players, rounds.passages, rounds.generators)
        )
        self.sizes = (max(players) + 1, len(by), max(by) + 1)
        self.by = by
        self.points = np.array(rounds.points)
        self.deviations = deviations
        player, generator, passage, noise = np.square(deviations)
        is_on = (passages[:, None] == np.arange(len(by))).astype(float)
        is_by = is_on @ (by[:, None] == np.arange(self.sizes[2]))
        self.random = np.hstack([players[:, None] == np.arange(self.sizes[0]), is_on, is_by])
        self.spreads = np.repeat([player, passage, generator], self.sizes)
        self.noises = np.where(passages == UNTOLD, noise + generator + passage, noise)

    def estimates(self) -> dict[str, tuple[Array, Array]]:
        """Return means and errors of each kind by Henderson's equations."""
        columns = np.hstack([self.random, np.ones((len(self.points), 1))])
        left = columns.T @ (columns / self.noises[:, None]) + np.diag([*(1 / self.spreads), 0])
        inverse = np.linalg.inv(left)
        solution = inverse @ columns.T @ (self.points / self.noises)
        return {
            name: (rows @ solution, np.sqrt(np.diag(rows @ inverse @ rows.T)))
            for name, rows in self._asked().items()
        }

    def _asked(self) -> dict[str, Array]:
        n, m, k = self.sizes
        each = np.eye(n + m + k + 1)
        players, mean = each[:n], each[-1]
        passages, generators = each[n : n + m] + each[n + m + self.by], each[n + m : -1]
        return {
            "players": players + mean + passages.mean(axis=0),
            "passages": passages + mean + players.mean(axis=0),
            "generators": generators + mean + players.mean(axis=0),
        }

    def criterion(self) -> float:
        """Return minus twice the logarithm of restricted likelihood and prior."""
        variance = self.random * self.spreads @ self.random.T + np.diag(self.noises)
        inverse, one = np.linalg.inv(variance), np.ones(len(self.points))
        information = one @ inverse @ one
        rest = inverse - np.outer(inverse @ one, inverse @ one) / information
        fit = np.linalg.slogdet(variance)[1] + np.log(information) + self.points @ rest @ self.points
        prior = sum(2 * each / USUAL_DEVIATION - 2 * np.log(each) for each in self.deviations[:3])
        return float(fit + prior)


@pytest.mark.parametrize(("players", "passages"), [(12, 7), (7, 12)])
def test_absorbing_changes_no_estimate_and_no_error(players: int, passages: int) -> None:
    rounds = ragged(players=players, passages=passages)

    found = fit_skill(rounds)
    for name, (means, errors) in Written(rounds, found.deviations).estimates().items():
        assert means_of(getattr(found, name)) == pytest.approx(means)
        assert errors_of(getattr(found, name)) == pytest.approx(errors)


def test_no_other_deviations_are_likelier() -> None:
    rounds = ragged(players=12, passages=7)

    best = fit_skill(rounds).deviations
    least = Written(rounds, best).criterion()
    for place in range(len(best)):
        for factor in (0.9, 1.1):
            other = [one * factor if at == place else one for at, one in enumerate(best)]
            assert Written(rounds, other).criterion() > least


def test_the_mean_is_that_of_all_players_and_of_all_passages() -> None:
    found = fit_skill(ragged(players=12, passages=7))

    assert found.mean.mean == pytest.approx(means_of(found.players).mean())
    assert found.mean.mean == pytest.approx(means_of(found.passages).mean())
    assert found.mean.error < min(errors_of(found.players))


def test_where_everybody_plays_everything_estimates_are_the_shrunken_means() -> None:
    rounds = balanced(skill=0.8, difficulty=0.6)

    found = fit_skill(rounds)
    skill, _, _, noise = found.deviations
    over_all = plain_means(rounds).mean()
    kept = skill**2 / (skill**2 + noise**2 / EACH)
    shrunken = over_all + (plain_means(rounds) - over_all) * kept
    assert means_of(found.players) == pytest.approx(shrunken, abs=1e-3)


def test_where_everybody_plays_everything_deviations_are_nearly_those_of_the_table() -> None:
    rounds = balanced(skill=0.8, difficulty=0.6)

    found = fit_skill(rounds)
    table = np.array(rounds.points).reshape(EACH, EACH)  # passages down, players across
    by_player, by_passage = table.mean(axis=0), table.mean(axis=1)
    rest = table - by_player[None] - by_passage[:, None] + table.mean()
    noise = (rest**2).sum() / (EACH - 1) ** 2
    assert found.deviations[3] ** 2 == pytest.approx(noise, rel=0.01)
    assert found.deviations[0] ** 2 == pytest.approx(by_player.var(ddof=1) - noise / EACH, rel=0.05)


def test_without_differences_between_players_nobody_is_told_apart() -> None:
    rounds = balanced(skill=0.0, difficulty=0.6, seed=5)

    found = fit_skill(rounds).players
    assert np.ptp(means_of(found)) < 0.5 * np.ptp(plain_means(rounds))
    assert max(one.lower for one in found) < min(one.upper for one in found)


def test_more_rounds_make_one_surer() -> None:
    rng = np.random.default_rng(7)
    many = [2, 4, 8, 16, 32, 64]
    players = np.repeat(np.arange(6), many)
    passages = np.concatenate([np.arange(count) for count in many])
    points = 2 + rng.normal(0, 0.8, 6)[players] + rng.normal(0, 1.5, len(players))

    found = fit_skill(rounds_of(players, passages, [0] * 64, points)).players
    assert np.all(np.diff(errors_of(found)) < 0)


def joined(rounds: Rounds, passage: int) -> Skill:
    """Return a fit with one player more, who has met one passage ten times and was always right."""
    return fit_skill(
        Rounds(
            [*rounds.players, *[EACH] * 10],
            [*rounds.passages, *[passage] * 10],
            rounds.generators,
            [*rounds.points, *[4.0] * 10],
        )
    )


def test_a_round_that_tells_nothing_of_its_passage_moves_the_player_alone() -> None:
    rounds = balanced(skill=0.8, difficulty=0.6)

    told, untold, before = joined(rounds, 4), joined(rounds, UNTOLD), fit_skill(rounds)
    ease = [one.passages[4].mean - one.mean.mean for one in (told, untold, before)]
    assert ease[0] > ease[2] + 0.1
    assert ease[1] == pytest.approx(ease[2], abs=0.01)
    assert untold.players[EACH].mean > before.mean.mean + 1


def test_one_generator_alone_has_an_estimate_no_wilder_than_the_data() -> None:
    found = fit_skill(balanced(skill=0.8, difficulty=0.6))

    assert found.generators[0].mean == pytest.approx(found.mean.mean, abs=0.05)
    assert found.generators[0].error < 0.3


def test_each_step_is_told() -> None:
    told: list[int] = []

    fit_skill(balanced(skill=0.8, difficulty=0.6), watch=told.append)
    assert told == list(range(1, len(told) + 1))


def test_rounds_that_all_tell_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="about its passage"):
        fit_skill(Rounds([0, 1, 2], [UNTOLD] * 3, [], [1.0, 2.0, 0.0]))


def test_planted_skills_are_found_and_intervals_hold_the_truth() -> None:
    played = play(300, 40, np.random.default_rng(11))

    best = rank_correlation(oracle(played), played.skills)
    assert rank_correlation(live_ratings(played), played.skills) > 0.9 * best
    assert 0.92 <= coverage(played)[0] <= 0.98
