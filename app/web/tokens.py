"""Signed claims: who a request comes from, without a look into the database."""

from hashlib import sha256

from itsdangerous import BadSignature, Signer

from app.store.players import Claim


class Tokens:
    """Signs and reads tokens; the same token serves pages (as a cookie) and API."""

    def __init__(self, secret: str) -> None:
        """Take the secret of the installation."""
        self._signer = Signer(secret, salt="roft.player", digest_method=sha256)

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
