"""Players: rows in, values out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, select, update

from app.store.inserting import insert_once
from app.store.tables import FormerHandle, Merger, Player, table_of
from game.handles import skeleton

player = table_of(Player)
merger = table_of(Merger)
former_handle = table_of(FormerHandle)

GUEST = "guest"

_LOCK = select(player.c.handle).where(player.c.id == bindparam("player_id")).with_for_update(key_share=True)
_IS_TAKEN_OVER = (
    select(player.c.id)
    .outerjoin(merger, merger.c.guest_id == player.c.id)
    .where(
        player.c.id == bindparam("player_id"),
        (player.c.role != GUEST) | merger.c.guest_id.is_not(None) | player.c.erased_at.is_not(None),
    )
)


@dataclass(frozen=True, slots=True)
class Claim:
    """Who somebody says they are, with our signature under it; the row may not exist yet."""

    player_id: str
    handle: str


@dataclass(frozen=True, slots=True)
class Person:
    """What is known of a player; `board` says how they stand on boards."""

    player_id: str
    handle: str
    role: str
    created_at: datetime
    board: str
    shows_rating: bool

    @property
    def claim(self) -> Claim:
        """Who they are."""
        return Claim(self.player_id, self.handle)


_PERSON = select(
    player.c.id, player.c.handle, player.c.role, player.c.created_at, player.c.board, player.c.shows_rating
).where(player.c.erased_at.is_(None))


def lock_player(db: Connection, player_id: str) -> str | None:
    """Let nobody else start or close rounds of this player until the transaction ends.

    Returns:
        The handle; None if there is no such player yet.
    """
    return db.execute(_LOCK, {"player_id": player_id}).scalar()


def add_player(db: Connection, claim: Claim, *, role: str, now: datetime) -> bool:
    """Write a player; False if the id, the handle, or one that looks like it is taken."""
    if is_given_up(db, claim.handle):
        return False
    row = {
        "id": claim.player_id,
        "handle": claim.handle,
        "skeleton": skeleton(claim.handle),
        "role": role,
        "created_at": now,
        "board": "named",
        "shows_rating": True,
    }
    return insert_once(db, player, row)


def load_person(db: Connection, player_id: str) -> Person | None:
    """Return what is known of a player; None if there is no such player (any more)."""
    row = db.execute(_PERSON.where(player.c.id == player_id)).one_or_none()
    return Person(*row) if row else None


def person_named(db: Connection, handle: str) -> Person | None:
    """Return the player of a handle, or of one they gave up."""
    row = db.execute(_PERSON.where(player.c.handle == handle)).one_or_none()
    if row is None:
        former = select(former_handle.c.player_id).where(former_handle.c.handle == handle)
        row = db.execute(_PERSON.where(player.c.id.in_(former))).one_or_none()
    return Person(*row) if row else None


def role_of(db: Connection, player_id: str) -> str | None:
    """Return what a player may do; None if there is no such player yet."""
    return db.execute(select(player.c.role).where(player.c.id == player_id)).scalar()


def is_taken_over(db: Connection, player_id: str) -> bool:
    """Say whether a player is no guest (any more), so that a guest's token is not enough."""
    return db.execute(_IS_TAKEN_OVER, {"player_id": player_id}).first() is not None


def is_given_up(db: Connection, handle: str, *, except_by: str = "") -> bool:
    """Say whether somebody else has had a handle, or one that looks like it."""
    found = select(former_handle.c.player_id).where(
        former_handle.c.skeleton == skeleton(handle), former_handle.c.player_id != except_by
    )
    return db.execute(found).first() is not None


def holder_of(db: Connection, handle: str) -> str | None:
    """Return whose handle, or one that looks like it, this is."""
    return db.execute(select(player.c.id).where(player.c.skeleton == skeleton(handle))).scalar()


def rename_player(db: Connection, before: Claim, handle: str, *, now: datetime) -> None:
    """Give a player another handle; the one before stays theirs."""
    folded = skeleton(handle)
    if folded != skeleton(before.handle):
        row = {
            "skeleton": skeleton(before.handle),
            "handle": before.handle,
            "player_id": before.player_id,
            "given_up_at": now,
        }
        insert_once(db, former_handle, row)
    db.execute(
        delete(former_handle).where(
            former_handle.c.skeleton == folded, former_handle.c.player_id == before.player_id
        )
    )
    db.execute(update(player).where(player.c.id == before.player_id).values(handle=handle, skeleton=folded))


def set_role(db: Connection, player_id: str, role: str) -> None:
    """Let a player do more, or less."""
    db.execute(update(player).where(player.c.id == player_id).values(role=role))


def set_display(db: Connection, player_id: str, *, board: str, shows_rating: bool) -> None:
    """Say how a player stands on boards, and whether they want to see their rating."""
    db.execute(update(player).where(player.c.id == player_id).values(board=board, shows_rating=shows_rating))


def add_merger(db: Connection, guest_id: str, player_id: str, *, now: datetime) -> None:
    """Write that an account took over a guest's rounds."""
    insert_once(db, merger, {"guest_id": guest_id, "player_id": player_id, "merged_at": now})


def merged_guests(db: Connection, player_id: str) -> list[str]:
    """Return the guests that an account took over."""
    return list(db.execute(select(merger.c.guest_id).where(merger.c.player_id == player_id)).scalars())
