"""What the pages of the daily round read."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from app.services.daily import Day
from app.store.daily import Played
from app.web.formats import day_words
from game.days import WINDOW, is_in_time
from game.language import say, say_plural
from scoring.points import TOP


@dataclass(frozen=True, slots=True)
class ResultView:
    """How a day went for its player, and what they may tell others."""

    sentence: str
    is_rated: bool
    share: str
    card: str
    card_words: str
    round_address: str


@dataclass(frozen=True, slots=True)
class DailyView:
    """A day. `next_at` is when the next one begins, for the browser's own clock; `rest` says it in words."""

    title: str
    address: str
    is_today: bool
    is_there: bool
    is_open: bool
    would_count: bool
    is_spoilt: bool
    result: ResultView | None
    lately: int
    window: int
    streak: int
    next_at: str
    rest: str


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    """A day gone by."""

    words: str
    address: str
    state: str


@dataclass(frozen=True, slots=True)
class ArchiveView:
    """Days gone by, the latest first."""

    lines: tuple[ArchiveLine, ...]


def daily_view(day: Day, *, now: datetime, address: str) -> DailyView:
    """Return the view of a day; `address` is that of the site."""
    played = day.played
    is_closed = played is not None and played.closed_at is not None
    midnight = datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)
    return DailyView(
        title=day_words(day.day),
        address=f"/daily/{day.day}",
        is_today=day.is_today,
        is_there=day.is_there,
        is_open=played is not None and not is_closed,
        would_count=day.would_count,
        is_spoilt=day.is_spoilt,
        result=_result(day, played, address) if played is not None and is_closed else None,
        lately=day.lately,
        window=WINDOW,
        streak=day.streak,
        next_at=midnight.isoformat(),
        rest=_rest(midnight - now),
    )


def archive_view(days: Mapping[date, Played | None]) -> ArchiveView:
    """Return the view of days gone by."""
    return ArchiveView(
        tuple(ArchiveLine(day_words(day), f"/daily/{day}", _state(played)) for day, played in days.items())
    )


def _result(day: Day, played: Played, address: str) -> ResultView:
    points = played.points or 0
    when, home = day_words(day.day), f"{address}/daily"
    share = say(
        "Where does the human stop and the machine begin? I got %(points)s of %(top)s points in RoFT’s daily"
        " text of %(day)s, and played on %(lately)s of the last %(window)s days. %(address)s",
        points=points,
        top=TOP,
        day=when,
        lately=day.lately,
        window=WINDOW,
        address=home,
    )
    return ResultView(
        sentence=_earned(points),
        is_rated=played.is_rated and played.closed_at is not None and is_in_time(day.day, played.closed_at),
        share=share,
        card=f"/daily/{day.day}/card.png",
        card_words=say("RoFT, %(day)s: %(points)s of %(top)s points.", day=when, points=points, top=TOP),
        round_address=f"/rounds/{played.round_id}",
    )


def _earned(points: int) -> str:
    if points == TOP:
        return say("The very sentence: 5 points.")
    return say_plural("%(num)s point of %(top)s.", "%(num)s points of %(top)s.", points, top=TOP)


def _state(played: Played | None) -> str:
    if played is None:
        return say("not played")
    if played.points is None:
        return say("begun")
    return say("%(points)s of %(top)s points", points=played.points, top=TOP)


def _rest(left: timedelta) -> str:
    hours, minutes = divmod(int(left.total_seconds()) // 60, 60)
    if hours:
        return say("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes)
    return say("%(minutes)s min", minutes=minutes)
