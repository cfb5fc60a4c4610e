"""Nothing is lost or doubled, however many hands press the same button at once."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from app.store.database import Database
from tests.app.recounting import calls_by_round, recounted_books, stored_books
from tests.app.serving import Answer, Line, Server, lines, serving
from tests.stocking import GENRES, column, full_deck, settings_for, stocked, token_of

pytestmark = pytest.mark.xdist_group("concurrency")

COPIES = 20
log = logging.getLogger("proofs")

HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}


@dataclass(frozen=True)
class Served:
    """A running site and its database."""

    server: Server
    database: Database


@pytest.fixture(scope="module", params=[("sqlite", 2), ("postgresql", 2)], ids=str)
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A real server with as many processes, on each kind of database; it never complains."""
    kind, workers = request.param
    settings = settings_for(tmp_path_factory.mktemp("served"), kind, request)
    database = stocked(settings, full_deck())
    with serving(settings, workers=workers) as server:
        yield Served(server, database)
    database.close()
    assert not server.complaints


def crowd(served: Served, names: list[str], work: Callable[[list[Line]], Awaitable[Any]]) -> Any:
    """Let one line for each name work at the same time; the same name is the same player."""

    async def run() -> Any:
        async with lines(served.server.port, [token_of(name) for name in names]) as opened:
            return await work(opened)

    return asyncio.run(run())


async def at_once(*asked: Awaitable[Answer]) -> list[Answer]:
    """Wait for all replies to requests that are sent together."""
    return list(await asyncio.gather(*asked))


Sent = tuple[int, dict[str, Any]]

WAVES: list[list[Sent]] = [
    [(0, {**HUMAN, "client_ms": copy}) for copy in range(COPIES)],  # the same move, measured differently
    [(0, HUMAN), (0, MACHINE)] * (COPIES // 2),  # some go on, some close
    [(0, HUMAN), (1, HUMAN)] * (COPIES // 2),  # some are ahead
    [(0, MACHINE), (1, HUMAN)] * (COPIES // 2),  # some close, some are ahead of the end
]
"""What the copies of each player send at once: a turn, counted from the one that is due, and a move."""


def expected(sent: Sent, before: list[str], after: list[str]) -> set[tuple[int, str]]:
    """Return the replies that a copy may get, given what was stored before and after its wave."""
    turn, move = sent
    is_stored = turn < len(after) and after[turn] == move["call"]
    if turn < len(before) or (turn == len(before) and "machine" not in before):
        return {(200, "")} if is_stored else {(409, "turn-already-played")}
    allowed = {(409, "turn-not-reached"), (409, "round-closed")}
    return allowed | ({(200, "")} if is_stored else set())


@pytest.mark.parametrize("players", [15, pytest.param(50, marks=pytest.mark.nightly)])
def test_each_turn_is_played_once_however_often_it_is_sent(served: Served, players: int) -> None:
    names = [f"wave{number}of{players}" for number in range(players) for _ in range(COPIES)]

    async def play(opened: list[Line]) -> Counter[tuple[int, str]]:
        started = await at_once(*(line.start("speeches") for line in opened[::COPIES]))
        ids = [answer.data["id"] for answer in started for _ in range(COPIES)]
        seen: Counter[tuple[int, str]] = Counter()
        for wave in WAVES:
            before = calls_by_round(served.database)
            sent = [
                (len(before.get(id_, [])) + ahead, move)
                for id_, (ahead, move) in zip(ids, wave * players, strict=True)
            ]
            answers = await at_once(
                *(line.move(id_, *one) for line, id_, one in zip(opened, ids, sent, strict=True))
            )
            after = calls_by_round(served.database)
            for id_, one, answer in zip(ids, sent, answers, strict=True):
                assert (answer.status, answer.rule) in expected(one, before.get(id_, []), after[id_])
                seen[answer.status, answer.rule] += 1
        return seen

    seen = crowd(served, names, play)
    log.info("%s replies to %s players: %s", sum(seen.values()), players, dict(seen))
    assert sum(seen.values()) == players * COPIES * len(WAVES)
    assert column(served.database, "SELECT count(*) FROM round WHERE closed_at IS NULL") == [0]
    assert stored_books(served.database) == recounted_books(served.database)


@pytest.mark.parametrize("genre", ["recipes", None])
def test_asking_for_a_round_many_times_at_once_gives_one(served: Served, genre: str | None) -> None:
    name = f"impatient-{genre}"

    answers = crowd(served, [name] * COPIES, lambda opened: at_once(*(one.start(genre) for one in opened)))
    assert sorted(answer.status for answer in answers) == [200] * (COPIES - 1) + [201]
    assert len({answer.data["id"] for answer in answers}) == 1
    assert len(column(served.database, "SELECT id FROM round WHERE player_id = :id", id=name)) == 1


def test_a_guest_who_comes_in_many_times_at_once_is_one(served: Served) -> None:
    asked = [*GENRES, "recipes"] * (COPIES // 4)

    async def come_in(opened: list[Line]) -> list[Answer]:
        return await at_once(*(line.start(genre) for line, genre in zip(opened, asked, strict=True)))

    answers = crowd(served, ["twin"] * COPIES, come_in)
    assert Counter(answer.status for answer in answers) == {200: COPIES - 3, 201: 3}
    assert column(served.database, "SELECT count(*) FROM player WHERE id = 'twin'") == [1]
    assert column(served.database, "SELECT count(*) FROM round WHERE player_id = 'twin'") == [3]


def test_rounds_that_close_at_the_same_time_are_counted_one_by_one(served: Served) -> None:
    names = [f"many-handed{number}" for number in range(15) for _ in GENRES]
    genres = GENRES * 15

    async def play(opened: list[Line]) -> list[Answer]:
        answers: list[Answer] = []
        for _ in range(6):  # the fifth identical answer marks those before it, in whatever genre
            started = await at_once(*(one.start(genre) for one, genre in zip(opened, genres, strict=True)))
            ids = [answer.data["id"] for answer in started]
            answers += await at_once(
                *(line.move(id_, 0, MACHINE) for line, id_ in zip(opened, ids, strict=True))
            )
        return answers

    answers = crowd(served, names, play)
    books = stored_books(served.database)
    assert {answer.status for answer in answers} == {200}
    assert books.closings["many-handed0", "boundary"] == list(range(18))
    assert books == recounted_books(served.database)
