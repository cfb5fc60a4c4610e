"""The server is killed while 500 rounds are being played: what it has acknowledged is kept."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from app.settings import Settings
from app.store.database import Database
from scoring.points import distance_decay
from tests.app.recounting import recounted_books, stored_books
from tests.app.serving import Line, Server, lines
from tests.app.stocking import GENRES, column, rows, token_of

pytestmark = pytest.mark.xdist_group("kill")

log = logging.getLogger("proofs")

ROUNDS = 500
KILLED_AFTER = 1200
"""Acknowledged moves; no round is over by then."""
EARLIEST, LATEST = 5, 10
"""Guesses, so that a round takes five to nine moves."""

HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}
ALL_HUMAN = {"call": "human", "reasons": ["voice"]}


@dataclass
class Reader:
    """Somebody with one round, who will guess one sentence; remembers every acknowledgement."""

    name: str
    genre: str
    guess: int
    round_id: str = ""
    acknowledged: int = 0
    verdict: Any = None

    def move(self, turn: int) -> dict[str, Any]:
        """Return what this reader says in a turn."""
        if turn < min(self.guess, LATEST - 1) - 1:
            return HUMAN
        return ALL_HUMAN if self.guess == LATEST else MACHINE

    async def start(self, line: Line) -> None:
        """Start the round, or find it open."""
        answer = await line.start(self.genre)
        assert answer.status in {200, 201}
        self.round_id = answer.data["id"]

    async def play(self, line: Line, on_move: Callable[[], None]) -> None:
        """Play to the end, or until the server is gone."""
        try:
            while self.verdict is None:
                turn = self.acknowledged
                answer = await line.move(self.round_id, turn, self.move(turn))
                assert answer.status == 200
                self.acknowledged += 1
                self.verdict = answer.data["verdict"]
                on_move()
        except ConnectionError:
            pass


@dataclass
class Crowd:
    """All readers, each on a line of its own."""

    readers: list[Reader]
    moves: int = field(default=0)

    def play(self, server: Server, *, killed_after: int | None = None) -> None:
        """Play until the server is killed, or to the end of every round."""
        asyncio.run(self._play(server, killed_after))

    async def _play(self, server: Server, killed_after: int | None) -> None:
        def on_move() -> None:
            self.moves += 1
            if self.moves == killed_after:
                server.kill()

        tokens = [token_of(reader.name) for reader in self.readers]
        async with lines(server.port, tokens) as opened:
            pairs = list(zip(self.readers, opened, strict=True))
            await asyncio.gather(*(reader.start(line) for reader, line in pairs))
            await asyncio.gather(*(reader.play(line, on_move) for reader, line in pairs))


def readers() -> list[Reader]:
    """Return the readers; their guesses are drawn."""
    dice = Random(2023)
    return [
        Reader(f"reader{number}", GENRES[number % len(GENRES)], dice.randint(EARLIEST, LATEST))
        for number in range(ROUNDS)
    ]


def stored_moves(database: Database) -> dict[str, list[str]]:
    """Return what has been said in each round, in order."""
    found: dict[str, list[str]] = {}
    for row in rows(database, "SELECT round_id, number, form FROM move ORDER BY round_id, number"):
        said = found.setdefault(row["round_id"], [])
        assert row["number"] == len(said)
        said.append("machine" if "machine" in str(row["form"]) else "human")
    return found


def test_what_was_acknowledged_outlives_the_server_and_every_round_goes_on(
    settings: Settings, database: Database
) -> None:
    crowd = Crowd(readers())
    server = Server(settings, workers=1 if settings.url.startswith("sqlite") else 2)

    server.start()
    crowd.play(server, killed_after=KILLED_AFTER)
    open_rounds = column(database, "SELECT id FROM round WHERE closed_at IS NULL")
    acknowledged = {one.round_id: one.acknowledged for one in crowd.readers}
    stored = stored_moves(database)
    unsaid = {id_: len(stored.get(id_, [])) - count for id_, count in acknowledged.items()}
    log.info(
        "%s: killed after %s acknowledged moves in %s rounds in flight; %s more had been stored",
        database.engine.dialect.name,
        crowd.moves,
        len(open_rounds),
        sum(unsaid.values()),
    )
    assert len(open_rounds) == ROUNDS
    assert sum(acknowledged.values()) >= KILLED_AFTER
    assert set(unsaid.values()) <= {0, 1}  # nothing is lost; a last move may have missed its reply
    assert all(set(said) == {"human"} for said in stored.values())

    try:
        server.start()
        crowd.play(server)
    finally:
        server.stop()
    boundaries = {
        row["id"]: row["boundary"]
        for row in rows(
            database, "SELECT r.id, p.boundary FROM round r JOIN passage p ON p.id = r.passage_id"
        )
    }
    assert len(boundaries) == ROUNDS
    for one in crowd.readers:
        assert one.verdict["guess"] == one.guess
        assert one.verdict["points"] == distance_decay(one.guess, boundaries[one.round_id])
    assert stored_books(database) == recounted_books(database)
    log.info("%s: %s moves in all", database.engine.dialect.name, crowd.moves)
