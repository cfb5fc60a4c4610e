"""A provider of OpenID Connect that behaves, or misbehaves as the last part of its issuer says.

It takes everybody who comes for whom they say they are (`person` in the query, else ada), and
sends them back at once.
"""

import asyncio
import hmac
import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, RSAKey
from joserfc.jws import JWSRegistry
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

CLIENT, SECRET = "roft-of-the-tests", "a secret, shared & kept"
PATIENCE_SECONDS = 30

Claims = dict[str, Any]
CLAIMS: Mapping[str, Callable[[Claims], Claims]] = {
    "other-issuer": lambda it: {**it, "iss": "https://elsewhere.example"},
    "other-audience": lambda it: {**it, "aud": "somebody-else"},
    "no-audience": lambda it: {**it, "aud": None},
    "shared": lambda it: {**it, "aud": [CLIENT, "somebody-else"]},
    "shared-for-us": lambda it: {**it, "aud": [CLIENT, "somebody-else"], "azp": CLIENT},
    "for-another": lambda it: {**it, "azp": "somebody-else"},
    "expired": lambda it: {**it, "exp": it["iat"] - 120},
    "endless": lambda it: {**it, "exp": None},
    "from-the-future": lambda it: {**it, "iat": it["iat"] + 600},
    "other-nonce": lambda it: {**it, "nonce": "another"},
    "no-nonce": lambda it: {**it, "nonce": None},
    "listed-nonce": lambda it: {**it, "nonce": [it["nonce"]]},
    "nobody": lambda it: {**it, "sub": ""},
    "number": lambda it: {**it, "sub": 7},
    "unprintable": lambda it: {**it, "sub": "ada\0"},
    "long-subject": lambda it: {**it, "sub": "x" * 256},
}
"""What is wrong with an ID token by what it says; None leaves a claim out."""
TOLD: Mapping[str, str] = {
    "refused": "access_denied",
    "broken": "server_error",
    "misled": "unauthorized_client",
}
"""What somebody is sent back with instead of a code."""


@dataclass
class Openid:
    """The provider; `asked` counts requests by way and kind."""

    now: Callable[[], datetime]
    address: str = ""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, auto_kid=True))
    curve: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256", auto_kid=True))
    asked: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    codes: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])

    def issuer(self, way: str) -> str:
        """Return the issuer that has that way."""
        return f"{self.address}/{way}"

    def turn_key(self) -> None:
        """Sign with a new key from now on."""
        self.key = RSAKey.generate_key(2048, auto_kid=True)

    async def describe(self, request: Request) -> Response:
        """Hand out the discovery document."""
        way = self._count(request, "description")
        issuer = self.issuer(way)
        document: dict[str, Any] = {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize?theme=quiet",
            "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/keys",
            "response_types_supported": ["code"],
        }
        if way == "posted":
            document["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
        bad: dict[str, Callable[[], Response]] = {
            "down": lambda: Response(status_code=503),
            "missing": lambda: Response(status_code=404),
            "html": lambda: HTMLResponse("<h1>Welcome</h1>"),
            "list": lambda: JSONResponse([document]),
            "short": lambda: JSONResponse({"issuer": issuer}),
            "impostor": lambda: JSONResponse({**document, "issuer": "https://elsewhere.example"}),
            "open": lambda: JSONResponse({**document, "token_endpoint": "http://elsewhere.example/token"}),
            "moved": lambda: RedirectResponse(f"{self.issuer('good')}/.well-known/openid-configuration"),
            "huge": lambda: JSONResponse({**document, "ui_locales": "x" * 400_000}),
            "dripping": lambda: StreamingResponse(_drips(), media_type="application/json"),
        }
        if way == "silent":
            await asyncio.sleep(1)
        return bad[way]() if way in bad else JSONResponse(document)

    async def authorize(self, request: Request) -> Response:
        """Send somebody back with a code, or without."""
        way, asked = self._count(request, "authorize"), request.query_params
        assert (asked["client_id"], asked["response_type"], asked["theme"]) == (CLIENT, "code", "quiet")
        assert (asked["scope"], asked["code_challenge_method"]) == ("openid", "S256")
        answer = {"state": asked["state"], "iss": self.issuer("good" if way == "mixed-up" else way)}
        if way in TOLD:
            answer["error"] = TOLD[way]
        elif way != "wordless":
            answer["code"] = secrets.token_urlsafe(8)
            self.codes[answer["code"]] = {"person": "ada", **asked}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", status_code=302)

    async def exchange(self, request: Request) -> Response:
        """Hand out an ID token for a code, once."""
        way = self._count(request, "token")
        sent = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        bad: dict[str, Callable[[], Response]] = {
            "token-down": lambda: Response(status_code=502),
            "token-html": lambda: HTMLResponse("<h1>Welcome</h1>"),
            "token-null": lambda: JSONResponse(None),
            "unwilling": lambda: JSONResponse({"error": "invalid_client"}, 401),
            "bare": lambda: JSONResponse({"access_token": "x", "token_type": "Bearer"}),
            "garbled": lambda: JSONResponse({"id_token": "a.b.c"}),
            "surrogate": lambda: Response(b'{"id_token": "\\ud800"}', media_type="application/json"),
        }
        if way in bad:
            return bad[way]()
        asked = self.codes.pop(sent.get("code", ""), None)
        if not self._knows(way, request, sent):
            return JSONResponse({"error": "invalid_client"}, 401)
        if asked is None or _challenge(sent["code_verifier"]) != asked["code_challenge"]:
            return JSONResponse({"error": "invalid_grant"}, 400)
        assert sent["redirect_uri"] == asked["redirect_uri"]
        return JSONResponse(
            {"id_token": self._signed(way, asked), "access_token": "x", "token_type": "Bearer"}
        )

    async def keys(self, request: Request) -> Response:
        """Hand out the keys; one of them nobody knows how to use."""
        way = self._count(request, "keys")
        odd = {"kty": "XYZ", "kid": "odd"}
        halved = {"kty": "RSA", "kid": "halved"}
        found = [odd, halved, self.key.as_dict(private=False), self.curve.as_dict(private=False)]
        bad: dict[str, Callable[[], Response]] = {
            "keys-down": lambda: Response(status_code=500),
            "keys-html": lambda: HTMLResponse("<h1>Welcome</h1>"),
            "keys-null": lambda: JSONResponse({"keys": None}),
            "keyless": lambda: JSONResponse({"keys": [odd]}),
        }
        return bad[way]() if way in bad else JSONResponse({"keys": found})

    def _count(self, request: Request, kind: str) -> str:
        way = str(request.path_params["way"])
        self.asked[way, kind] += 1
        return way

    def _knows(self, way: str, request: Request, sent: Mapping[str, str]) -> bool:
        if way == "posted":
            return (sent.get("client_id"), sent.get("client_secret")) == (CLIENT, SECRET)
        scheme, _, rest = request.headers.get("authorization", "").partition(" ")
        name, _, secret = b64decode(rest).decode().partition(":")
        return (scheme, unquote_plus(name), unquote_plus(secret)) == ("Basic", CLIENT, SECRET)

    def _signed(self, way: str, asked: Mapping[str, str]) -> str:
        at = int(self.now().timestamp())
        claims: Claims = {
            "iss": self.issuer(way),
            "sub": asked["person"],
            "aud": CLIENT,
            "iat": at,
            "exp": at + 300,
            "nonce": asked["nonce"],
            "email": "ada@example.org",
        }
        said = CLAIMS[way](claims) if way in CLAIMS else claims
        claims = {name: value for name, value in said.items() if value is not None}
        header: dict[str, Any] = {"alg": "RS256", "kid": self.key.kid}
        another = RSAKey.generate_key(2048) if way in {"forged", "unknown-key"} else self.key
        sign: dict[str, Callable[[], str]] = {
            "elliptic": lambda: jwt.encode({"alg": "ES256", "kid": self.curve.kid}, claims, self.curve),
            "forged": lambda: jwt.encode(header, claims, another),
            "unknown-key": lambda: jwt.encode({**header, "kid": "unknown"}, claims, another),
            "shared-secret": lambda: jwt.encode(
                {**header, "alg": "HS256"}, claims, OctKey.import_key(SECRET)
            ),
            "public-secret": lambda: _mac({**header, "alg": "HS256"}, claims, self.key.as_pem(private=False)),
            "unsigned": lambda: _mac({"alg": "none"}, claims, b"").rpartition(".")[0] + ".",
            "tampered": lambda: _tampered(jwt.encode(header, claims, self.key), claims),
            "wordy": lambda: jwt.encode(
                {**header, "x-note": "hello"},
                claims,
                self.key,
                registry=JWSRegistry(strict_check_header=False),
            ),
        }
        return sign[way]() if way in sign else jwt.encode(header, claims, self.key)


def _b64(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _challenge(verifier: str) -> str:
    return _b64(sha256(verifier.encode()).digest())


def _mac(header: Claims, claims: Claims, key: bytes) -> str:
    """Return a token with a MAC that no library would make."""
    said = ".".join(_b64(json.dumps(part).encode()) for part in (header, claims))
    return f"{said}.{_b64(hmac.digest(key, said.encode(), 'sha256'))}"


def _tampered(token: str, claims: Claims) -> str:
    """Return a token that names somebody else, with the signature it had."""
    header, _, signature = token.split(".")
    return f"{header}.{_b64(json.dumps({**claims, 'sub': 'mallory'}).encode())}.{signature}"


async def _drips() -> AsyncIterator[bytes]:
    for _ in range(100):
        yield b" "
        await asyncio.sleep(0.02)


def entry_for(issuer: str, name: str) -> str:
    """Return what an operator writes down about a provider."""
    return f'name = "{name}"\nissuer = "{issuer}"\nclient_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'


@contextmanager
def serving(now: Callable[[], datetime]) -> Iterator[Openid]:
    """Run a provider on a free port, by that clock; end it afterwards."""
    openid = Openid(now)
    routes = [
        Route("/{way}/.well-known/openid-configuration", openid.describe),
        Route("/{way}/authorize", openid.authorize),
        Route("/{way}/token", openid.exchange, methods=["POST"]),
        Route("/{way}/keys", openid.keys),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="critical", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    until = time.monotonic() + PATIENCE_SECONDS
    while not server.started and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.01)
    openid.address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield openid
    finally:
        server.should_exit = True
        thread.join()
