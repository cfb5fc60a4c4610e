"""Rounds, moves and events: rows in, values out. Few columns, few statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, true, update

from app.store.inserting import insert_once
from app.store.passages import passage, passage_from
from app.store.tables import DailyPlay, EventRow, MoveRow, RoundRow, table_of
from game.mode import Policy
from game.passage import Passage

round_ = table_of(RoundRow)
move = table_of(MoveRow)
event = table_of(EventRow)
play = table_of(DailyPlay)


@dataclass(frozen=True, slots=True)
class StoredMove:
    """A move as it was stored."""

    form: Mapping[str, Any]
    decided_at: datetime
    confidence: int | None


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round with its passage and all its moves, in order.

    `day` is that of a daily round; `may_count` says whether such a round is one that can be rated, and
    is True for any other.
    """

    id: str
    player_id: str
    passage_id: str
    deck_id: int
    mode: str
    genre: str
    asked_genre: str | None
    policy: Policy
    started_at: datetime
    is_closed: bool
    passage: Passage
    moves: Sequence[StoredMove]
    day: date | None
    may_count: bool


@dataclass(frozen=True, slots=True)
class NewRound:
    """A round about to start."""

    id: str
    player_id: str
    passage_id: str
    deck_id: int
    mode: str
    genre: str
    asked_genre: str | None
    policy: Policy
    started_at: datetime


@dataclass(frozen=True, slots=True)
class OwnedRound:
    """A round, as far as mergers care."""

    id: str
    passage_id: str
    mode: str
    genre: str
    started_at: datetime
    closed_at: datetime | None
    closing: int | None


_ROUND = (
    select(
        round_.c.id,
        round_.c.player_id,
        round_.c.passage_id,
        round_.c.deck_id,
        round_.c.mode,
        round_.c.genre,
        round_.c.asked_genre,
        round_.c.policy,
        round_.c.started_at,
        round_.c.closed_at.is_not(None).label("is_closed"),
        passage.c.sentences,
        passage.c.mode_data,
        play.c.day,
        func.coalesce(play.c.is_rated, true()).label("may_count"),
    )
    .join(passage, passage.c.id == round_.c.passage_id)
    .outerjoin(play, play.c.round_id == round_.c.id)
    .where(round_.c.id == bindparam("round_id"), round_.c.player_id == bindparam("player_id"))
)
_MOVES = (
    select(move.c.form, move.c.decided_at, move.c.confidence)
    .where(move.c.round_id == bindparam("round_id"))
    .order_by(move.c.number)
)
_OPEN = (
    select(round_.c.id)
    .where(
        round_.c.player_id == bindparam("player_id"),
        round_.c.mode == bindparam("mode"),
        round_.c.closed_at.is_(None),
    )
    .order_by(round_.c.started_at.desc())
    .limit(1)
)
_OPEN_IN_GENRE = _OPEN.where(round_.c.genre == bindparam("genre"))
_CLOSE = (
    update(round_)
    .where(round_.c.id == bindparam("round_id"))
    .values(
        closed_at=bindparam("closed_at"),
        closing=bindparam("closing"),
        points=bindparam("points"),
        guess=bindparam("guess"),
    )
)
_OWNED = select(func.count()).where(
    round_.c.id == bindparam("round_id"), round_.c.player_id == bindparam("player_id")
)
_EVENTS = select(func.count()).where(event.c.round_id == bindparam("round_id"))
_INSERT_ROUND = insert(round_)
_INSERT_EVENT = insert(event)


def load_round(db: Connection, round_id: str, player_id: str) -> StoredRound | None:
    """Return a player's round; None if there is none or it is somebody else's."""
    row = db.execute(_ROUND, {"round_id": round_id, "player_id": player_id}).one_or_none()
    if row is None:
        return None
    return StoredRound(
        id=row.id,
        player_id=row.player_id,
        passage_id=row.passage_id,
        deck_id=row.deck_id,
        mode=row.mode,
        genre=row.genre,
        asked_genre=row.asked_genre,
        policy=Policy.model_validate(row.policy),
        started_at=row.started_at,
        is_closed=row.is_closed,
        passage=passage_from(row.sentences, row.mode_data),
        moves=load_moves(db, round_id),
        day=row.day,
        may_count=row.may_count,
    )


def load_moves(db: Connection, round_id: str) -> list[StoredMove]:
    """Return the moves of a round, in order."""
    return [StoredMove(*row) for row in db.execute(_MOVES, {"round_id": round_id})]


def open_round_id(db: Connection, player_id: str, mode: str, genre: str | None) -> str | None:
    """Return the player's open round of a mode (and genre), the latest if there are several."""
    statement = _OPEN if genre is None else _OPEN_IN_GENRE
    return db.execute(statement, {"player_id": player_id, "mode": mode, "genre": genre}).scalar()


def add_round(db: Connection, new: NewRound) -> None:
    """Write a new round."""
    db.execute(
        _INSERT_ROUND,
        {
            "id": new.id,
            "player_id": new.player_id,
            "passage_id": new.passage_id,
            "deck_id": new.deck_id,
            "mode": new.mode,
            "genre": new.genre,
            "asked_genre": new.asked_genre,
            "policy": new.policy.model_dump(mode="json"),
            "started_at": new.started_at,
        },
    )


def add_move(db: Connection, round_id: str, number: int, columns: Mapping[str, Any]) -> bool:
    """Write a move; False if that turn has been played."""
    return insert_once(db, move, {"round_id": round_id, "number": number, **columns})


def close_round(
    db: Connection, round_id: str, *, closed_at: datetime, closing: int, points: int | None, guess: int | None
) -> None:
    """Write how a round ended; it never changes after that."""
    db.execute(
        _CLOSE,
        {"round_id": round_id, "closed_at": closed_at, "closing": closing, "points": points, "guess": guess},
    )


def owns_round(db: Connection, round_id: str, player_id: str) -> bool:
    """Say whether a round exists and is this player's."""
    return bool(db.execute(_OWNED, {"round_id": round_id, "player_id": player_id}).scalar())


def count_events(db: Connection, round_id: str) -> int:
    """Return how many events of a round are in the log."""
    return int(db.execute(_EVENTS, {"round_id": round_id}).scalar_one())


def add_events(db: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write events."""
    db.execute(_INSERT_EVENT, list(rows))


def rounds_of(db: Connection, player_id: str) -> list[OwnedRound]:
    """Return all rounds of a player in the order in which they were closed, the open ones last."""
    found = (
        select(
            round_.c.id,
            round_.c.passage_id,
            round_.c.mode,
            round_.c.genre,
            round_.c.started_at,
            round_.c.closed_at,
            round_.c.closing,
        )
        .where(round_.c.player_id == player_id)
        .order_by(round_.c.closing.is_(None), round_.c.mode, round_.c.closing, round_.c.started_at)
    )
    return [OwnedRound(*row) for row in db.execute(found)]


def hand_over(db: Connection, round_id: str, player_id: str, *, closing: int | None) -> None:
    """Give a round another player; the database allows it between the two of a merger only."""
    moved = update(round_).where(round_.c.id == round_id).values(player_id=player_id, closing=closing)
    db.execute(moved)


def count_closed(db: Connection, player_id: str) -> int:
    """Return how many rounds of a player are over."""
    found = select(func.count()).where(round_.c.player_id == player_id, round_.c.closed_at.is_not(None))
    return int(db.execute(found).scalar_one())


def modes_played(db: Connection, player_id: str) -> list[str]:
    """Return the modes in which a player has finished a round."""
    found = select(round_.c.mode).where(round_.c.player_id == player_id, round_.c.closed_at.is_not(None))
    return list(db.execute(found.distinct().order_by(round_.c.mode)).scalars())


def passage_of_round(db: Connection, round_id: str, player_id: str) -> str | None:
    """Return the passage of a player's round."""
    found = select(round_.c.passage_id).where(round_.c.id == round_id, round_.c.player_id == player_id)
    return db.execute(found).scalar()
