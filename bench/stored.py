"""What lies in a database before anything is measured: a deck, players, their closed rounds.

Written past the application, in bulk, but true: boards hold what `game.standings` makes of
the rounds, and nobody has a streak.
"""

import hashlib
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import psycopg

from app.settings import Settings
from app.store.database import Database
from app.store.migrating import upgrade
from app.store.players import Claim
from game.mode import SITE
from game.passage import LENGTH
from game.records import GeneratorRecord, Source
from game.standings import Tally, seasons
from scoring.intervals import Interval
from scoring.points import best_lazy_line, distance_decay
from scoring.vigilance import RUN

MODE = "boundary"
GENRES = ("news", "recipes", "speeches", "stories")
FIRST = datetime.now(UTC).replace(microsecond=0, tzinfo=None) - timedelta(days=10)
"""When play began: lately, or nobody would be on a board. SQLite keeps times without zone; all are UTC."""
DECK = 1
AT_ONCE = 100_000
"""Rounds that are written together."""

_COLUMNS = {
    "deck": "id slug kind created_at",
    "passage": "id genre boundary sentences source generator licence imported_at",
    "deck_passage": "deck_id genre passage_id",
    "lazy_line": "deck_id genre points",
    "player": "id handle skeleton role created_at board",
    "move": "round_id number form shown_at decided_at",
    "round": "id player_id passage_id deck_id mode genre policy started_at closed_at closing points guess",
    "standing": "player_id kind mode genre season points n_0 n_1 n_2 n_3 n_4 n_5 n_capped rounds mean lower"
    " upper lazy_line last_at is_listed",
}
_WORDS = """
the a of and to in it was that he for on with as had her at by from but not they which we she so
river lamp gate kettle orchard ladder harbour meadow clock stove window letter garden winter evening
carried opened remembered answered waited gathered wandered promised quietly suddenly almost never
"""
_SOURCE = Source(
    corpus="bench",
    document="bench/one",
    title="A document of some length",
    attribution="Somebody, 1897",
    url="https://example.org/documents/one",
    licence="CC0-1.0",
    offsets=((0, 1200),),
).model_dump_json()
_GENERATOR = GeneratorRecord(
    name="transformers",
    model="a-language-model",
    revision="1",
    decoding={"top_p": 0.9, "repetition_penalty": 1.2},
    seed=1,
).model_dump_json()


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is stored."""

    players: int
    rounds_each: int
    passages: int
    has_moves: bool = False

    @property
    def rounds(self) -> int:
        """All rounds together."""
        return self.players * self.rounds_each


@dataclass(slots=True)
class _Rows:
    """The rows of one plan, by table."""

    by_table: dict[str, list[tuple[Any, ...]]] = field(
        default_factory=lambda: {name: [] for name in _COLUMNS}
    )

    def add(self, table: str, *values: object) -> None:
        self.by_table[table].append(values)


def claim(number: int) -> Claim:
    """Return who the player of a number is."""
    return Claim(hashlib.sha256(f"player {number}".encode()).hexdigest()[:32], f"quiet-otter-{number}")


def fill(url: str, plan: Plan) -> None:
    """Migrate an empty database and write all that the plan says."""
    database = Database(Settings(database_url=url).url, durability="normal")
    upgrade(database)
    database.close()
    if url.startswith("sqlite"):
        _write_sqlite(path_of(url), _parts(plan))
    else:
        _write_postgresql(url, _parts(plan))


def copy_sqlite(url: str, copy: str) -> None:
    """Copy a database that nobody has open."""
    shutil.copyfile(path_of(url), path_of(copy))


def path_of(url: str) -> Path:
    """Return the file of an SQLite address."""
    return Path(url.removeprefix("sqlite:///"))


def _parts(plan: Plan) -> Iterator[_Rows]:
    """Return all rows, as many at a time as memory holds with ease."""
    rng = Random(7)
    rows = _Rows()
    lines = _add_deck(rows, plan, rng)
    for number in range(plan.players):
        _add_player(rows, number, plan, lines, rng)
        if len(rows.by_table["round"]) >= AT_ONCE:
            yield rows
            rows = _Rows()
    yield rows


def _add_deck(rows: _Rows, plan: Plan, rng: Random) -> dict[str, float]:
    """Add one open deck with equally large genres; return the lazy line of each."""
    rows.add("deck", DECK, "bench", "open", FIRST)
    boundaries: dict[str, list[int]] = {genre: [] for genre in GENRES}
    for number in range(plan.passages):
        passage_id, genre = _passage_id(number), GENRES[number % len(GENRES)]
        boundary = _boundary(number)
        authors = ["human"] * boundary + ["machine"] * (LENGTH - boundary)
        sentences = json.dumps([[_sentence(rng), author] for author in authors])
        generator = _GENERATOR if boundary < LENGTH else None
        rows.add("passage", passage_id, genre, boundary, sentences, _SOURCE, generator, "CC0-1.0", FIRST)
        rows.add("deck_passage", DECK, genre, passage_id)
        boundaries[genre].append(boundary)
    lines = {genre: float(best_lazy_line(found, length=LENGTH)) for genre, found in boundaries.items()}
    for genre, line in lines.items():
        rows.add("lazy_line", DECK, genre, line)
    return lines


def _add_player(rows: _Rows, number: int, plan: Plan, lines: dict[str, float], rng: Random) -> None:
    """Add a player, their rounds and standings; every third one reads well, the others guess."""
    who = claim(number)
    hit = rng.uniform(0.85, 1.0) if number % 3 == 0 else 0.0
    rows.add("player", who.player_id, who.handle, who.handle, "guest", FIRST, "named")
    boards: dict[tuple[str, str], Counter[int]] = {}
    guesses: list[int] = []
    for closing, passage in enumerate(rng.sample(range(plan.passages), plan.rounds_each)):
        guesses.append(_guess(guesses[1 - RUN :], _boundary(passage), hit, rng))
        genre, points = GENRES[passage % len(GENRES)], distance_decay(guesses[-1], _boundary(passage))
        closed_at = _add_round(rows, who, passage, closing, guesses[-1], has_moves=plan.has_moves)
        for season in seasons(closed_at):
            for board in ("", genre):
                boards.setdefault((board, season), Counter())[points] += 1
    for (board, season), counts in boards.items():
        line = lines.get(board) or max(lines[genre] for genre, _ in boards if genre)
        place = ("open", MODE, board, season)
        rows.add("standing", who.player_id, *place, *_totals(counts), line, closed_at, True)


def _add_round(
    rows: _Rows, who: Claim, passage: int, closing: int, guess: int, *, has_moves: bool
) -> datetime:
    """Add a round with its moves and return when it was closed."""
    round_id = hashlib.sha256(f"{who.player_id} {passage}".encode()).hexdigest()[:32]
    started = FIRST + timedelta(minutes=closing)
    forms = ['{"call": "human"}'] * (min(guess, LENGTH - 1) - 1)
    forms.append(
        '{"call": "machine", "reasons": ["generic"]}'
        if guess < LENGTH
        else '{"call": "human", "reasons": ["voice"]}'
    )
    times = [started + timedelta(seconds=5 * turn) for turn in range(len(forms) + 1)]
    for turn, form in enumerate(forms if has_moves else ()):
        rows.add("move", round_id, turn, form, times[turn], times[turn + 1])
    points = distance_decay(guess, _boundary(passage))
    place = (_passage_id(passage), DECK, MODE, GENRES[passage % len(GENRES)], SITE.model_dump_json())
    rows.add("round", round_id, who.player_id, *place, started, times[-1], closing, points, guess)
    return times[-1]


def _guess(earlier: Sequence[int], boundary: int, hit: float, rng: Random) -> int:
    """Return a guess that makes no streak."""
    guess = boundary if rng.random() < hit else rng.randint(1, LENGTH)
    is_run = len(earlier) == RUN - 1 and set(earlier) == {guess}
    return guess % LENGTH + 1 if is_run else guess


def _totals(counts: Counter[int]) -> tuple[Any, ...]:
    interval = _interval(tuple(sorted(counts.items())))
    points = sum(score * count for score, count in counts.items())
    rounds = counts.total()
    per_score = (counts[score] for score in range(6))
    return (points, *per_score, 0, rounds, points / rounds, interval.lower, interval.upper)


@cache
def _interval(counts: tuple[tuple[int, int], ...]) -> Interval:
    return Tally({float(score): count for score, count in counts}).interval


def _passage_id(number: int) -> str:
    return hashlib.sha256(f"passage {number}".encode()).hexdigest()


def _boundary(number: int) -> int:
    """Return the boundary of a passage; in every genre each of the ten comes equally often."""
    return number // len(GENRES) % LENGTH + 1


def _sentence(rng: Random) -> str:
    return " ".join(rng.choices(_WORDS.split(), k=rng.randint(8, 28))).capitalize() + "."


def _write_sqlite(path: Path, parts: Iterable[_Rows]) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    for rows in parts:
        for table, columns in _COLUMNS.items():
            marks = ", ".join("?" for _ in columns.split())
            connection.executemany(
                f"INSERT INTO {table} ({', '.join(columns.split())}) VALUES ({marks})",
                _with_texts(rows.by_table[table]),
            )
        connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def _with_texts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Give times the form that SQLAlchemy stores them in."""
    for row in rows:
        yield tuple(
            value.isoformat(" ", "microseconds") if isinstance(value, datetime) else value for value in row
        )


def _write_postgresql(url: str, parts: Iterable[_Rows]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("SET timezone = 'UTC'")
        for rows in parts:
            for table, columns in _COLUMNS.items():
                into = f"COPY {table} ({', '.join(columns.split())}) FROM STDIN".encode()
                with connection.cursor() as cursor, cursor.copy(into) as copy:
                    for row in rows.by_table[table]:
                        copy.write_row(row)
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")
