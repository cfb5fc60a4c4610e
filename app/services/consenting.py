"""Consents: asked for each purpose apart, as easy to take back as to give."""

from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection

from app.store.accounts import add_consent, consents_of

Purpose = Literal["research", "free-text", "contact"]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


def consent(db: Connection, player_id: str, purpose: Purpose, *, granted: bool, now: datetime) -> None:
    """Write what a player says to a purpose; saying the same again writes nothing."""
    if consents_of(db, player_id).get(purpose, False) != granted:
        add_consent(db, player_id, purpose, granted=granted, now=now)
