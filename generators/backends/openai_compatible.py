"""A model behind any server that speaks OpenAI's protocol: vLLM, llama.cpp's, a hosted one.

Every setting of `Decoding` is sent, and so is what would otherwise be a default of the
server's, or of the model's own configuration:

- `top_k` is −1 for all tokens; vLLM and llama.cpp both understand that (left out, it is 40
  for llama.cpp).
- `repetition_penalty` is vLLM's name, `repeat_penalty` llama.cpp's; each leaves the
  other's alone. `repeat_last_n` −1 makes llama.cpp look at the whole text.
- `min_p` 0 is off, and `samplers` leaves llama.cpp no others and the order of `Decoding`.
- `top_p` 0 is greedy: it is sent as a temperature of 0 with a `top_p` of 1, since 0 is refused.

What cannot be kept: llama.cpp counts the prompt for the frequency and presence penalties
too. And no server suppresses signs without its tokenizer: they may be written, the checks
refuse them afterwards, and what is recorded (`applied`) does not claim otherwise.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, ValidationError

from generators.backends import instruction
from generators.backends.base import PLAIN_TEMPLATE, Prompt
from generators.decoding import Decoding
from generators.errors import BackendMissingError, EndpointError, GenerationError

if TYPE_CHECKING:
    from generators.backends.wire import Wire

KEY_VARIABLE = "ROFT_GENERATION_KEY"
"""The environment variable with the key; it is written nowhere."""
TOKENS_PER_UNIT = 60
"""A continuation stops after this many tokens a unit, finished or not."""
SAMPLERS = ("penalties", "temperature", "top_k", "top_p")
BATCH = 64
"""Prompts that go together; so the passages do not depend on how many requests run at once."""
GIVE_UP_AFTER = 64
"""Requests failed one after another, tries and all, after which the server counts as gone."""
GIVE_UP_AT_FIRST = 16
"""The same, before any has worked."""
GREETING_SECONDS = 5.0
_UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is served, and how much may be asked of it.

    Attributes:
        url: base address, such as http://localhost:8000/v1.
        model: id that the server knows the model by.
        chat: instruct a chat model (`instruction`), instead of letting it continue plain text.
        concurrency: requests under way at once.
        timeout_s: seconds one try of a request may take as a whole.
        retries: tries after the first.
        requests_per_minute: tries that may begin in a minute, all together; None is no limit.
        extensions: send what OpenAI's own service does not know and refuses (`top_k`, the
            repetition penalty and all that switches defaults off).
    """

    url: str
    model: str
    chat: bool = False
    concurrency: int = 16
    timeout_s: float = 300.0
    retries: int = 6
    requests_per_minute: float | None = None
    extensions: bool = True

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if not _is_address(self.url):
            raise GenerationError("The address of an endpoint looks like http://localhost:8000/v1.")
        if self.concurrency < 1 or self.timeout_s <= 0 or self.retries < 0:
            raise GenerationError(
                "An endpoint is asked at least once, one at a time, for more than 0 seconds."
            )
        if self.requests_per_minute is not None and self.requests_per_minute <= 0:
            raise GenerationError("The requests a minute are more than 0.")


class OpenAIBackend:
    """Continues texts by asking a server; a request that fails in the end continues nothing."""

    name = "openai"

    def __init__(self, endpoint: Endpoint, *, key: str | None = None) -> None:
        """Greet the server; the key is only ever sent to it.

        Raises:
            BackendMissingError: the openai package is not installed.
            EndpointError: no server is there, or it does not take the key.
            GenerationError: the key cannot be one.
        """
        try:
            from generators.backends.wire import ENGINE, Pace, Wire
        except ImportError as error:
            raise BackendMissingError(
                "Asking an endpoint needs the package openai; `make install-all` installs it."
            ) from error
        self.model = endpoint.model
        self.engine = f"{ENGINE} at {endpoint.url}{'' if endpoint.extensions else ' without extensions'}"
        self.batch = max(BATCH, endpoint.concurrency)
        self.written = 0
        self.template = instruction.INSTRUCTION if endpoint.chat else PLAIN_TEMPLATE
        self._endpoint = endpoint
        pace = Pace(endpoint.requests_per_minute)
        self._wire = Wire(endpoint.url, _secret(key), endpoint.timeout_s, endpoint.retries, pace)
        self._patience = _Patience()
        self.revision = asyncio.run(_revision(self._wire, endpoint.model))

    def applied(self, decoding: Decoding) -> Decoding:
        """Return the settings without the suppressed signs; a server cannot suppress them."""
        return replace(decoding, suppressed="")

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str | None]:
        """Return what comes after each prompt, beginning with the white space between.

        None stands for a request that failed, all tries included.

        Raises:
            EndpointError: the server is of no use, from the beginning or for long.
            GenerationError: a setting cannot be told to this server.
        """
        if not self._endpoint.extensions and (decoding.top_k or decoding.repetition_penalty != 1):
            raise GenerationError("This endpoint knows neither top_k nor a repetition penalty.")
        bodies = [self._body(*asked, decoding) for asked in zip(prompts, seeds, strict=True)]
        replies = asyncio.run(self._replies(bodies))
        self._patience.check()
        return [self._continuation(*pair) for pair in zip(prompts, replies, strict=True)]

    def _body(self, prompt: Prompt, seed: int, decoding: Decoding) -> Mapping[str, Any]:
        """Return a request, every setting stated."""
        asked: dict[str, Any] = {"prompt": prompt.text}
        if self._endpoint.chat:
            asked = {"messages": [{"role": "user", "content": instruction.message(prompt)}]}
        if self._endpoint.extensions:
            asked |= _extensions(decoding)
        return {
            "model": self.model,
            **asked,
            "max_tokens": TOKENS_PER_UNIT * prompt.needed,
            "temperature": decoding.temperature if decoding.top_p else 0.0,
            "top_p": decoding.top_p or 1.0,
            "frequency_penalty": decoding.frequency_penalty,
            "presence_penalty": decoding.presence_penalty,
            "seed": seed,
            "n": 1,
            "stream": False,
        }

    async def _replies(self, bodies: Sequence[Mapping[str, Any]]) -> Sequence[str | None]:
        gate = asyncio.Semaphore(self._endpoint.concurrency)
        path = "/chat/completions" if self._endpoint.chat else "/completions"
        async with self._wire.opened() as line:

            async def reply(body: Mapping[str, Any]) -> str | None:
                async with gate:
                    if self._patience.is_over:
                        return None
                    try:
                        text = self._text(await line.post(path, body))
                    except EndpointError as error:
                        self._patience.failed(error)
                        return None
                self._patience.worked()
                return text

            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(reply(body)) for body in bodies]
        return [task.result() for task in tasks]

    def _text(self, answer: bytes) -> str:
        kind = _Chat if self._endpoint.chat else _Completion
        try:
            told = kind.model_validate_json(answer)
        except ValidationError:
            raise EndpointError(
                f"What the server at {self._wire.address} sends is no completion; "
                "is the address right, as far as /v1?"
            ) from None
        self.written += told.usage.completion_tokens if told.usage else 0
        return told.text

    def _continuation(self, prompt: Prompt, reply: str | None) -> str | None:
        """Return plain text as it came, and of a chat's reply what goes on."""
        if reply is None or not self._endpoint.chat:
            return reply
        return instruction.continuation(prompt, reply)


@dataclass
class _Patience:
    """Tells a request that failed from a server that is of no use."""

    _worked: bool = False
    _in_a_row: int = 0
    _first: EndpointError | None = None

    def worked(self) -> None:
        self._worked, self._in_a_row, self._first = True, 0, None

    def failed(self, error: EndpointError) -> None:
        self._in_a_row += 1
        self._first = self._first or error

    @property
    def is_over(self) -> bool:
        """Whether to ask no more."""
        hopeless = self._first is not None and self._first.lasting and not self._worked
        return hopeless or self._in_a_row >= (GIVE_UP_AFTER if self._worked else GIVE_UP_AT_FIRST)

    def check(self) -> None:
        """Raise the first failure of the last ones if the server is of no use."""
        if self._first and self.is_over:
            raise self._first


class _Usage(BaseModel):
    completion_tokens: int = 0


class _Reply(BaseModel):
    """What we read of any reply; not every server counts."""

    usage: _Usage | None = None


class _CompletionChoice(BaseModel):
    text: str


class _Completion(_Reply):
    """What we read of a reply of /completions."""

    choices: tuple[_CompletionChoice, ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        """What was written."""
        return self.choices[0].text


class _Message(BaseModel):
    content: str


class _ChatChoice(BaseModel):
    message: _Message


class _Chat(_Reply):
    """What we read of a reply of /chat/completions."""

    choices: tuple[_ChatChoice, ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        """What was written."""
        return self.choices[0].message.content


class _Meta(BaseModel):
    n_params: int | None = None
    size: int | None = None


class _Model(BaseModel):
    """What a server tells of a model; not `created`, which is often the time of asking."""

    id: str
    owned_by: str | None = None
    root: str | None = None
    meta: _Meta | None = None

    @property
    def revision(self) -> str:
        """All that does not change while the weights do not; of a path the last part only."""
        root = self.root and (PurePosixPath(self.root).name if self.root.startswith("/") else self.root)
        meta = self.meta or _Meta()
        told = {"by": self.owned_by, "root": root, "parameters": meta.n_params, "bytes": meta.size}
        return ", ".join(f"{name} {value}" for name, value in told.items() if value) or _UNKNOWN


class _Models(BaseModel):
    data: tuple[_Model, ...]


async def _revision(wire: "Wire", model: str) -> str:
    """Return what the server tells of the state of a model; most tell little, some nothing."""
    try:
        async with wire.opened() as line:
            models = _Models.model_validate_json(await line.get("/models", timeout_s=GREETING_SECONDS))
    except EndpointError as error:
        if error.lasting:
            raise
        return _UNKNOWN
    except ValidationError:
        return _UNKNOWN
    return next((one.revision for one in models.data if one.id == model), _UNKNOWN)


def _extensions(decoding: Decoding) -> Mapping[str, Any]:
    return {
        "top_k": decoding.top_k or -1,
        "min_p": 0.0,
        "repetition_penalty": decoding.repetition_penalty,
        "repeat_penalty": decoding.repetition_penalty,
        "repeat_last_n": -1,
        "samplers": SAMPLERS,
    }


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _secret(key: str | None) -> SecretStr | None:
    """Return the key, or None if it is blank."""
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise GenerationError(f"The key in {KEY_VARIABLE} holds a character that no key has.")
    return SecretStr(key) if key else None
