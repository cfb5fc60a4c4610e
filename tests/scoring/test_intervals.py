from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.intervals import betting_interval

SCORES = (0.0, 1.0, 1.3, 2.0, 3.0, 4.0, 5.0)
COUNTS = st.dictionaries(st.sampled_from(SCORES), st.integers(1, 300), min_size=1)


def mean(counts: dict[float, int]) -> float:
    return sum(score * count for score, count in counts.items()) / sum(counts.values())


@given(COUNTS)
def test_the_interval_holds_the_mean_and_stays_in_range(counts: dict[float, int]) -> None:
    interval = betting_interval(counts, top=5.0, alpha=0.05)

    assert 0.0 <= interval.lower <= mean(counts) <= interval.upper <= 5.0


@given(COUNTS)
def test_four_times_the_rounds_give_a_narrower_interval(counts: dict[float, int]) -> None:
    once = betting_interval(counts, top=5.0, alpha=0.05)
    often = betting_interval({score: 4 * count for score, count in counts.items()}, top=5.0, alpha=0.05)

    assert often.upper - often.lower <= once.upper - once.lower + 0.002


@given(COUNTS)
def test_turning_the_scores_round_turns_the_interval_round(counts: dict[float, int]) -> None:
    interval = betting_interval(counts, top=5.0, alpha=0.05)
    mirrored = betting_interval({5.0 - score: count for score, count in counts.items()}, top=5.0, alpha=0.05)

    assert interval.lower == pytest.approx(5.0 - mirrored.upper, abs=0.002)


def test_nothing_is_known_without_a_round() -> None:
    interval = betting_interval({}, top=5.0, alpha=0.05)

    assert (interval.lower, interval.upper) == (0.0, 5.0)


def test_looking_after_every_round_misses_the_mean_less_often_than_alpha_allows() -> None:
    dice = Random(5)
    misses = 0
    for _ in range(300):
        counts: Counter[float] = Counter()
        for _ in range(60):
            counts[float(dice.choice((0, 0, 0, 0, 0, 1, 2, 3, 4, 5)))] += 1
            interval = betting_interval(counts, top=5.0, alpha=0.1)
            if not interval.lower <= 1.5 <= interval.upper:
                misses += 1
                break

    assert misses / 300 <= 0.1
