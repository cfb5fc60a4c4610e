"""Guests: a signed claim first, a row when there is something to keep."""

from dataclasses import replace
from datetime import datetime
from random import Random
from uuid import uuid4

from sqlalchemy import Connection

from app.store.players import Claim, add_player, lock_player
from game.handles import suggest_handle


def new_guest(rng: Random) -> Claim:
    """Return a claim for somebody new; nothing is written."""
    return Claim(uuid4().hex, suggest_handle(rng))


def seat_player(db: Connection, claim: Claim, *, rng: Random, now: datetime) -> str:
    """Make sure the player's row exists and lock it.

    Returns:
        The handle; another one than claimed if that was taken meanwhile.
    """
    while (handle := lock_player(db, claim.player_id)) is None:
        if not add_player(db, claim, role="guest", now=now):
            claim = replace(claim, handle=suggest_handle(rng))
    return handle
