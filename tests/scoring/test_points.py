from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.points import (
    best_lazy_line,
    call_is_right,
    confidence_points,
    constant_lines,
    distance_decay,
    uniform_line,
)

GUESSES = st.integers(1, 10)
EVEN = list(range(1, 11))


@given(GUESSES, GUESSES)
def test_points_are_never_negative_and_at_most_five(guess: int, boundary: int) -> None:
    assert 0 <= distance_decay(guess, boundary) <= 5


@given(GUESSES)
def test_an_exact_hit_earns_five(boundary: int) -> None:
    assert distance_decay(boundary, boundary) == 5


@given(GUESSES, GUESSES)
def test_a_guess_before_the_boundary_earns_nothing(guess: int, boundary: int) -> None:
    assert guess >= boundary or distance_decay(guess, boundary) == 0


@given(GUESSES, st.integers(0, 9))
def test_points_decrease_by_one_a_sentence_until_they_are_gone(boundary: int, late: int) -> None:
    points = distance_decay(boundary + late, boundary)

    assert points == max(5 - late, 0)
    assert distance_decay(boundary + late + 1, boundary) == max(points - 1, 0)


def test_guessing_uniformly_on_uniform_boundaries_earns_exactly_one_point_three() -> None:
    assert uniform_line(EVEN, length=10) == Fraction(13, 10)


def test_constant_guesses_on_uniform_boundaries_earn_what_the_guide_says() -> None:
    lines = [float(line) for line in constant_lines(EVEN, length=10).values()]

    assert lines == [0.5, 0.9, 1.2, 1.4, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]


def test_the_best_lazy_answer_on_uniform_boundaries_earns_one_and_a_half() -> None:
    assert best_lazy_line(EVEN, length=10) == Fraction(3, 2)


@given(st.lists(GUESSES, min_size=1), st.lists(st.integers(0, 5), min_size=10, max_size=10))
def test_no_mixture_of_answers_beats_the_best_constant_one(boundaries: list[int], weights: list[int]) -> None:
    total = sum(weights) or 1
    lines = constant_lines(boundaries, length=10)
    mixed = sum(lines[guess] * weight for guess, weight in enumerate(weights, start=1)) / total

    assert mixed <= best_lazy_line(boundaries, length=10)


@pytest.mark.parametrize(
    ("guess", "boundary", "points"),
    [
        (3, 3, 5),  # exact
        (4, 3, 4),  # one late
        (7, 3, 1),  # four late
        (8, 3, 0),  # five late
        (2, 3, 0),  # early
        (10, 10, 5),  # all human, and said so
        (10, 6, 1),  # missed, but not by much
        (10, 1, 0),  # missed altogether
    ],
)
def test_points_by_example(guess: int, boundary: int, points: int) -> None:
    assert distance_decay(guess, boundary) == points


@pytest.mark.parametrize(
    ("guess", "boundary", "is_right"),
    [(3, 3, True), (4, 3, True), (2, 3, False), (10, 10, True), (10, 9, False), (9, 10, False)],
)
def test_the_closing_call_is_right_if_that_sentence_or_none_is_not_the_humans(
    guess: int, boundary: int, *, is_right: bool
) -> None:
    assert call_is_right(guess, boundary, length=10) is is_right


@pytest.mark.parametrize(
    ("confidence", "right", "wrong"),
    [(50, 0, 0), (60, 9, -11), (70, 16, -24), (80, 21, -39), (90, 24, -56), (100, 25, -75)],
)
def test_what_it_earns_to_be_so_sure(confidence: int, right: int, wrong: int) -> None:
    assert confidence_points(confidence, is_right=True) == right
    assert confidence_points(confidence, is_right=False) == wrong


@given(st.sampled_from(range(50, 101, 10)), st.sampled_from(range(50, 101, 10)))
def test_nothing_earns_more_on_average_than_to_say_what_one_believes(belief: int, said: int) -> None:
    def mean(confidence: int) -> float:
        right = belief / 100
        return right * confidence_points(confidence, is_right=True) + (1 - right) * confidence_points(
            confidence, is_right=False
        )

    assert mean(belief) >= mean(said)
