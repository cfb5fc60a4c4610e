"""Glicko-2 as its author has worked it out, and what must hold for any results."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.glicko import START, WIDEST, Rating, rated

RATINGS = st.builds(
    Rating,
    mean=st.floats(500, 2500),
    deviation=st.floats(30, 350),
    volatility=st.floats(0.005, 0.1),
)
SCORES = st.floats(0, 1)


def test_the_worked_example_of_the_paper() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]

    after = rated(Rating(1500, 200, 0.06), opponents, tau=0.5)
    assert after.mean == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.02)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_results_only_the_deviation_grows() -> None:
    after = rated(Rating(1600, 50, 0.06), [])

    assert (after.mean, after.volatility) == (1600, 0.06)
    assert after.deviation == pytest.approx((50**2 + (173.7178 * 0.06) ** 2) ** 0.5)
    assert rated(Rating(1600, WIDEST, 0.06), []).deviation == WIDEST


def test_half_a_point_against_an_equal_moves_nobody() -> None:
    assert rated(Rating(), [(Rating(), 0.5)]).mean == pytest.approx(START)


@given(RATINGS, RATINGS, SCORES, SCORES)
def test_a_better_score_never_lowers_a_rating(one: Rating, other: Rating, low: float, high: float) -> None:
    low, high = sorted((low, high))

    assert rated(one, [(other, low)]).mean <= rated(one, [(other, high)]).mean + 1e-6


@given(RATINGS, RATINGS, SCORES)
def test_a_result_makes_one_surer_but_for_what_may_have_changed(
    one: Rating, other: Rating, score: float
) -> None:
    after = rated(one, [(other, score)], tau=0.3)

    grown = (one.deviation**2 + (173.7178 * after.volatility) ** 2) ** 0.5
    assert 0 < after.deviation <= grown
    assert after.volatility > 0


@given(RATINGS, RATINGS)
def test_the_surer_one_is_moved_less(one: Rating, other: Rating) -> None:
    sure, unsure = (Rating(one.mean, deviation, one.volatility) for deviation in (40, 300))

    moved = [abs(rated(each, [(other, 1.0)]).mean - each.mean) for each in (sure, unsure)]
    assert moved[0] <= moved[1]
