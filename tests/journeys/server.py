"""A real server process over a toy deck, and a look into its database."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
import uvicorn
from fastapi import FastAPI
from sqlalchemy import text

from app.services.importing import import_passages
from app.settings import ROOT
from app.store.database import Database
from app.store.migrating import upgrade
from game.days import DAILY
from game.records import PassageRecord, Resolve
from tests.factories import no_pointers, record

SECRET = "a secret of the journeys, long enough for the rule"
START_SECONDS = 90
FULL_GENRES = ("recipes", "speeches", "stories")


@dataclass(frozen=True)
class Server:
    """A site that answers at `address`."""

    address: str
    database: Database

    def rows(self, statement: str, **values: object) -> Sequence[Mapping[str, Any]]:
        """Return what stands in the database."""
        with self.database.read() as db:
            return [dict(row) for row in db.execute(text(statement), values).mappings()]

    def moves(self, round_id: str) -> Sequence[Mapping[str, Any]]:
        """Return the moves of a round, as stored."""
        return self.rows("SELECT * FROM move WHERE round_id = :id ORDER BY number", id=round_id)

    def calls(self, round_id: str) -> list[str]:
        """Return what was said in each move of a round."""
        return [json.loads(row["form"])["call"] for row in self.moves(round_id)]

    def events(self, round_id: str) -> list[tuple[str, int]]:
        """Return kind and turn of what a round has in its log."""
        rows = self.rows("SELECT kind, turn FROM event WHERE round_id = :id ORDER BY id", id=round_id)
        return [(row["kind"], row["turn"]) for row in rows]

    def value(self, statement: str, **values: object) -> Any:
        """Return the one value that is asked for."""
        with self.database.read() as db:
            return db.execute(text(statement), values).scalar_one()


def toy_deck() -> list[PassageRecord]:
    """Return three genres with every boundary, and three short ones of one kind of ending each."""
    full = [
        record(boundary=boundary, genre=genre, salt=f"{genre}{boundary}")
        for genre in FULL_GENRES
        for boundary in range(1, 11)
    ]
    return [
        *full,
        record(boundary=4, genre="essays", salt="essay", after="O"),
        record(boundary=10, genre="letters", salt="letter"),
        record(boundary=10, genre="letters", salt="postcard"),
        record(boundary=4, genre="reports", salt="report"),
    ]


def days() -> list[str]:
    """Return a deck for some days, as lines of a passage file."""
    return [record(boundary=3, salt=f"day {number}").model_dump_json() for number in range(5)]


@contextmanager
def serving(
    home: Path,
    deck: Sequence[PassageRecord],
    *,
    root: Path = ROOT,
    resolve: Resolve = no_pointers,
    providers: str = "",
) -> Iterator[Server]:
    """Run the site of a source tree on a new database with that deck, and that file of providers."""
    database = Database(f"sqlite:///{home / 'roft.db'}", durability="normal")
    upgrade(database)
    lines = [one.model_dump_json() for one in deck]
    with database.write() as db:
        import_passages(db, lines, resolve=resolve, deck="starter", now=datetime.now(UTC))
        import_passages(db, days(), resolve=resolve, deck=DAILY, now=datetime.now(UTC))
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    settings = {
        "ROFT_HOME": str(home),
        "ROFT_SECRET": SECRET,
        "ROFT_DURABILITY": "normal",
        "ROFT_ADDRESS": address,
        "ROFT_PROVIDERS": providers,
    }
    command = (sys.executable, "-m", "uvicorn", "cli.site:served_app", "--factory")
    options = (
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--log-level",
        "warning",
        "--timeout-graceful-shutdown",
        "2",
    )
    with subprocess.Popen([*command, *options], cwd=root, env={**os.environ, **settings}) as process:
        try:
            _wait_until_ready(address, process)
            yield Server(address, database)
        finally:
            process.terminate()
            database.close()


@contextmanager
def serving_here(site: FastAPI) -> Iterator[str]:
    """Run a site in a thread, so that a test holds its clock; yield its address."""
    port = _free_port()
    server = uvicorn.Server(uvicorn.Config(site, host="127.0.0.1", port=port, log_level="warning"))
    thread = Thread(target=server.run)
    thread.start()
    try:
        _wait_until_ready(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_until_ready(address: str, process: subprocess.Popen[bytes] | None = None) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and (process is None or process.poll() is None):
        try:
            if httpx2.get(f"{address}/readyz").is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.05)
    raise RuntimeError("The site did not start.")
