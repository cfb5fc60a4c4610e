"""Signs that somebody stopped reading. Marks are columns; nothing is ever deleted."""

from collections.abc import Sequence
from itertools import groupby

RUN = 5
"""Identical guesses in a row that make a streak (Dugan et al. 2023, section 4.3)."""

STREAK_RULE = "excluded_streak/1"
"""Name and version of the rule that `streak_marks` applies."""

DUPLICATE_RULE = "excluded_duplicate_account/1"
"""Name and version of the rule that a passage counts once for a person, by the first answer."""

MANUAL_RULE = "excluded_manual/1"
"""Name and version of the rule that a person took the round, or its passage, out of all counts."""

UNRATED_RULE = "excluded_unrated/1"
"""Name and version of the rule that a daily round counts only when it was begun by an account, on
its day and a device where nobody else had begun it, and was finished in time."""


def streak_marks(guesses: Sequence[int], *, run: int = RUN) -> list[bool]:
    """Say of each round whether it lies in a run of at least `run` identical guesses.

    Args:
        guesses: one player's guesses in the order of closing, across genres.
        run: the shortest run that counts; one that ends the list counts too.

    Returns:
        One mark a guess, in the same order. (The predecessor's filter forgot the
        last window; this one does not.)
    """
    marks: list[bool] = []
    for _, group in groupby(guesses):
        size = sum(1 for _ in group)
        marks.extend([size >= run] * size)
    return marks


def run_length(guesses: Sequence[int]) -> int:
    """Return how many guesses at the end of the list are the same."""
    groups = [sum(1 for _ in group) for _, group in groupby(guesses)]
    return groups[-1] if groups else 0
