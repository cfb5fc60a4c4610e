from collections import Counter
from random import Random

import pytest

from game.standings import MINIMUM_ROUNDS, Tally, counted_points, joins_streak
from scoring.points import best_lazy_line, distance_decay

DECK = [boundary for boundary in range(1, 11) for _ in range(10)]
LINE = float(best_lazy_line(DECK, length=10))


def best_place(guesses: list[int], *, seed: int) -> float:
    """The highest lower end that these answers reach on a shuffled deck, looked at after every round."""
    deck = Random(seed).sample(DECK, len(DECK))
    counts: Counter[float] = Counter()
    highest = 0.0
    for number, boundary in enumerate(deck):
        counts[float(distance_decay(guesses[number % len(guesses)], boundary))] += 1
        highest = max(highest, Tally(counts).interval.lower)
    return highest


@pytest.mark.parametrize(("points", "counted"), [(0, 0.0), (1, 1.0), (2, 1.3), (5, 1.3)])
def test_a_round_in_a_streak_counts_what_guessing_earns_at_most(points: int, counted: float) -> None:
    assert counted_points(points, in_streak=True) == counted
    assert counted_points(points, in_streak=False) == points


@pytest.mark.parametrize(
    ("earlier", "joins"),
    [([7, 7, 7, 7], True), ([7, 7, 7], False), ([7, 7, 7, 1], False), ([7, 7, 7, 7, 1], True), ([], False)],
)
def test_the_fifth_identical_guess_makes_a_streak(earlier: list[int | None], joins: bool) -> None:  # noqa: FBT001
    assert joins_streak(7, earlier) is joins


def test_below_the_minimum_nothing_is_known() -> None:
    interval = Tally({5.0: MINIMUM_ROUNDS - 1}).interval

    assert (interval.lower, interval.upper) == (0.0, 5.0)


def test_ten_perfect_rounds_stand_above_luck() -> None:
    assert Tally({5.0: MINIMUM_ROUNDS}).interval.lower > LINE


@pytest.mark.parametrize("guesses", [[8, 9], [9], [10], [6, 7, 8, 9, 10]])
def test_ignoring_the_text_never_stands_above_luck(guesses: list[int]) -> None:
    assert not [seed for seed in range(60) if best_place(guesses, seed=seed) > LINE]
