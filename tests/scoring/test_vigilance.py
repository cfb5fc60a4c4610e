import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.vigilance import run_length, streak_marks

HISTORIES = st.lists(st.integers(1, 3), max_size=40)


def brute_force(guesses: list[int]) -> list[bool]:
    """The definition, word for word: some window of five identical guesses holds the round."""
    marked = set[int]()
    for start in range(len(guesses) - 4):
        window = range(start, start + 5)
        if len({guesses[index] for index in window}) == 1:
            marked.update(window)
    return [index in marked for index in range(len(guesses))]


@given(HISTORIES)
def test_marks_agree_with_the_definition(guesses: list[int]) -> None:
    assert streak_marks(guesses) == brute_force(guesses)


@given(HISTORIES, st.integers(1, 3))
def test_playing_on_never_takes_a_mark_away(guesses: list[int], guess: int) -> None:
    before, after = streak_marks(guesses), streak_marks([*guesses, guess])

    assert all(later or not earlier for earlier, later in zip(before, after, strict=False))


@pytest.mark.parametrize(
    ("guesses", "marked"),
    [
        ([7] * 4, 0),  # not yet
        ([7] * 5, 5),  # a run that is all there is
        ([1, 7, 7, 7, 7, 7], 5),  # a run that ends the list
        ([7, 7, 7, 7, 7, 1], 5),
        ([7, 7, 7, 7, 1, 7], 0),  # broken
        ([], 0),
    ],
)
def test_marks_by_example(guesses: list[int], marked: int) -> None:
    assert sum(streak_marks(guesses)) == marked


@pytest.mark.parametrize(("guesses", "length"), [([], 0), ([1], 1), ([1, 2, 2, 2], 3), ([2, 2, 1], 1)])
def test_the_run_at_the_end_is_as_long_as_it_is(guesses: list[int], length: int) -> None:
    assert run_length(guesses) == length
