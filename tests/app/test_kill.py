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
from game.passage import LENGTH
from scoring.points import distance_decay
from tests.app.recounting import calls_by_round, recounted_books, stored_books
from tests.app.serving import Line, Server, lines, serving
from tests.stocking import GENRES, column, rows, token_of

pytestmark = pytest.mark.xdist_group("kill")

log = logging.getLogger("proofs")

MOVES_EACH = 2.4
"""Acknowledged moves a round when the server is killed; until then nobody closes one: all are in flight."""
GUESSES = (5, 5, 5, 6, 6, 10)
"""The sixth sentence, the seventh, or none: a round takes five, six or nine moves."""

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
        if turn < min(self.guess, LENGTH - 1) - 1:
            return HUMAN
        return ALL_HUMAN if self.guess == LENGTH else MACHINE

    async def start(self, line: Line) -> None:
        """Start the round, or find it open."""
        answer = await line.start(self.genre)
        assert answer.status in {200, 201}
        assert answer.data["id"] == self.round_id or not self.round_id
        self.round_id = answer.data["id"]

    async def play(self, line: Line, on_move: Callable[[], None], *, closes: bool) -> None:
        """Play to the end, or until the server is gone; or up to the move that would close the round."""
        try:
            while self.verdict is None:
                turn = self.acknowledged
                if self.move(turn) != HUMAN and not closes:
                    return
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
            closes = killed_after is None
            await asyncio.gather(*(reader.play(line, on_move, closes=closes) for reader, line in pairs))


def readers(rounds: int) -> list[Reader]:
    """Return a reader for each round; their guesses are drawn."""
    dice = Random(2023)
    return [
        Reader(f"reader{number}", GENRES[number % len(GENRES)], dice.choice(GUESSES))
        for number in range(rounds)
    ]


@dataclass(frozen=True)
class Found:
    """What stands in the database after the kill."""

    in_flight: int
    stored: int
    missing: int
    doubled: int


def found_after_the_kill(database: Database, crowd: list[Reader]) -> Found:
    """Compare the database with what the readers have been told.

    A last move may have been stored without its reply; anything beyond that is doubled.
    """
    stored = calls_by_round(database)
    beyond = [len(stored.get(one.round_id, [])) - one.acknowledged for one in crowd]
    return Found(
        in_flight=len(column(database, "SELECT id FROM round WHERE closed_at IS NULL")),
        stored=sum(len(said) for said in stored.values()),
        missing=-sum(surplus for surplus in beyond if surplus < 0),
        doubled=sum(surplus - 1 for surplus in beyond if surplus > 1),
    )


def wrong_verdicts(database: Database, crowd: list[Reader]) -> list[Reader]:
    """Return the readers whose round did not end as they played it."""
    query = "SELECT r.id, p.boundary FROM round r JOIN passage p ON p.id = r.passage_id"
    boundaries = {row["id"]: row["boundary"] for row in rows(database, query)}
    return [
        one
        for one in crowd
        if (one.verdict["guess"], one.verdict["points"])
        != (one.guess, distance_decay(one.guess, boundaries[one.round_id]))
    ]


@pytest.mark.parametrize("rounds", [100, pytest.param(500, marks=pytest.mark.nightly)])
def test_what_was_acknowledged_outlives_the_server_and_every_round_goes_on(
    settings: Settings, database: Database, rounds: int
) -> None:
    crowd = Crowd(readers(rounds))
    killed_after = int(rounds * MOVES_EACH)
    workers = 1 if settings.url.startswith("sqlite") else 2

    with serving(settings, workers=workers) as server:
        crowd.play(server, killed_after=killed_after)
        acknowledged = crowd.moves
        found = found_after_the_kill(database, crowd.readers)
        server.start()
        crowd.play(server)

    log.info("%s: %s acknowledged, then killed: %s", settings.url[:10], acknowledged, found)
    assert (found.in_flight, found.missing, found.doubled) == (rounds, 0, 0)
    assert found.stored >= acknowledged >= killed_after
    assert not wrong_verdicts(database, crowd.readers)
    assert len(column(database, "SELECT id FROM round WHERE closed_at IS NOT NULL")) == rounds
    assert stored_books(database) == recounted_books(database)
