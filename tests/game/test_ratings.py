"""A round as a match of player against passage."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.ratings import PASSAGE, PLAYER, PROVISIONAL, STEP, play_out, replayed, score
from scoring.glicko import START, Rating

LINES = st.floats(0.5, 3.0)
POINTS = st.integers(0, 5)


@given(POINTS, LINES)
def test_scores_lie_between_none_and_all(points: int, line: float) -> None:
    assert 0 <= score(points, line) <= 1


@given(LINES, st.lists(st.floats(0, 1), min_size=6, max_size=6).filter(lambda chances: sum(chances) > 0.1))
def test_what_the_lazy_line_earns_is_a_draw_whatever_the_spread(line: float, chances: list[float]) -> None:
    mean = sum(points * chance for points, chance in enumerate(chances)) / sum(chances)
    expected = sum(score(points, line) * chance for points, chance in enumerate(chances)) / sum(chances)

    assert expected - 0.5 == pytest.approx((mean - line) / (2 * max(line, 5 - line)))


def test_who_is_not_sure_yet_moves_no_passage() -> None:
    sure, unsure = Rating(1600, PROVISIONAL - 1), Rating(1600, PROVISIONAL + 1)

    assert play_out(unsure, PASSAGE, 5, line=1.5, moves_passage=True)[1] == PASSAGE
    assert play_out(sure, PASSAGE, 5, line=1.5, moves_passage=True)[1].mean < PASSAGE.mean


def test_a_suspicious_round_moves_no_passage() -> None:
    assert play_out(Rating(1600, 60), PASSAGE, 5, line=1.5, moves_passage=False)[1] == PASSAGE


@given(POINTS, LINES, st.floats(1000, 2000))
def test_nobody_moves_far_at_once(points: int, line: float, strength: float) -> None:
    player, passage = play_out(PLAYER, Rating(strength, 50), points, line=line, moves_passage=True)

    assert abs(player.mean - PLAYER.mean) <= STEP
    assert abs(passage.mean - strength) <= STEP


@pytest.mark.parametrize("guess", ["always the same", "at random"])
def test_playing_without_reading_never_gets_above_average(guess: str) -> None:
    dice = Random(4)
    points = (
        (5, 4, 3, 2, 1, 0, 0, 0, 0, 0) if guess == "always the same" else (5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0)
    )
    played = [(Rating(deviation=60), dice.choice(points), 1.5) for _ in range(400)]

    after = replayed(played)
    assert after.mean - 2 * after.deviation < START


def test_playing_well_gets_above_average() -> None:
    after = replayed([(Rating(deviation=60), points, 1.5) for points in (5, 0, 5, 4, 5, 3) * 10])

    assert after.mean - 2 * after.deviation > START
