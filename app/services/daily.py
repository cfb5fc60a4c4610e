"""The daily round: one passage a day for everybody, from 00:00 UTC."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from random import Random
from uuid import uuid4

from sqlalchemy import Connection

from app.errors import NoDailyError
from app.services.joining import seat_player
from app.services.playing import Started
from app.store.daily import (
    Daily,
    Played,
    add_daily,
    add_play,
    count_fresh,
    daily_of,
    days_before,
    days_of,
    fresh_passages,
    is_spoilt,
    plays_of,
)
from app.store.passages import load_passage
from app.store.players import GUEST, Claim, role_of
from app.store.rounds import NewRound, add_round, open_round_id
from game.days import DAILY, best_streak, day_at, played_lately
from game.language import say
from game.mode import Policy
from game.modes import modes

ARCHIVE = 60
"""Days that the archive lists."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day as its player sees it.

    Attributes:
        day: the date in UTC.
        is_today: whether its rounds may still count.
        is_there: whether it has a passage, or can get one.
        played: the player's round on it, if there is one.
        would_count: whether a round begun now, here, by this player would be rated.
        is_spoilt: whether that is so because somebody else began the day on this device.
        lately: on how many of the last thirty days the player finished a round.
        streak: the most days in a row, ever.
    """

    day: date
    is_today: bool
    is_there: bool
    played: Played | None
    would_count: bool
    is_spoilt: bool
    lately: int
    streak: int


def day_of(db: Connection, claim: Claim | None, day: date, *, device: str | None, now: datetime) -> Day:
    """Return a day as somebody sees it; a stranger has played none.

    Raises:
        NoDailyError: that day is still to come.
    """
    _must_have_come(day, now)
    player_id = claim.player_id if claim else None
    days = days_of(db, player_id) if player_id else ()
    is_today = day == day_at(now)
    spoilt = bool(device and is_today and is_spoilt(db, day, device, player_id or ""))
    return Day(
        day=day,
        is_today=is_today,
        is_there=daily_of(db, day) is not None or (is_today and count_fresh(db, DAILY) > 0),
        played=plays_of(db, player_id).get(day) if player_id else None,
        would_count=is_today and not spoilt and _has_account(db, player_id),
        is_spoilt=spoilt,
        lately=played_lately(days, day_at(now)),
        streak=best_streak(days),
    )


def archive(db: Connection, claim: Claim | None, *, now: datetime) -> Mapping[date, Played | None]:
    """Return the days before today, the latest first, with the player's round on each."""
    played = plays_of(db, claim.player_id) if claim else {}
    return {day: played.get(day) for day in days_before(db, day_at(now), limit=ARCHIVE)}


def start_daily(
    db: Connection,
    claim: Claim,
    day: date,
    *,
    device: str,
    policy: Policy,
    rng: Random,
    now: datetime,
) -> Started:
    """Return the player's round on the passage of a day, begun now if need be.

    Another day's round that is still open has to be finished first, and is returned instead.

    Raises:
        NoDailyError: that day is still to come, or has no passage.
    """
    _must_have_come(day, now)
    handle = seat_player(db, claim, rng=rng, now=now)
    drawn = _drawn(db, day, rng=rng, now=now)
    played = plays_of(db, claim.player_id).get(day)
    if played is not None:
        return Started(played.round_id, is_new=False, handle=handle)
    passage = load_passage(db, drawn.passage_id)
    mode = next(mode for mode in modes().values() if mode.accepts(passage))
    open_id = open_round_id(db, claim.player_id, mode.slug, DAILY)
    if open_id is not None:
        return Started(open_id, is_new=False, handle=handle)
    is_rated = (
        day == day_at(now)
        and _has_account(db, claim.player_id)
        and not is_spoilt(db, day, device, claim.player_id)
    )
    new = NewRound(
        id=uuid4().hex,
        player_id=claim.player_id,
        passage_id=drawn.passage_id,
        deck_id=drawn.deck_id,
        mode=mode.slug,
        genre=DAILY,
        asked_genre=None,
        policy=policy,
        started_at=now,
    )
    add_round(db, new)
    add_play(db, new.id, day, device, is_rated=is_rated)
    return Started(new.id, is_new=True, handle=handle)


def _must_have_come(day: date, now: datetime) -> None:
    if day > day_at(now):
        raise NoDailyError(say("That day has not come yet; days change at 00:00 UTC."))


def _has_account(db: Connection, player_id: str | None) -> bool:
    return player_id is not None and role_of(db, player_id) not in {None, GUEST}


def _drawn(db: Connection, day: date, *, rng: Random, now: datetime) -> Daily:
    """Return the passage of a day; today's is drawn now if nobody has asked for it before."""
    if daily_of(db, day) is None and day == day_at(now):
        fresh = fresh_passages(db, DAILY)
        if fresh:
            passage_id = rng.choice(list(fresh))
            add_daily(db, Daily(day, passage_id, fresh[passage_id]), now=now)
    drawn = daily_of(db, day)
    if drawn is None:
        raise NoDailyError(say("There is no text for that day; play a round of any genre instead."))
    return drawn
