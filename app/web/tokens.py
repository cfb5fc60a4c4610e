"""Signed claims: who a request comes from, without a look into the database."""

from datetime import datetime
from hashlib import sha256

from itsdangerous import BadSignature, Signer

from app.store.players import Claim


class Tokens:
    """Signs and reads tokens; the same token serves pages (as a cookie) and API."""

    def __init__(self, secret: str) -> None:
        """Take the secret of the installation."""
        self._signer = Signer(secret, salt="roft.player", digest_method=sha256)
        self._stamps = Signer(secret, salt="roft.stamp", digest_method=sha256)

    def sign(self, claim: Claim) -> str:
        """Return the token of a claim."""
        return self._signer.sign(f"{claim.player_id}.{claim.handle}").decode()

    def read(self, token: str) -> Claim | None:
        """Return the claim of a token; None unless we signed it."""
        try:
            player_id, _, handle = self._signer.unsign(token).decode().partition(".")
        except (BadSignature, UnicodeError):
            return None
        return Claim(player_id, handle)

    def stamp(self, moment: datetime) -> str:
        """Return a moment that a page carries and hands back."""
        return self._stamps.sign(moment.isoformat()).decode()

    def read_stamp(self, stamp: str) -> datetime | None:
        """Return the moment of a stamp; None unless we made it."""
        try:
            return datetime.fromisoformat(self._stamps.unsign(stamp).decode())
        except (BadSignature, UnicodeError):
            return None
