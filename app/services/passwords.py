"""Passwords: argon2id with the parameters of RFC 9106 for machines with little memory."""

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from argon2.profiles import RFC_9106_LOW_MEMORY

from app.errors import BadPasswordError
from game.language import say

SHORTEST, LONGEST = 10, 200

_hasher = PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY)
_NOBODYS = _hasher.hash("a password that nobody has")
"""What a guess at an unknown name is compared with, so that it takes as long."""


def check_password(password: str, *, handle: str) -> None:
    """Refuse a password that is guessed too easily.

    Raises:
        BadPasswordError: it is short, long beyond reason, the name, or a few characters repeated.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPasswordError(
            say(
                "A password has %(shortest)s to %(longest)s characters; a few words are easy to remember.",
                shortest=SHORTEST,
                longest=LONGEST,
            )
        )
    if len(set(password)) < len("four") or handle in password.lower():
        raise BadPasswordError(say("That password is guessed too easily; please take another."))


def hash_password(password: str) -> str:
    """Return what is kept of a password."""
    return _hasher.hash(password)


def is_password(password: str, password_hash: str | None) -> bool:
    """Say whether this is the password of a hash; for None it takes as long, and is not."""
    try:
        _hasher.verify(password_hash or _NOBODYS, password[: LONGEST + 1])
    except VerificationError:
        return False
    return password_hash is not None
