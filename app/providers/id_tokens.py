"""ID tokens: what a provider signs about whoever has just been there."""

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from joserfc import jwt
from joserfc.errors import InvalidClaimError, JoseError
from joserfc.jwk import JWKRegistry, Key, KeySet
from joserfc.jws import JWSRegistry

LEEWAY_SECONDS = 60
"""How far the clocks of two machines may differ."""
LONGEST_SUBJECT = 255

_SIGNATURES = JWSRegistry(
    algorithms=("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
    strict_check_header=False,  # RFC 7515: a header that is not understood is ignored
)
"""By a key that only the provider has: not by the secret that is shared with it, and not none."""


def keys_in(body: bytes) -> KeySet:
    """Return the keys in a document of a provider; those we cannot use are left out (RFC 7517, 5).

    Raises:
        ValueError: it is no such document.
    """
    try:
        found: list[Any] = list(json.loads(body)["keys"])
    except (LookupError, TypeError) as error:
        raise ValueError("there are no keys") from error
    keys: list[Key] = []
    for one in found:
        with suppress(JoseError, ValueError, TypeError, LookupError):
            keys.append(JWKRegistry.import_key(one))
    return KeySet(keys)


def claims_in(token: str, keys: KeySet) -> Mapping[str, Any]:
    """Return what a token says, if one of the keys has signed it.

    Raises:
        JoseError, ValueError: none has, or it is no token.
    """
    return jwt.decode(token, keys, registry=_SIGNATURES).claims


def subject_in(claims: Mapping[str, Any], *, issuer: str, client_id: str, nonce: str, now: datetime) -> str:
    """Return whom a token names, by the rules of OpenID Connect Core 1.0, section 3.1.3.7.

    Raises:
        JoseError: it is somebody else's, for somebody else, out of date, or no answer to us.
    """
    jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY_SECONDS,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": client_id},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
    ).validate(dict(claims))
    has_others = isinstance(claims["aud"], list) and claims["aud"] != [client_id]
    if claims.get("azp", None if has_others else client_id) != client_id:
        raise InvalidClaimError("azp")
    if claims.get("nonce") != nonce:
        raise InvalidClaimError("nonce")
    subject: str = claims["sub"]
    if len(subject) > LONGEST_SUBJECT or not subject.isprintable():
        raise InvalidClaimError("sub")
    return subject
