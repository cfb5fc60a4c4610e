from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.days import best_streak, day_at, is_in_time, played_lately

TODAY = date(2026, 12, 31)
DAYS = st.sets(st.integers(0, 60).map(lambda back: TODAY - timedelta(days=back)))


@pytest.mark.parametrize(
    ("backs", "lately", "streak"),
    [
        ((), 0, 0),
        ((0,), 1, 1),
        ((29,), 1, 1),
        ((30,), 0, 1),
        ((0, 1, 2, 4, 5), 5, 3),
        ((31, 32, 33, 34), 0, 4),
    ],
)
def test_days_of_the_last_thirty_and_the_best_streak(
    backs: tuple[int, ...], lately: int, streak: int
) -> None:
    days = [TODAY - timedelta(days=back) for back in backs]
    assert (played_lately(days, TODAY), best_streak(days)) == (lately, streak)


@given(DAYS, DAYS)
def test_one_more_day_takes_nothing_away(some: set[date], more: set[date]) -> None:
    assert played_lately(some | more, TODAY) >= played_lately(some, TODAY)
    assert best_streak(some | more) >= best_streak(some)


@given(DAYS)
def test_a_day_missed_takes_one_day_and_not_the_best_streak(days: set[date]) -> None:
    tomorrow = TODAY + timedelta(days=1)
    assert played_lately(days, tomorrow) >= played_lately(days, TODAY) - 1
    assert best_streak(days) <= len(days)


def test_a_day_is_the_same_everywhere() -> None:
    moment = datetime(2026, 12, 1, 23, 30, tzinfo=UTC)
    zones = (timezone(timedelta(hours=13)), timezone(timedelta(hours=-8)))
    assert {day_at(moment.astimezone(zone)) for zone in zones} == {date(2026, 12, 1)}


@pytest.mark.parametrize(
    ("hour", "minute", "is_late"), [(23, 59, False), (24, 0, False), (24, 15, False), (24, 16, True)]
)
def test_a_quarter_of_an_hour_after_midnight_is_in_time(hour: int, minute: int, *, is_late: bool) -> None:
    end = datetime(2026, 12, 1, tzinfo=UTC) + timedelta(hours=hour, minutes=minute)
    assert is_in_time(date(2026, 12, 1), end) is not is_late
