"""People with a role: made from the shell, let in by a key, stopped at doors that are not theirs."""

from datetime import datetime
from uuid import uuid4

from sqlalchemy import Connection

from app.errors import BadNameError, NotAllowedError
from app.services.accounts import new_key
from app.services.naming import check_form
from app.services.sessions import revoke_others
from app.store.players import Claim, add_player, person_named, role_of, set_role
from game.language import say

RESEARCHERS = frozenset({"researcher", "admin"})


def new_user(db: Connection, handle: str, role: str, *, now: datetime) -> str:
    """Write a person with a role and return the key that signs them in.

    Raises:
        BadNameError: the handle is no handle, or taken.
    """
    check_form(handle)
    claim = Claim(uuid4().hex, handle)
    if not add_player(db, claim, role=role, now=now):
        raise BadNameError(f"Somebody is called {handle} already, or nearly so; choose another name.")
    return new_key(db, claim.player_id, now=now)


def key_for(db: Connection, handle: str, *, now: datetime) -> str:
    """Return a new key for somebody who lost their way in.

    Raises:
        BadNameError: nobody is called that.
    """
    return new_key(db, _named(db, handle).player_id, now=now)


def give_role(db: Connection, handle: str, role: str) -> None:
    """Let somebody do more, or less; they stay signed in.

    Raises:
        BadNameError: nobody is called that.
    """
    set_role(db, _named(db, handle).player_id, role)


def sign_out(db: Connection, handle: str) -> None:
    """End every session of somebody.

    Raises:
        BadNameError: nobody is called that.
    """
    revoke_others(db, _named(db, handle).player_id, but=None)


def require_researcher(db: Connection, claim: Claim | None) -> Claim:
    """Return the claim of a researcher.

    Raises:
        NotAllowedError: it is anybody else's.
    """
    if claim is None or role_of(db, claim.player_id) not in RESEARCHERS:
        raise NotAllowedError(say("This page is for researchers. If you are one, sign in first."))
    return claim


def _named(db: Connection, handle: str) -> Claim:
    person = person_named(db, handle)
    if person is None:
        raise BadNameError(f"Nobody is called {handle}.")
    return person.claim
