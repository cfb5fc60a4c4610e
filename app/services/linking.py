"""Ways in by a provider: made with an account, added to one, and taken away."""

from collections.abc import Collection
from datetime import datetime
from random import Random

from sqlalchemy import Connection

from app.errors import IdentityTakenError, LastWayError, NoAccountError
from app.services.accounts import make_account
from app.store.accounts import (
    StoredAccount,
    add_identity,
    claim_of_identity,
    drop_identities,
    issuers_of,
    load_account,
)
from app.store.players import Claim, lock_player
from game.language import say, unsaid

TAKEN = unsaid(
    "Whoever you are there signs in another account here; sign in to that one, or unlink it there first."
)


def keep_by_identity(
    db: Connection, claim: Claim, issuer: str, subject: str, *, rng: Random, now: datetime
) -> Claim:
    """Turn a guest into an account, in place, that somebody at a provider signs in.

    Raises:
        HasAccountError: they have one.
        IdentityTakenError: the same person was signed up meanwhile.
    """
    claim = make_account(db, claim, rng=rng, now=now)
    if not add_identity(db, issuer, subject, claim.player_id, now=now):
        raise IdentityTakenError(say(TAKEN))
    return claim


def link(db: Connection, player_id: str, issuer: str, subject: str, *, now: datetime) -> None:
    """Let somebody at a provider sign in an account; doing so again changes nothing.

    Raises:
        IdentityTakenError: they sign in another account, or somebody else there signs in this one.
    """
    lock_player(db, player_id)
    owner = claim_of_identity(db, issuer, subject)
    if owner is not None and owner.player_id == player_id:
        return
    if issuer in issuers_of(db, player_id):
        raise IdentityTakenError(say("Somebody else there signs you in already; unlink them first."))
    if not add_identity(db, issuer, subject, player_id, now=now):
        raise IdentityTakenError(say(TAKEN))


def unlink(db: Connection, player_id: str, issuer: str, *, known: Collection[str], has_mail: bool) -> None:
    """Let nobody at a provider sign in an account any more; `known` are the issuers that still can.

    Raises:
        NoAccountError: the player is a guest.
        LastWayError: nothing else would lead back.
    """
    lock_player(db, player_id)
    account, issuers = load_account(db, player_id), issuers_of(db, player_id)
    if account is None:
        raise NoAccountError(say("Only accounts are linked to another site."))
    others = [one for one in issuers if one in known and one != issuer]
    if issuer in issuers and is_lost(account, others, has_mail=has_mail):
        raise LastWayError(say("That is your only way in; set a password first, then unlink it."))
    drop_identities(db, player_id, issuer)


def is_lost(account: StoredAccount, issuers: Collection[str], *, has_mail: bool) -> bool:
    """Say whether nothing would lead back into an account: no password, provider, or mail."""
    reads_mail = has_mail and account.email_confirmed_at is not None
    return account.password_hash is None and not issuers and not reads_mail
