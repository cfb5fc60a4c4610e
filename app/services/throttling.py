"""How often something may be tried, so that nothing can be found out by guessing."""

from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Connection

from app.errors import TooManyTriesError
from app.store.accounts import count_try, forget_tries
from game.language import say

WINDOW = timedelta(minutes=15)


def allow(db: Connection, what: str, most: int, *, now: datetime) -> None:
    """Count a try at something, and refuse it when there were too many.

    Only a hash of `what` is kept, for as long as it matters.

    Raises:
        TooManyTriesError: there were more than `most` within a quarter of an hour.
    """
    if _count(db, what, now=now) > most:
        raise TooManyTriesError(say("That was tried too often; please wait a quarter of an hour."))


def is_first(db: Connection, what: str, *, now: datetime) -> bool:
    """Say whether something that works once is used for the first time within a quarter of an hour."""
    return _count(db, what, now=now) == 1


def _count(db: Connection, what: str, *, now: datetime) -> int:
    forget_tries(db, before=now - WINDOW)
    return count_try(db, sha256(what.encode()).hexdigest(), since=now - WINDOW, now=now)
