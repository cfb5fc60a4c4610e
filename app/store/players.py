"""Players: rows in, values out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, select

from app.store.inserting import insert_once
from app.store.tables import Player, table_of

player = table_of(Player)

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
