"""A profile counts hits and misses the way people talk about them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.mode import PlayedRound
from game.modes.boundary.profile import BLOCK, ProfileView, profile_screen
from scoring.points import distance_decay

MACHINE = {"call": "machine", "reasons": ["generic"]}
HUMAN = {"call": "human", "reasons": ["voice"]}


def played(boundary: int, guess: int, **other: Any) -> PlayedRound:
    """Return a round; a guess of 10 says “all human”."""
    fields: dict[str, Any] = {
        "genre": "speeches",
        "generator": "toy" if boundary < 10 else "nobody",
        "boundary": boundary,
        "length": 10,
        "guess": guess,
        "points": distance_decay(guess, boundary),
        "is_in_streak": False,
        "confidence": None,
        "last_form": MACHINE if guess < 10 else HUMAN,
    }
    return PlayedRound(**{**fields, **other})


def view(*rounds: PlayedRound) -> ProfileView:
    """Return the profile of some rounds."""
    found = profile_screen(rounds).view
    assert isinstance(found, ProfileView)
    return found


@pytest.mark.parametrize(
    ("boundary", "guess", "told"),
    [
        (4, 4, (1, 0, 0, 0)),
        (10, 10, (1, 0, 0, 0)),
        (4, 3, (0, 1, 0, 0)),
        (10, 3, (0, 1, 0, 0)),
        (4, 5, (0, 0, 1, 0)),
        (4, 10, (0, 0, 1, 1)),
    ],
)
def test_a_round_is_exact_too_early_or_too_late(boundary: int, guess: int, told: tuple[int, ...]) -> None:
    line = view(played(boundary, guess)).genres[0]

    assert (line.exact, line.suspected, line.fooled, line.unnoticed) == told


def test_every_genre_and_generator_has_its_line() -> None:
    found = view(played(4, 4), played(10, 10, genre="stories"), played(3, 10, genre="stories"))

    assert [(line.name, line.rounds) for line in found.genres] == [("speeches", 1), ("stories", 2)]
    assert [(line.name, line.rounds) for line in found.generators] == [("nobody", 1), ("toy", 2)]


def test_means_are_told_of_all_rounds_and_as_boards_count_them() -> None:
    found = view(*[played(4, 4, is_in_streak=True)] * 5, *[played(4, 3)] * 5)

    overall = found.means[0]
    assert (overall.genre, overall.rounds, overall.points) == (None, 10, 25)
    assert overall.mean == 2.5
    assert overall.counted_mean == pytest.approx(0.65)
    assert overall.interval is not None
    assert overall.interval.lower <= 0.65 <= overall.interval.upper
    assert view(*[played(4, 4)] * 9).means[0].interval is None


def test_reasons_are_told_with_how_often_the_call_was_right() -> None:
    found = view(
        played(4, 4),
        played(4, 6),
        played(4, 3),
        played(10, 10),
        played(4, 10),
        played(4, 4, last_form={"call": "machine"}),
    )

    assert [(line.words, line.given, line.right_percent) for line in found.reasons] == [
        ("says nothing in particular", 3, 67),
        ("it has a voice of its own", 2, 50),
    ]


def test_sureness_is_told_in_tens() -> None:
    sure = [(50, 3), (55, 5), (59, 4), (100, 4), (100, 2)]
    found = view(*(played(4, guess, confidence=confidence) for confidence, guess in sure), played(4, 4))

    assert [(line.words, line.calls, line.right_percent) for line in found.sureness] == [
        ("50 to 59 %", 3, 67),
        ("100 %", 2, 50),
    ]


def test_the_curve_has_a_bar_for_every_full_ten() -> None:
    found = view(*[played(4, 3)] * BLOCK, *[played(4, 4)] * BLOCK, played(4, 4))

    assert [(bar.mean, bar.x, bar.y) for bar in found.curve] == [(0, 0, 5), (5, 1, 0)]


def won(*rounds: PlayedRound) -> set[str]:
    """Return the trophies that some rounds win."""
    return {trophy.title for trophy in view(*rounds).trophies if trophy.is_won}


def test_trophies_are_won_at_their_number_and_not_before() -> None:
    exact, miss = played(4, 4), played(4, 3)

    assert won(miss) == {"First light"}
    assert "Hat trick" not in won(exact, exact, miss, exact)
    assert "Hat trick" in won(miss, exact, exact, exact)
    assert "Benefit of the doubt" in won(*[played(10, 10)] * 3)
    assert "To the last line" in won(played(9, 9))
    assert "Well-read" in won(exact, played(4, 4, genre="stories"), played(4, 4, genre="recipes"))


@given(st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), max_size=40))
def test_every_round_is_in_one_pile_and_nothing_is_lost(calls: list[tuple[int, int]]) -> None:
    rounds = [played(boundary, guess) for boundary, guess in calls]
    found = view(*rounds)

    for lines in (found.genres, found.generators):
        assert sum(line.rounds for line in lines) == len(rounds)
        assert all(line.exact + line.suspected + line.fooled == line.rounds for line in lines)
    assert found.means[0].points == sum(one.points for one in rounds)
