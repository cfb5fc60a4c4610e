"""A server that speaks OpenAI's protocol, well or badly, as the name of the model says.

A model's name is its ways with a comma between, then perhaps # and what keeps two tests
apart: "good", "good,html,null#mixed". The seed of a request picks the way.
"""

import asyncio
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from app.settings import ROOT
from generators.backends.base import Prompt
from generators.backends.fake import FakeBackend
from generators.backends.openai_compatible import TOKENS_PER_UNIT
from generators.decoding import Decoding
from generators.segment import Unit

KEY = "key-of-the-tests"
PATIENCE_SECONDS = 60
_PORT = re.compile(r"running on http://127\.0\.0\.1:(\d+)")
_SOON = {"retry-after-ms": "1"}


@dataclass
class Seen:
    """What one model was asked."""

    bodies: list[Any] = field(default_factory=list[Any])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    times: list[float] = field(default_factory=list[float])
    tries: Counter[int] = field(default_factory=Counter[int])
    now: int = 0
    most: int = 0


_seen: dict[str, Seen] = {}


def text_for(seed: int, needed: int) -> str:
    """Return what a good model writes."""
    prompt = Prompt("", Unit.SENTENCE, needed)
    return FakeBackend().continuations([prompt], Decoding(), seeds=[seed])[0]


async def _complete(request: Request) -> Response:
    body = await request.json()
    seen = _seen.setdefault(body["model"], Seen())
    seen.bodies.append(body)
    seen.headers.append(dict(request.headers))
    seen.times.append(time.monotonic())
    seen.tries[body["seed"]] += 1
    ways = body["model"].partition("#")[0].split(",")
    way = ways[body["seed"] % len(ways)]
    seen.now += 1
    seen.most = max(seen.most, seen.now)
    try:
        if way == "slow":
            await asyncio.sleep(0.02 + body["seed"] * 7 % 5 * 0.02)
        return _answer(way, body, seen.tries[body["seed"]])
    finally:
        seen.now -= 1


def _answer(way: str, body: dict[str, Any], tries: int) -> Response:
    text = text_for(body["seed"], body["max_tokens"] // TOKENS_PER_UNIT)
    choice: dict[str, Any] = {"index": 0, "finish_reason": "stop"}
    if "messages" in body:
        choice["message"] = {"role": "assistant", "content": f"\n\n{text.strip()} \n"}
    else:
        choice["text"] = text
    good = {"id": "1", "model": body["model"], "choices": [choice]}
    answers: dict[str, Callable[[], Response]] = {
        "good": lambda: JSONResponse(good),
        "slow": lambda: JSONResponse(good),
        "busy-once": lambda: _failing(429) if tries == 1 else JSONResponse(good),
        "failing-twice": lambda: _failing(500) if tries <= 2 else JSONResponse(good),
        "failing": lambda: _failing(500),
        "cut": lambda: _cut(json.dumps(good).encode()),
        "dripping": lambda: StreamingResponse(_drips(), media_type="application/json"),
        "html": lambda: HTMLResponse("<h1>Welcome</h1>"),
        "shape": lambda: JSONResponse({"result": [text]}),
        "null": lambda: JSONResponse({"choices": [{"text": None, "message": {"content": None}}]}),
        "none": lambda: JSONResponse({"choices": []}),
        "empty": lambda: JSONResponse({"choices": [{"text": ""}]}),
        "binary": lambda: Response(b"\x00\xff\xfe\x80" * 99, media_type="application/json"),
        "surrogate": lambda: Response(b'{"choices": [{"text": " \\ud800"}]}', media_type="application/json"),
        "locked": lambda: _unauthorised(""),
    }
    unknown = {"error": {"message": f"The model {body['model']} does not exist.", "code": 404}}
    return answers[way]() if way in answers else JSONResponse(unknown, 404)


def _failing(status: int) -> Response:
    return JSONResponse({"error": {"message": "Out of order."}}, status, headers=_SOON)


def _cut(body: bytes) -> Response:
    async def half() -> AsyncIterator[bytes]:
        yield body[: len(body) // 2]
        await asyncio.sleep(0.01)
        raise ConnectionAbortedError

    return StreamingResponse(
        half(), media_type="application/json", headers={"content-length": str(len(body))}
    )


async def _drips() -> AsyncIterator[bytes]:
    for _ in range(100):
        yield b" "
        await asyncio.sleep(0.05)


def _unauthorised(header: str) -> Response:
    """Refuse and repeat the key in full, as a careless server might."""
    return JSONResponse({"error": {"message": f"Incorrect key: {header}"}}, 401)


async def _locked_models(request: Request) -> Response:
    header = request.headers.get("authorization", "")
    return await _models(request) if header == f"Bearer {KEY}" else _unauthorised(header)


async def _models(_: Request) -> Response:
    """Name one model; `created` is the time of asking, as with vLLM and llama.cpp."""
    one = {"id": "good", "object": "model", "created": time.time_ns(), "owned_by": "vllm"}
    return JSONResponse({"object": "list", "data": [{**one, "root": "/home/ada/models/good-7b"}]})


async def _echo(request: Request) -> Response:
    said = request.headers.get("authorization")
    return JSONResponse({"error": {"message": f"Bad request by {said}\nAsk otherwise."}}, 400)


async def _told(request: Request) -> Response:
    seen = _seen[request.query_params["model"]]
    return JSONResponse({**vars(seen), "tries": list(seen.tries.values())})


_asking = [
    Route("/completions", _complete, methods=["POST"]),
    Route("/chat/completions", _complete, methods=["POST"]),
]
app = Starlette(
    routes=[
        Mount("/v1", routes=[*_asking, Route("/models", _models)]),
        Mount("/bare/v1", routes=_asking),
        Mount("/locked/v1", routes=[*_asking, Route("/models", _locked_models)]),
        Mount("/echo/v1", routes=[Route("/completions", _echo, methods=["POST"])]),
        Route("/seen", _told),
    ]
)


@dataclass(frozen=True)
class Server:
    """The server in its own process."""

    root: str

    @property
    def url(self) -> str:
        """The base address of the service."""
        return f"{self.root}/v1"

    def seen(self, model: str) -> Any:
        """Return what the model was asked."""
        with urlopen(f"{self.root}/seen?model={model.replace('#', '%23')}") as answer:  # noqa: S310 - ours
            return json.load(answer)


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """Start the server on a free port; end it afterwards."""
    log = folder / "endpoint.log"
    with log.open("wb") as file:
        process = subprocess.Popen(_COMMAND, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
    try:
        until = time.monotonic() + PATIENCE_SECONDS
        while not (found := _PORT.search(log.read_text())):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The server did not start:\n{log.read_text()}")
            time.sleep(0.02)
        yield Server(f"http://127.0.0.1:{found[1]}")
    finally:
        process.kill()
        process.wait()


_COMMAND = (
    *(sys.executable, "-m", "uvicorn", "tests.generators.endpoint:app"),
    *("--host", "127.0.0.1", "--port", "0", "--no-access-log"),
)
