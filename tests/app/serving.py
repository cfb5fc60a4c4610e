"""A real server in processes of its own, and the thinnest client that can keep it busy."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from fastapi import FastAPI

from app.main import create_app
from app.settings import ROOT, Settings

PATIENCE_SECONDS = 120
_PORT = re.compile(r"running on http://127\.0\.0\.1:(\d+)")
_STARTED = "Application startup complete"
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def site() -> FastAPI:
    """Return the site as every server process makes it."""
    return create_app(Settings())


@dataclass
class Server:
    """The site, served by Uvicorn on a port that is free."""

    settings: Settings
    workers: int
    port: int = 0
    _log: Path = field(init=False)
    _process: "subprocess.Popen[bytes] | None" = None

    def __post_init__(self) -> None:
        """Say where the log goes."""
        self._log = self.settings.home / "server.log"

    def start(self) -> Self:
        """Start the processes and wait until they answer."""
        said = len(self.log)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_COMMAND, "--workers", str(self.workers)],
                cwd=ROOT,
                env={**os.environ, **_environment(self.settings)},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + PATIENCE_SECONDS
        while self.log.count(_STARTED, said) < self.workers or not _PORT.search(self.log, said):
            if self._process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"The server did not start ({self._process.returncode}):\n{self.log}")
            time.sleep(0.02)
        self.port = int(_PORT.findall(self.log)[-1])
        return self

    def kill(self) -> None:
        """Kill every process at once, in the middle of whatever it does."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE_SECONDS)
            self._process = None

    def stop(self) -> None:
        """Let the processes finish; the first of them ends the others."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE_SECONDS)
            finally:
                with suppress(ProcessLookupError):
                    self.kill()

    @property
    def log(self) -> str:
        """What the server has said so far."""
        return self._log.read_text() if self._log.exists() else ""

    @property
    def complaints(self) -> list[str]:
        """Lines of the log that no healthy server writes."""
        return [line for line in self.log.splitlines() if _BAD.search(line)]


_BAD = re.compile(r"error|exception|traceback|deadlock|locked|timeout", re.IGNORECASE)
_COMMAND = (
    *(sys.executable, "-m", "uvicorn", "tests.app.serving:site", "--factory"),
    *("--host", "127.0.0.1", "--port", "0", "--no-access-log", "--timeout-worker-healthcheck", "60"),
    *("--timeout-graceful-shutdown", "5", "--timeout-keep-alive", "600"),
)


def _environment(settings: Settings) -> dict[str, str]:
    return {
        "ROFT_HOME": str(settings.home),
        "ROFT_DATABASE_URL": settings.database_url,
        "ROFT_SECRET": settings.secret.get_secret_value(),
        "ROFT_DURABILITY": settings.durability,
    }


@contextmanager
def serving(settings: Settings, *, workers: int) -> Iterator[Server]:
    """Serve the site; nothing of it is left afterwards."""
    server = Server(settings, workers)
    try:
        yield server.start()
    finally:
        server.stop()


@dataclass(frozen=True)
class Answer:
    """A reply of the server."""

    status: int
    data: Any

    @property
    def rule(self) -> str:
        """The name of the rule in a refusal; empty in any other reply."""
        return "" if self.status < 400 else str(self.data["type"])


class Line:
    """One client: a connection that is kept alive, and a token."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._token = token

    async def post(self, path: str, body: Any = None) -> Answer:
        """Send JSON and wait for the reply; `ConnectionError` if the server is gone before it came."""
        return await self._ask("POST", path, b"" if body is None else json.dumps(body).encode())

    async def get(self, path: str) -> Answer:
        """Ask for something."""
        return await self._ask("GET", path, b"")

    async def move(self, round_id: str, turn: int, move: Any) -> Answer:
        """Send a move."""
        return await self.post(f"/api/v1/rounds/{round_id}/moves/{turn}", move)

    async def start(self, genre: str | None = None) -> Answer:
        """Ask for a round."""
        return await self.post("/api/v1/rounds", {"mode": "boundary", "genre": genre})

    async def _ask(self, method: str, path: str, payload: bytes) -> Answer:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: testserver\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n\r\n"
        )
        self._writer.write(head.encode() + payload)
        try:
            told = await self._reader.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(told)
            content = await self._reader.readexactly(int(length[1]) if length else 0)
        except asyncio.IncompleteReadError as error:
            raise ConnectionError("The server is gone.") from error
        return Answer(int(told[9:12]), json.loads(content) if content else None)

    def close(self) -> None:
        """Hang up."""
        self._writer.transport.abort()


@asynccontextmanager
async def lines(port: int, tokens: Sequence[str]) -> AsyncIterator[list[Line]]:
    """Open a line for every token; all are closed at the end."""
    async with AsyncExitStack() as stack:
        opened: list[Line] = []
        for token in tokens:
            line = Line(*await asyncio.open_connection("127.0.0.1", port), token)
            stack.enter_context(closing(line))
            opened.append(line)
        yield opened
        await asyncio.sleep(0)
