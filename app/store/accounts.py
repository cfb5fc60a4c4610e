"""Accounts, sessions, keys, identities, consents: rows in, values out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from app.store.inserting import insert_once
from app.store.players import Claim, player
from app.store.tables import Account, Consent, Identity, SessionRow, SignInKey, Throttle, table_of

account = table_of(Account)
identity = table_of(Identity)
session = table_of(SessionRow)
sign_in_key = table_of(SignInKey)
consent = table_of(Consent)
throttle = table_of(Throttle)


@dataclass(frozen=True, slots=True)
class StoredAccount:
    """How somebody can come back; `email` counts once it is confirmed."""

    player_id: str
    password_hash: str | None
    email: str | None
    email_confirmed_at: datetime | None
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Session:
    """A browser or script that is signed in."""

    id: str
    player_id: str
    device: str
    way: str
    made_at: datetime
    seen_at: datetime


@dataclass(frozen=True, slots=True)
class Key:
    """What a key that works once is good for."""

    claim: Claim
    purpose: str
    email: str | None


_ACCOUNT = select(
    account.c.player_id,
    account.c.password_hash,
    account.c.email,
    account.c.email_confirmed_at,
    account.c.made_at,
)
_SESSION = select(
    session.c.id,
    session.c.player_id,
    session.c.device,
    session.c.way,
    session.c.made_at,
    session.c.seen_at,
)
_OF_TOKEN = (
    _SESSION.add_columns(player.c.handle)
    .join(player, player.c.id == session.c.player_id)
    .where(session.c.sha256 == bindparam("sha256"), session.c.seen_at >= bindparam("since"))
)


def add_account(db: Connection, row: StoredAccount) -> bool:
    """Write an account; False if the player has one."""
    return insert_once(
        db,
        account,
        {
            "player_id": row.player_id,
            "password_hash": row.password_hash,
            "email": row.email,
            "email_confirmed_at": row.email_confirmed_at,
            "made_at": row.made_at,
        },
    )


def load_account(db: Connection, player_id: str) -> StoredAccount | None:
    """Return how a player can come back; None for a guest."""
    row = db.execute(_ACCOUNT.where(account.c.player_id == player_id)).one_or_none()
    return StoredAccount(*row) if row else None


def account_with_email(db: Connection, email: str) -> StoredAccount | None:
    """Return the account whose owner has shown that an address is theirs."""
    found = _ACCOUNT.where(account.c.email == email, account.c.email_confirmed_at.is_not(None))
    row = db.execute(found).one_or_none()
    return StoredAccount(*row) if row else None


def set_password(db: Connection, player_id: str, password_hash: str) -> None:
    """Replace the hash of a password."""
    db.execute(update(account).where(account.c.player_id == player_id).values(password_hash=password_hash))


def set_email(db: Connection, player_id: str, email: str | None, *, confirmed_at: datetime | None) -> None:
    """Replace an address."""
    db.execute(
        update(account)
        .where(account.c.player_id == player_id)
        .values(email=email, email_confirmed_at=confirmed_at)
    )


def add_session(db: Connection, sha256: str, row: Session) -> None:
    """Write a session."""
    db.execute(
        insert(session).values(
            sha256=sha256,
            id=row.id,
            player_id=row.player_id,
            device=row.device,
            way=row.way,
            made_at=row.made_at,
            seen_at=row.seen_at,
        )
    )


def session_of(db: Connection, sha256: str, *, since: datetime) -> tuple[Session, str] | None:
    """Return the session of a token and the handle of its player, if it was seen lately."""
    row = db.execute(_OF_TOKEN, {"sha256": sha256, "since": since}).one_or_none()
    return (Session(*row[:-1]), row.handle) if row else None


def touch_session(db: Connection, session_id: str, *, now: datetime) -> None:
    """Write when a session was last seen."""
    db.execute(update(session).where(session.c.id == session_id).values(seen_at=now))


def sessions_of(db: Connection, player_id: str) -> list[Session]:
    """Return a player's sessions, the one seen last first."""
    found = _SESSION.where(session.c.player_id == player_id).order_by(session.c.seen_at.desc(), session.c.id)
    return [Session(*row) for row in db.execute(found)]


def end_session(db: Connection, player_id: str, session_id: str) -> bool:
    """End a session; False if the player has none of that id."""
    ended = delete(session).where(session.c.player_id == player_id, session.c.id == session_id)
    return db.execute(ended).rowcount == 1


def end_sessions(db: Connection, player_id: str, *, but: str | None = None) -> None:
    """End all sessions of a player but one."""
    db.execute(delete(session).where(session.c.player_id == player_id, session.c.id != (but or "")))


def add_key(db: Connection, sha256: str, player_id: str, *, email: str | None = None, now: datetime) -> None:
    """Write the hash of a key that works once: to sign in, or to show that an address is one's own."""
    purpose = "sign-in" if email is None else "confirm"
    db.execute(
        insert(sign_in_key).values(
            sha256=sha256, player_id=player_id, purpose=purpose, email=email, made_at=now
        )
    )


def use_key(db: Connection, sha256: str, *, since: datetime, now: datetime) -> Key | None:
    """Use a key up; None if it was never made, used before, or made before `since`."""
    used = (
        update(sign_in_key)
        .where(
            sign_in_key.c.sha256 == sha256, sign_in_key.c.used_at.is_(None), sign_in_key.c.made_at >= since
        )
        .values(used_at=now)
        .returning(sign_in_key.c.player_id, sign_in_key.c.purpose, sign_in_key.c.email)
    )
    row = db.execute(used).one_or_none()
    if row is None:
        return None
    handle = db.execute(select(player.c.handle).where(player.c.id == row.player_id)).scalar_one()
    return Key(Claim(row.player_id, handle), row.purpose, row.email)


def drop_keys(db: Connection, player_id: str) -> None:
    """Forget the keys of a player."""
    db.execute(delete(sign_in_key).where(sign_in_key.c.player_id == player_id))


def add_identity(db: Connection, issuer: str, subject: str, player_id: str, *, now: datetime) -> bool:
    """Write that somebody at a provider is a player; False if they are one already."""
    row = {"issuer": issuer, "subject": subject, "player_id": player_id, "made_at": now}
    return insert_once(db, identity, row)


def claim_of_identity(db: Connection, issuer: str, subject: str) -> Claim | None:
    """Return the player that somebody at a provider is."""
    row = db.execute(
        select(player.c.id, player.c.handle)
        .join(identity, identity.c.player_id == player.c.id)
        .where(identity.c.issuer == issuer, identity.c.subject == subject)
    ).one_or_none()
    return Claim(*row) if row else None


def drop_identities(db: Connection, player_id: str, issuer: str) -> None:
    """Forget who a player is at a provider."""
    db.execute(delete(identity).where(identity.c.player_id == player_id, identity.c.issuer == issuer))


def issuers_of(db: Connection, player_id: str) -> list[str]:
    """Return the providers that know a player."""
    found = select(identity.c.issuer).where(identity.c.player_id == player_id).order_by(identity.c.issuer)
    return list(db.execute(found).scalars())


def add_consent(db: Connection, player_id: str, purpose: str, *, granted: bool, now: datetime) -> None:
    """Write what a player agreed to, or took back."""
    db.execute(insert(consent).values(player_id=player_id, purpose=purpose, granted=granted, given_at=now))


def consents_of(db: Connection, player_id: str) -> dict[str, bool]:
    """Return what a player last said to each purpose they were asked about."""
    latest = (
        select(func.max(consent.c.id)).where(consent.c.player_id == player_id).group_by(consent.c.purpose)
    )
    rows = db.execute(select(consent.c.purpose, consent.c.granted).where(consent.c.id.in_(latest)))
    return {purpose: granted for purpose, granted in rows}  # noqa: C416


def count_try(db: Connection, key: str, *, since: datetime, now: datetime) -> int:
    """Count one more try at something and return how many there were since."""
    insert_once(db, throttle, {"key": key, "since": now, "tries": 0})
    db.execute(
        update(throttle).where(throttle.c.key == key, throttle.c.since < since).values(since=now, tries=0)
    )
    counted = update(throttle).where(throttle.c.key == key).values(tries=throttle.c.tries + 1)
    return int(db.execute(counted.returning(throttle.c.tries)).scalar_one())


def forget_tries(db: Connection, *, before: datetime) -> None:
    """Delete counts that no longer matter."""
    db.execute(delete(throttle).where(throttle.c.since < before))


def everything_of(db: Connection, player_id: str) -> dict[str, Sequence[dict[str, Any]]]:
    """Return what the tables of this module hold about a player, without what is secret."""
    kept = {
        "account": select(account.c.email, account.c.email_confirmed_at, account.c.made_at).where(
            account.c.player_id == player_id
        ),
        "identities": select(identity.c.issuer, identity.c.subject, identity.c.made_at).where(
            identity.c.player_id == player_id
        ),
        "sessions": select(session.c.device, session.c.way, session.c.made_at, session.c.seen_at).where(
            session.c.player_id == player_id
        ),
        "consents": select(consent.c.purpose, consent.c.granted, consent.c.given_at)
        .where(consent.c.player_id == player_id)
        .order_by(consent.c.id),
    }
    return {name: [dict(row) for row in db.execute(one).mappings()] for name, one in kept.items()}


def erase_account(db: Connection, player_id: str) -> None:
    """Delete what the tables of this module hold about a player."""
    for table in (account, identity, session, sign_in_key, consent):
        db.execute(delete(table).where(table.c.player_id == player_id))
