"""The scoring rule of the boundary game, and what it pays those who do not read."""

from collections.abc import Sequence
from fractions import Fraction

TOP = 5
"""Points for an exact hit."""


def distance_decay(guess: int, boundary: int, *, top: int = TOP) -> int:
    """Return `max(top - n, 0)` for a guess `n` sentences late, 0 for one too early.

    Args:
        guess: zero-based index of the sentence called the first machine one; the
            number of sentences stands for "all human".
        boundary: the true index, same convention.
        top: points for an exact hit.

    Source: Dugan et al. 2023 (AAAI), section 3.
    """
    if guess < boundary:
        return 0
    return max(top - (guess - boundary), 0)


def constant_lines(boundaries: Sequence[int], *, length: int) -> dict[int, Fraction]:
    """Return what each constant guess earns per round on rounds with these boundaries.

    Args:
        boundaries: the boundary of every round, zero-based, at least one.
        length: sentences in a passage; guesses run from 1 to `length` ("all human").

    Returns:
        The mean points of each guess, exactly.
    """
    return {
        guess: Fraction(sum(distance_decay(guess, boundary) for boundary in boundaries), len(boundaries))
        for guess in range(1, length + 1)
    }


def best_lazy_line(boundaries: Sequence[int], *, length: int) -> Fraction:
    """Return the mean points of the best answer that ignores the text.

    No mixture of constant guesses, however chosen, has a higher expectation.
    """
    return max(constant_lines(boundaries, length=length).values())


def uniform_line(boundaries: Sequence[int], *, length: int) -> Fraction:
    """Return the mean points of guessing uniformly at random; 13/10 for uniform boundaries."""
    lines = constant_lines(boundaries, length=length)
    return sum(lines.values(), start=Fraction(0)) / len(lines)


def call_is_right(guess: int, boundary: int, *, length: int) -> bool:
    """Say whether the answer that closed a round was true.

    Args:
        guess: index of the sentence called a machine's; `length` for "all human".
        boundary: index of the first sentence that is not the human's; `length` if there is none.
        length: sentences of the passage.
    """
    return boundary == length if guess == length else boundary <= guess


def confidence_points(confidence: int, *, is_right: bool) -> int:
    """Return what it earned to be so sure: 25 − 100 (o − p)², rounded to a whole number.

    The quadratic rule (Brier 1950), moved so that 50 % earns nothing either way. It is proper:
    on average nothing earns more than to say what one believes.

    Args:
        confidence: per cent, 50 to 100.
        is_right: the outcome o, 1 or 0.

    Returns:
        From -75 (certain, and wrong) to 25 (certain, and right).
    """
    miss = (100 if is_right else 0) - confidence
    return round(25 - miss * miss / 100)
