"""People with a role: made from the shell, signed in once by a key."""

import re
import secrets
from datetime import datetime, timedelta
from hashlib import sha256
from uuid import uuid4

from sqlalchemy import Connection

from app.errors import BadKeyError, BadNameError, NotAllowedError
from app.store.players import Claim, add_key, add_player, player_named, role_of, use_key

HANDLE = re.compile(r"[a-z][a-z0-9-]{1,39}")
LASTS = timedelta(days=1)
"""How long a key signs somebody in."""
RESEARCHERS = frozenset({"researcher", "admin"})


def new_user(db: Connection, handle: str, role: str, *, now: datetime) -> str:
    """Write a person with a role and return the key that signs them in.

    Raises:
        BadNameError: the handle is no handle, or taken.
    """
    if not HANDLE.fullmatch(handle):
        raise BadNameError("A name has 2 to 40 small letters, digits and hyphens, and begins with a letter.")
    claim = Claim(uuid4().hex, handle)
    if not add_player(db, claim, role=role, now=now):
        raise BadNameError(f"Somebody is called {handle} already; choose another name.")
    return _new_key(db, claim, now=now)


def key_for(db: Connection, handle: str, *, now: datetime) -> str:
    """Return a new key for somebody who lost their way in.

    Raises:
        BadNameError: nobody is called that.
    """
    claim = player_named(db, handle)
    if claim is None:
        raise BadNameError(f"Nobody is called {handle}.")
    return _new_key(db, claim, now=now)


def sign_in(db: Connection, key: str, *, now: datetime) -> Claim:
    """Return who a key is for; it will not work again.

    Raises:
        BadKeyError: the key signs nobody in.
    """
    claim = use_key(db, _hash(key.strip()), since=now - LASTS, now=now)
    if claim is None:
        raise BadKeyError(
            "This key signs nobody in: it was used before, is older than a day, or was not copied whole."
        )
    return claim


def require_researcher(db: Connection, claim: Claim | None) -> Claim:
    """Return the claim of a researcher.

    Raises:
        NotAllowedError: it is anybody else's.
    """
    if claim is None or role_of(db, claim.player_id) not in RESEARCHERS:
        raise NotAllowedError("This page is for researchers. If you are one, sign in with your key first.")
    return claim


def _new_key(db: Connection, claim: Claim, *, now: datetime) -> str:
    key = secrets.token_urlsafe(24)
    add_key(db, _hash(key), claim.player_id, now=now)
    return key


def _hash(key: str) -> str:
    return sha256(key.encode()).hexdigest()
