"""Players: rows in, values out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, select, update

from app.store.inserting import insert_once
from app.store.tables import Player, SignInKey, table_of

player = table_of(Player)
sign_in_key = table_of(SignInKey)

_LOCK = select(player.c.handle).where(player.c.id == bindparam("player_id")).with_for_update(key_share=True)


@dataclass(frozen=True, slots=True)
class Claim:
    """Who somebody says they are, with our signature under it; the row may not exist yet."""

    player_id: str
    handle: str


def lock_player(db: Connection, player_id: str) -> str | None:
    """Let nobody else start or close rounds of this player until the transaction ends.

    Returns:
        The handle; None if there is no such player yet.
    """
    return db.execute(_LOCK, {"player_id": player_id}).scalar()


def add_player(db: Connection, claim: Claim, *, role: str, now: datetime) -> bool:
    """Write a player; False if the id or the handle is taken."""
    return insert_once(
        db, player, {"id": claim.player_id, "handle": claim.handle, "role": role, "created_at": now}
    )


def role_of(db: Connection, player_id: str) -> str | None:
    """Return what a player may do; None if there is no such player yet."""
    return db.execute(select(player.c.role).where(player.c.id == player_id)).scalar()


def player_named(db: Connection, handle: str) -> Claim | None:
    """Return the player of a handle."""
    row = db.execute(select(player.c.id, player.c.handle).where(player.c.handle == handle)).one_or_none()
    return Claim(*row) if row else None


def add_key(db: Connection, sha256: str, player_id: str, *, now: datetime) -> None:
    """Write the hash of a key that signs a player in once."""
    db.execute(insert(sign_in_key).values(sha256=sha256, player_id=player_id, made_at=now))


def use_key(db: Connection, sha256: str, *, since: datetime, now: datetime) -> Claim | None:
    """Use a key up; None if it was never made, used before, or made before `since`."""
    used = (
        update(sign_in_key)
        .where(
            sign_in_key.c.sha256 == sha256, sign_in_key.c.used_at.is_(None), sign_in_key.c.made_at >= since
        )
        .values(used_at=now)
        .returning(sign_in_key.c.player_id)
    )
    player_id = db.execute(used).scalar()
    if player_id is None:
        return None
    return Claim(*db.execute(select(player.c.id, player.c.handle).where(player.c.id == player_id)).one())
