"""A provider: where somebody is sent, and who it is that comes back."""

import json
import logging
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote_plus

import httpx2
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from pydantic import BaseModel, ConfigDict, ValidationError

from app.errors import BadProviderError, ProviderDownError, ProvidersError, StrangeReturnError
from app.providers.entries import Address, Entry, read_entries
from app.providers.id_tokens import claims_in, keys_in, subject_in
from app.settings import Settings
from game.language import say

PATIENCE_SECONDS = 5
MOST_BYTES = 256 * 1024
KEPT = timedelta(hours=1)
"""How long a provider's document and keys are believed; keys that do not fit are fetched anew."""

log = logging.getLogger("roft")


@dataclass(frozen=True, slots=True)
class Departure:
    """What a browser that leaves for a provider has to bring back; nobody else's answer counts.

    `player_id` is the account that wants to be linked; None for signing in.
    """

    provider: str
    player_id: str | None
    state: str
    nonce: str
    verifier: str
    left_at: float


class _Document(BaseModel):
    """What counts of a provider's description of itself (OpenID Connect Discovery 1.0)."""

    model_config = ConfigDict(frozen=True)

    issuer: str
    authorization_endpoint: Address
    token_endpoint: Address
    jwks_uri: Address
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)


def depart(provider: str, player_id: str | None, *, now: datetime) -> Departure:
    """Return a departure that nobody can guess."""
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    return Departure(provider, player_id, state, nonce, verifier, now.timestamp())


class Provider:
    """A site that says who somebody is, by the authorization code flow with PKCE."""

    def __init__(self, slug: str, entry: Entry, *, patience: float = PATIENCE_SECONDS) -> None:
        """Fetch nothing yet."""
        self.slug, self.name, self.issuer = slug, entry.name, entry.issuer
        self._id, self._secret = entry.client_id, entry.client_secret.get_secret_value()
        self._patience = patience
        self._trust = httpx2.create_ssl_context()
        self._document: tuple[_Document, datetime] | None = None
        self._keys: tuple[KeySet, datetime] | None = None

    def address_for(self, departure: Departure, back: str, *, now: datetime) -> str:
        """Return the address that a browser is sent to; from there it is sent on to `back`.

        Raises:
            ProviderDownError: the provider does not answer.
            BadProviderError: its description of itself makes no sense.
        """
        asked = {
            "response_type": "code",
            "scope": "openid",
            "client_id": self._id,
            "redirect_uri": back,
            "state": departure.state,
            "nonce": departure.nonce,
            "code_challenge": _challenge(departure.verifier),
            "code_challenge_method": "S256",
        }
        return str(httpx2.URL(self._described(now).authorization_endpoint).copy_merge_params(asked))

    def subject_of(self, code: str, departure: Departure, back: str, *, now: datetime) -> str:
        """Return what the provider calls whoever came back with a code.

        Raises:
            ProviderDownError: the provider does not answer.
            StrangeReturnError: it takes the code for used, or too old.
            BadProviderError: it proves nothing.
        """
        token = self._exchange(code, departure, back, now)
        try:
            return subject_in(
                self._claims(token, now),
                issuer=self.issuer,
                client_id=self._id,
                nonce=departure.nonce,
                now=now,
            )
        except (JoseError, ValueError, TypeError) as error:
            raise self.distrusted(f"an ID token: {error}") from error

    def distrusted(self, reason: str) -> BadProviderError:
        """Tell the operator what is wrong with an answer; return what the person is told."""
        log.warning("The provider %s answered nonsense: %s", self.slug, reason)
        return BadProviderError(
            say(
                "%(name)s answered something that cannot be trusted, so nothing was done;"
                " please come in another way, and tell whoever runs this site.",
                name=self.name,
            )
        )

    def missed(self, reason: str) -> ProviderDownError:
        """Tell the operator why there is no answer; return what the person is told."""
        log.warning("The provider %s did not answer: %s", self.slug, reason)
        return ProviderDownError(
            say(
                "%(name)s does not answer; please try again in a while, or come in another way.",
                name=self.name,
            )
        )

    def _described(self, now: datetime) -> _Document:
        if self._document is None or now - self._document[1] > KEPT:
            address = f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            try:
                document = _Document.model_validate_json(self._fetched(address))
            except ValidationError as error:
                raise self.distrusted(f"its description: {error}") from error
            if document.issuer != self.issuer:
                raise self.distrusted(f"it calls itself {document.issuer!r}, not {self.issuer!r}")
            self._document = document, now
        return self._document[0]

    def _signers(self, now: datetime) -> KeySet:
        if self._keys is None or now - self._keys[1] > KEPT:
            self._keys = keys_in(self._fetched(self._described(now).jwks_uri)), now
        return self._keys[0]

    def _claims(self, token: str, now: datetime) -> Mapping[str, Any]:
        try:
            return claims_in(token, self._signers(now))
        except (JoseError, ValueError):  # perhaps signed by a key that is newer than ours
            self._keys = None
            return claims_in(token, self._signers(now))

    def _exchange(self, code: str, departure: Departure, back: str, now: datetime) -> str:
        document, auth = self._described(now), None
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": back,
            "code_verifier": departure.verifier,
        }
        if "client_secret_basic" in document.token_endpoint_auth_methods_supported:
            auth = httpx2.BasicAuth(quote_plus(self._id), quote_plus(self._secret))
        else:
            form |= {"client_id": self._id, "client_secret": self._secret}
        status, body = self._ask("POST", document.token_endpoint, form, auth)
        try:
            answer: Any = json.loads(body)
            token, error = answer.get("id_token"), answer.get("error")
        except (ValueError, AttributeError) as problem:
            raise self.distrusted(f"for a code, status {status} and no JSON object") from problem
        if error == "invalid_grant":
            raise StrangeReturnError(
                say(
                    "%(name)s says that this was used before, or is too old; please start again.",
                    name=self.name,
                )
            )
        if not isinstance(token, str):
            raise self.distrusted(f"for a code, status {status}, error {error!r} and no ID token")
        return token

    def _fetched(self, address: str) -> bytes:
        status, body = self._ask("GET", address)
        if status != HTTPStatus.OK:
            raise self.distrusted(f"{address} has status {status}")
        return body

    def _ask(
        self,
        method: str,
        address: str,
        form: Mapping[str, str] | None = None,
        auth: httpx2.BasicAuth | None = None,
    ) -> tuple[int, bytes]:
        """Return status and body; no cookie of the provider outlives a request."""
        until, body = monotonic() + self._patience, b""
        try:
            with httpx2.stream(
                method, address, data=form, auth=auth, timeout=self._patience, verify=self._trust
            ) as reply:
                for part in reply.iter_bytes():
                    body += part
                    if len(body) > MOST_BYTES or monotonic() > until:
                        raise self.missed(f"{address} does not come to an end")
        except httpx2.HTTPError as error:
            raise self.missed(f"{address}: {error}") from error
        if reply.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise self.missed(f"{address} has status {reply.status_code}")
        return reply.status_code, body


def providers_of(settings: Settings) -> Mapping[str, Provider]:
    """Return the providers of an installation by the names they have in addresses.

    Raises:
        ProvidersError: the settings do not fit together.
    """
    if not settings.providers:
        return {}
    if not settings.address:
        raise ProvidersError("Set ROFT_ADDRESS, where people find this site: providers send them back there.")
    return {slug: Provider(slug, entry) for slug, entry in read_entries(Path(settings.providers)).items()}


def _challenge(verifier: str) -> str:
    """Return what the provider is told of a verifier beforehand (RFC 7636, S256)."""
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
