"""Days: their passages, who played them, and who came: rows in, values out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from app.store.inserting import insert_once
from app.store.passages import deck, deck_passage, hold
from app.store.tables import DailyPlay, DailyRow, Presence, RoundRow, table_of

daily = table_of(DailyRow)
play = table_of(DailyPlay)
presence = table_of(Presence)
round_ = table_of(RoundRow)


@dataclass(frozen=True, slots=True)
class Daily:
    """The passage of a day."""

    day: date
    passage_id: str
    deck_id: int


@dataclass(frozen=True, slots=True)
class Played:
    """A player's round on the passage of a day; `points` are None while it is open."""

    day: date
    round_id: str
    is_rated: bool
    closed_at: datetime | None
    points: int | None


_IS_HELD = exists().where(hold.c.passage_id == deck_passage.c.passage_id, hold.c.state != "cleared")
_FRESH = (
    select(deck_passage.c.passage_id, deck_passage.c.deck_id)
    .join(deck, deck.c.id == deck_passage.c.deck_id)
    .where(
        deck.c.slug == bindparam("slug"),
        deck.c.retired_at.is_(None),
        ~_IS_HELD,
        ~exists().where(daily.c.passage_id == deck_passage.c.passage_id),
    )
    .order_by(deck_passage.c.passage_id)
)
_PLAYED = (
    select(play.c.day, play.c.round_id, play.c.is_rated, round_.c.closed_at, round_.c.points)
    .join(round_, round_.c.id == play.c.round_id)
    .where(round_.c.player_id == bindparam("player_id"))
)
_SPOILT = (
    select(play.c.round_id)
    .join(round_, round_.c.id == play.c.round_id)
    .where(
        play.c.day == bindparam("day"),
        play.c.device == bindparam("device"),
        round_.c.player_id != bindparam("player_id"),
    )
    .limit(1)
)


def daily_of(db: Connection, day: date) -> Daily | None:
    """Return the passage of a day; None if nobody has asked for it yet."""
    row = db.execute(
        select(daily.c.day, daily.c.passage_id, daily.c.deck_id).where(daily.c.day == day)
    ).one_or_none()
    return Daily(*row) if row else None


def fresh_passages(db: Connection, slug: str) -> dict[str, int]:
    """Return passages of a deck that no day has had, each with the id of the deck."""
    return {passage_id: deck_id for passage_id, deck_id in db.execute(_FRESH, {"slug": slug})}  # noqa: C416


def add_daily(db: Connection, new: Daily, *, now: datetime) -> None:
    """Give a day its passage, unless it has one."""
    row = {"day": new.day, "passage_id": new.passage_id, "deck_id": new.deck_id, "drawn_at": now}
    insert_once(db, daily, row)


def days_before(db: Connection, day: date, *, limit: int) -> list[date]:
    """Return days that have a passage, the latest first."""
    found = select(daily.c.day).where(daily.c.day < day).order_by(daily.c.day.desc()).limit(limit)
    return list(db.execute(found).scalars())


def add_play(db: Connection, round_id: str, day: date, device: str, *, is_rated: bool) -> None:
    """Note that a round is one on the passage of a day."""
    db.execute(insert(play), {"round_id": round_id, "day": day, "device": device, "is_rated": is_rated})


def is_spoilt(db: Connection, day: date, device: str, player_id: str) -> bool:
    """Say whether somebody else has begun a day's round on a device."""
    values = {"day": day, "device": device, "player_id": player_id}
    return db.execute(_SPOILT, values).first() is not None


def plays_of(db: Connection, player_id: str) -> dict[date, Played]:
    """Return a player's rounds on passages of days."""
    return {row.day: Played(*row) for row in db.execute(_PLAYED, {"player_id": player_id})}


def come(db: Connection, player_id: str, day: date) -> None:
    """Note that a player finished a round on a day."""
    insert_once(db, presence, {"player_id": player_id, "day": day})


def days_of(db: Connection, player_id: str) -> Sequence[date]:
    """Return the days on which a player finished a round, in order."""
    found = select(presence.c.day).where(presence.c.player_id == player_id).order_by(presence.c.day)
    return list(db.execute(found).scalars())


def hand_over_days(db: Connection, guest_id: str, player_id: str) -> None:
    """Give a player the days of a guest."""
    for day in days_of(db, guest_id):
        come(db, player_id, day)
    drop_days(db, guest_id)


def drop_days(db: Connection, player_id: str) -> None:
    """Forget on which days a player came."""
    db.execute(delete(presence).where(presence.c.player_id == player_id))


def forget_devices(db: Connection, player_id: str) -> None:
    """Forget where a player played."""
    theirs = select(round_.c.id).where(round_.c.player_id == player_id)
    db.execute(update(play).where(play.c.round_id.in_(theirs)).values(device=""))


def count_fresh(db: Connection, slug: str) -> int:
    """Return how many more days a deck lasts."""
    return int(db.execute(select(func.count()).select_from(_FRESH.subquery()), {"slug": slug}).scalar_one())
