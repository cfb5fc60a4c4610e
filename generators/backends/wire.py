"""Requests to a server that speaks OpenAI's protocol, by the openai package.

The package tries again by itself after a connection that failed or broke, a time-out and
the statuses 408, 409, 429 and 5xx, later and later, or when the server's Retry-After says
(up to two minutes). Here every try has a time limit as a whole, and whatever is left in
the end becomes an `EndpointError`, whose sentence never holds the key.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Omit
from pydantic import BaseModel, SecretStr, ValidationError

from generators.errors import EndpointError

ENGINE = f"openai {openai.__version__}"
CONNECT_SECONDS = 5.0
_SHOWN = 200
"""Characters of a server's message that fit into our sentence."""


@dataclass
class Pace:
    """Lets tries begin at even distances.

    Attributes:
        per_minute: tries; None is no limit.
    """

    per_minute: float | None
    _free_at: float = field(default=0.0, init=False)

    async def turn(self) -> None:
        """Wait until the next try may begin."""
        if self.per_minute is None:
            return
        now = time.monotonic()
        begin = max(now, self._free_at)
        self._free_at = begin + 60 / self.per_minute
        await asyncio.sleep(begin - now)


@dataclass(frozen=True, slots=True)
class Wire:
    """How to reach a server.

    Attributes:
        url: base address, such as http://localhost:8000/v1.
        key: what the server knows us by, if it asks.
        timeout_s: seconds that one try may take from the request to the end of the answer.
        retries: tries after the first.
        pace: of the tries.
    """

    url: str
    key: SecretStr | None
    timeout_s: float
    retries: int
    pace: Pace

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator["Line"]:
        """Open connections for the requests of one event loop."""
        client = AsyncOpenAI(
            base_url=self.url,
            api_key=self.key.get_secret_value() if self.key else "none",
            max_retries=self.retries,
            http_client=_TimedClient(self.pace, self.timeout_s),
        )
        async with client:
            yield Line(client, self)

    @property
    def address(self) -> str:
        """The base address as it may be shown: without a name and password."""
        parts = urlsplit(self.url)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()

    def shown(self, message: str) -> str:
        """Return a server's message in one short line, without the key."""
        if self.key:
            message = message.replace(self.key.get_secret_value(), "…")
        return " ".join(message.split())[:_SHOWN]


@dataclass(frozen=True, slots=True)
class Line:
    """Open connections to a server."""

    _client: AsyncOpenAI
    _wire: Wire

    async def get(self, path: str, *, timeout_s: float) -> bytes:
        """Return the body of an answer, tried once; empty where the server has no such page.

        Raises:
            EndpointError: there is none.
        """
        options: Any = {"headers": self._headers(), "max_retries": 0}
        try:
            async with asyncio.timeout(timeout_s):
                answer = await self._client.get(path, cast_to=httpx2.Response, options=options)
        except openai.NotFoundError:
            return b""
        except (openai.OpenAIError, TimeoutError) as error:
            raise _told(error, self._wire) from None  # the package's own error may hold the key
        return answer.content

    async def post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """Return the body of an answer, tried as often as agreed.

        Raises:
            EndpointError: there is none.
        """
        options: Any = {"headers": self._headers()}
        try:
            answer = await self._client.post(path, cast_to=httpx2.Response, body=body, options=options)
        except openai.OpenAIError as error:
            raise _told(error, self._wire) from None  # the package's own error may hold the key
        return answer.content

    def _headers(self) -> Mapping[str, str | Omit]:
        """Keep back what the package takes from the environment; it is meant for another server."""
        unsaid: dict[str, str | Omit] = {"OpenAI-Organization": Omit(), "OpenAI-Project": Omit()}
        return unsaid if self._wire.key else {**unsaid, "Authorization": Omit()}


class _TimedClient(DefaultAsyncHttpxClient):
    """Waits for its turn, then gives the whole exchange the seconds that httpx gives each of its parts."""

    def __init__(self, pace: Pace, timeout_s: float) -> None:
        connect = min(CONNECT_SECONDS, timeout_s)
        super().__init__(timeout=httpx2.Timeout(timeout_s, connect=connect, pool=None))
        self._pace, self._timeout_s = pace, timeout_s

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        await self._pace.turn()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await super().send(request, **options)
        except TimeoutError as error:
            raise httpx2.ReadTimeout("The answer took too long.", request=request) from error


def _told(error: openai.OpenAIError | TimeoutError, wire: Wire) -> EndpointError:
    """Say in a sentence what went wrong and what to do."""
    if isinstance(error, openai.APIStatusError):
        return _status_told(error, wire)
    server = f"The server at {wire.address}"
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return EndpointError(f"{server} is too slow; allow more seconds, or fewer requests at once.")
    if isinstance(error.__cause__, httpx2.ConnectError):
        sentence = f"No server answers at {wire.address}; start it, or correct the address."
        return EndpointError(sentence, lasting=True)
    return EndpointError(f"{server} breaks off before its answer is complete; its log may say why.")


def _status_told(error: openai.APIStatusError, wire: Wire) -> EndpointError:
    server, status = f"The server at {wire.address}", error.status_code
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        wants = "does not take the key in" if wire.key else "asks for a key; put one into"
        return EndpointError(f"{server} {wants} ROFT_GENERATION_KEY ({status}).", lasting=True)
    said = wire.shown(_message(error))
    if isinstance(error, openai.NotFoundError):
        remedy = "name one that it serves, and the address as far as /v1"
        return EndpointError(f"{server} knows no such model or page; {remedy} ({said}).", lasting=True)
    return EndpointError(f"{server} cannot answer ({status}: {said}).")


def _message(error: openai.APIStatusError) -> str:
    """Return what the server wrote, out of its wrapping if it has one."""
    try:
        return _Told.model_validate(error.body).message
    except ValidationError:
        return error.message


class _Told(BaseModel):
    message: str
