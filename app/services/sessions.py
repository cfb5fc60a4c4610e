"""Sessions: kept on the server, listed and ended by their owner."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Literal
from uuid import uuid4

from sqlalchemy import Connection

from app.errors import SessionNotFoundError
from app.store.accounts import Session, add_session, end_session, end_sessions, session_of, touch_session
from app.store.players import Claim
from game.language import say

PREFIX = "s."
"""What tells the token of a session from the signed claim of a guest."""

IDLE = timedelta(days=180)
"""How long a session lasts without being used."""

TOUCH = timedelta(hours=1)
"""How old the note of its last use may become."""

Way = Literal["password", "link", "key", "provider", "script"]


@dataclass(frozen=True, slots=True)
class Seen:
    """A session that a token belongs to, with its player; `is_stale` asks for `keep_alive`."""

    claim: Claim
    session: Session
    is_stale: bool


def open_session(db: Connection, player_id: str, *, device: str, way: Way, now: datetime) -> str:
    """Sign a browser or a script in and return its token."""
    token = PREFIX + secrets.token_urlsafe(32)
    add_session(
        db,
        hash_of(token),
        Session(uuid4().hex, player_id, device=device, way=way, made_at=now, seen_at=now),
    )
    return token


def find_session(db: Connection, token: str, *, now: datetime) -> Seen | None:
    """Return the session of a token; None if there is none, or it was idle for too long."""
    found = session_of(db, hash_of(token), since=now - IDLE)
    if found is None:
        return None
    session, handle = found
    return Seen(Claim(session.player_id, handle), session, is_stale=now - session.seen_at > TOUCH)


def keep_alive(db: Connection, session_id: str, *, now: datetime) -> None:
    """Note that a session was used."""
    touch_session(db, session_id, now=now)


def revoke(db: Connection, player_id: str, session_id: str) -> None:
    """End one of a player's sessions.

    Raises:
        SessionNotFoundError: the player has none of that id.
    """
    if not end_session(db, player_id, session_id):
        raise SessionNotFoundError(say("There is no such session; perhaps it has ended already."))


def revoke_others(db: Connection, player_id: str, *, but: str | None) -> None:
    """End all sessions of a player but one."""
    end_sessions(db, player_id, but=but)


def hash_of(token: str) -> str:
    """Return what is kept of a token or key."""
    return sha256(token.encode()).hexdigest()
