"""Accounts: a guest who stays, and the ways back in."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

from sqlalchemy import Connection

from app.errors import BadEmailError, BadKeyError, HasAccountError, NoAccountError
from app.services.joining import seat_player
from app.services.merging import Merged, merge
from app.services.naming import rename
from app.services.sessions import Way, hash_of, open_session
from app.store.accounts import (
    Key,
    StoredAccount,
    account_with_email,
    add_account,
    add_key,
    load_account,
    set_email,
    set_password,
    use_key,
)
from app.store.players import GUEST, Claim, load_person, person_named, role_of, set_role
from game.language import say

LASTS = timedelta(days=1)
"""How long a key or link works."""

_EMAIL = re.compile(r"[^@\s<>,;:\"()\[\]\\]+@([a-z0-9-]+\.)+[a-z]{2,}")
_LONGEST_EMAIL = 254


@dataclass(frozen=True, slots=True)
class Login:
    """Who a name or address belongs to, and the hash of their password if they have one."""

    claim: Claim
    password_hash: str | None


@dataclass(frozen=True, slots=True)
class Entered:
    """A browser that has just signed in: the token of its session, and what was merged."""

    claim: Claim
    token: str
    merged: Merged


def folded_email(text: str) -> str | None:
    """Return an address in one spelling; None for an empty field.

    Raises:
        BadEmailError: it is no address.
    """
    email = text.strip().casefold()
    if not email:
        return None
    if len(email) > _LONGEST_EMAIL or not _EMAIL.fullmatch(email):
        raise BadEmailError(say("That is no e-mail address; one looks like name@example.org."))
    return email


def make_account(
    db: Connection,
    claim: Claim,
    *,
    handle: str | None = None,
    password_hash: str | None = None,
    email: str | None = None,
    rng: Random,
    now: datetime,
) -> Claim:
    """Turn a guest into an account, in place: the same player, the same rounds.

    `handle` replaces the pseudonym; `email` is not proven yet.

    Raises:
        HasAccountError: they have one.
        BadNameError: the handle may not be taken.
    """
    held = seat_player(db, claim, rng=rng, now=now)
    claim = Claim(claim.player_id, held)
    account = StoredAccount(claim.player_id, password_hash, email, None, now)
    if not add_account(db, account):
        raise HasAccountError(say("You have an account already; sign in to it."))
    if role_of(db, claim.player_id) == GUEST:
        set_role(db, claim.player_id, "player")
    return claim if handle is None else rename(db, claim, handle, now=now)


def find_login(db: Connection, name: str) -> Login | None:
    """Return who signs in by a handle, or by an address that was proven to be theirs."""
    name = name.strip().casefold()
    person = person_named(db, name)
    if person is None:
        found = account_with_email(db, name)
        person = load_person(db, found.player_id) if found else None
    if person is None:
        return None
    account = load_account(db, person.player_id)
    return Login(person.claim, account.password_hash if account else None)


def enter(
    db: Connection,
    claim: Claim,
    *,
    guest: Claim | None,
    device: str,
    way: Way,
    rng: Random,
    now: datetime,
) -> Entered:
    """Sign a browser in; what its guest has played comes along."""
    merged = Merged(0, 0)
    if guest is not None and guest.player_id != claim.player_id:
        merged = merge(db, guest.player_id, claim.player_id, rng=rng, now=now)
    return Entered(claim, open_session(db, claim.player_id, device=device, way=way, now=now), merged)


def link_for(db: Connection, email: str, *, now: datetime) -> str | None:
    """Return a key that signs in the owner of an address once; None if nobody has shown it is theirs."""
    account = account_with_email(db, email)
    return None if account is None else new_key(db, account.player_id, now=now)


def new_key(db: Connection, player_id: str, *, email: str | None = None, now: datetime) -> str:
    """Return a key that works once: to sign in, or to show that an address is one's own."""
    key = secrets.token_urlsafe(24)
    add_key(db, hash_of(key), player_id, email=email, now=now)
    return key


def redeem(db: Connection, key: str, *, now: datetime) -> Key:
    """Use a key up; one that proves an address does so.

    Raises:
        BadKeyError: it is not good (any more).
        BadEmailError: somebody else has proven meanwhile that the address is theirs.
    """
    found = use_key(db, hash_of(key.strip()), since=now - LASTS, now=now)
    if found is None:
        raise BadKeyError(
            say("This key signs nobody in: it was used before, is older than a day, or was not copied whole.")
        )
    if found.email is not None:
        _confirm(db, found, now=now)
    elif role_of(db, found.claim.player_id) != GUEST:  # made from the shell, perhaps never here before
        add_account(db, StoredAccount(found.claim.player_id, None, None, None, now))
    return found


def change_password(db: Connection, player_id: str, password_hash: str) -> None:
    """Replace a password.

    Raises:
        NoAccountError: the player is a guest.
    """
    _need_account(db, player_id)
    set_password(db, player_id, password_hash)


def change_email(db: Connection, player_id: str, email: str | None, *, now: datetime) -> str | None:
    """Replace an address and return the key that proves it; None without an address.

    The old address counts no more at once: who changes it has lost it, or wants it gone.

    Raises:
        NoAccountError: the player is a guest.
    """
    _need_account(db, player_id)
    set_email(db, player_id, email, confirmed_at=None)
    return None if email is None else new_key(db, player_id, email=email, now=now)


def _need_account(db: Connection, player_id: str) -> None:
    if load_account(db, player_id) is None:
        raise NoAccountError(say("Keep your progress first: only accounts have a password and an address."))


def _confirm(db: Connection, key: Key, *, now: datetime) -> None:
    account = load_account(db, key.claim.player_id)
    if account is None or account.email != key.email:
        raise BadKeyError(say("This link is for an address that has been changed since; ask for a new one."))
    other = account_with_email(db, str(key.email))
    if other is not None and other.player_id != account.player_id:
        raise BadEmailError(
            say("Another account has this address; sign in to that one, or give another address.")
        )
    set_email(db, account.player_id, account.email, confirmed_at=now)
