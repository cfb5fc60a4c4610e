"""The floor: the same round by hand, on bare Starlette and the bare driver.

One process, one connection, one transaction a request. The driver is called where it
blocks (`sqlite3`; `psycopg`, whose asynchronous calls and whose calls in threads take more
processor time): nothing that answers one caller is cheaper. It checks the same token, keeps the
same rules, writes the same rows and replies the same JSON, but keeps only totals on the board,
without the interval of the mean.
"""

import hashlib
import hmac
import json
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from random import shuffle
from typing import Any
from uuid import uuid4

import psycopg
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from game.standings import seasons

POLICY = '{"version": 1, "reasons": "ours", "required": "closing"}'
REASONS = {
    "machine": {
        "grammar", "repetition", "irrelevant", "contradicts_sentence", "contradicts_knowledge",
        "common_sense", "coreference", "generic", "other", "feeling",
    },
    "human": {"voice", "detail", "consistent", "other", "feeling"},
}  # fmt: skip

OPEN = "SELECT id FROM round WHERE player_id = ? AND mode = ? AND closed_at IS NULL"
GENRES = "SELECT genre FROM lazy_line JOIN deck ON id = deck_id WHERE kind = 'open'"
UNSEEN = """
SELECT passage_id, deck_id FROM deck_passage JOIN deck ON deck.id = deck_id
WHERE kind = 'open' AND genre = ? AND NOT EXISTS (
    SELECT 1 FROM round WHERE round.passage_id = deck_passage.passage_id AND player_id = ?
)
ORDER BY random() LIMIT 1
"""
START = """
INSERT INTO round (id, player_id, passage_id, deck_id, mode, genre, asked_genre, policy, started_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
ROUND = """
SELECT passage_id, deck_id, mode, round.genre, started_at, closed_at, sentences
FROM round JOIN passage ON passage.id = passage_id WHERE round.id = ? AND player_id = ?
"""
LATEST = "SELECT number, decided_at FROM move WHERE round_id = ? ORDER BY number DESC LIMIT 1"
MOVE = """
INSERT INTO move (round_id, number, form, shown_at, decided_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
"""
RECENT = """
SELECT closing, guess FROM round WHERE player_id = ? AND mode = ? AND closing IS NOT NULL
ORDER BY closing DESC LIMIT 4
"""
CLOSE = "UPDATE round SET closed_at = ?, closing = ?, points = ?, guess = ? WHERE id = ?"
LINE = "SELECT kind, points FROM lazy_line JOIN deck ON id = deck_id WHERE deck_id = ? AND genre = ?"
COUNT = f"""
INSERT INTO standing (player_id, kind, mode, genre, season, points, n_0, n_1, n_2, n_3, n_4, n_5, n_capped,
    rounds, mean, lower, upper, lazy_line, last_at, is_listed)
VALUES {", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, 0, 5, ?, ?, ?)"] * 6)}
ON CONFLICT (player_id, kind, mode, genre, season) DO UPDATE SET
    points = standing.points + excluded.points, n_0 = standing.n_0 + excluded.n_0,
    n_1 = standing.n_1 + excluded.n_1, n_2 = standing.n_2 + excluded.n_2, n_3 = standing.n_3 + excluded.n_3,
    n_4 = standing.n_4 + excluded.n_4, n_5 = standing.n_5 + excluded.n_5,
    n_capped = standing.n_capped + excluded.n_capped, rounds = standing.rounds + 1,
    mean = (standing.mean * standing.rounds + excluded.mean) / (standing.rounds + 1)
"""
PROVENANCE = "SELECT id, source, other, generator, licence FROM passage WHERE id = ?"


class Floor:
    """A connection and the two calls of a round."""

    def __init__(self, url: str, secret: str) -> None:
        self._key = hashlib.sha256(b"roft.player" + b"signer" + secret.encode()).digest()
        if url.startswith("sqlite"):
            self._db: Any = sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._begin, self._lock = "BEGIN IMMEDIATE", "SELECT handle FROM player WHERE id = ?"
            self._parsed: Callable[[Any], Any] = lambda text: text and json.loads(text)
            self._moment: Callable[[], Any] = lambda: datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
        else:
            self._db = psycopg.connect(url, autocommit=True)
            self._begin = "BEGIN"
            self._lock = "SELECT handle FROM player WHERE id = ? FOR NO KEY UPDATE"
            self._parsed = lambda value: value
            self._moment = lambda: datetime.now(UTC)
        self._sql = str if url.startswith("sqlite") else _for_psycopg

    async def start(self, request: Request) -> JSONResponse:
        """Start a round, or return the open one."""
        player_id = self._caller(request)
        asked = json.loads(await request.body())
        mode, genre = asked["mode"], asked.get("genre")
        with self._transaction():
            self._one(self._lock, player_id)
            if genre is None:
                opened = self._one(OPEN, player_id, mode)
            else:
                opened = self._one(OPEN + " AND genre = ?", player_id, mode, genre)
            round_id = opened[0] if opened else self._new_round(player_id, mode, genre)
            row = self._one(ROUND, round_id, player_id)
        return JSONResponse(_reply(round_id, row, self._parsed(row[6]), 0), 200 if opened else 201)

    async def move(self, request: Request) -> JSONResponse:
        """Play a turn."""
        player_id = self._caller(request)
        round_id, turn = request.path_params["round_id"], request.path_params["turn"]
        form = json.loads(await request.body())
        with self._transaction():
            row = self._one(ROUND, round_id, player_id)
            latest = self._one(LATEST, round_id)
            if row is None or row[5] or turn != (latest[0] + 1 if latest else 0) or _is_wrong(form, turn):
                return JSONResponse({"type": "refused"}, 409)
            now, shown_at = self._moment(), latest[1] if latest else row[4]
            self._one(MOVE, round_id, turn, json.dumps(form), shown_at, now, fetch=False)
            sentences = self._parsed(row[6])
            if form["call"] == "human" and turn < len(sentences) - 2:
                return JSONResponse(_reply(round_id, row, sentences, turn + 1))
            guess = turn + 1 + (form["call"] == "human")
            verdict = self._close(round_id, player_id, row, sentences, guess)
            provenance = self._provenance(row[0])
        return JSONResponse(_reply(round_id, row, sentences, turn, verdict=verdict, provenance=provenance))

    def _new_round(self, player_id: str, mode: str, genre: str | None) -> str:
        genres = [genre] if genre else [row[0] for row in self._db.execute(GENRES)]
        shuffle(genres)
        for one in genres:
            unseen = self._one(UNSEEN, one, player_id)
            if unseen:
                break
        round_id = uuid4().hex
        place = (round_id, player_id, *unseen, mode, one, genre, POLICY, self._moment())
        self._one(START, *place, fetch=False)
        return round_id

    def _close(
        self, round_id: str, player_id: str, row: Any, sentences: list[list[str]], guess: int
    ) -> dict[str, Any]:
        """Close the round, count it on six boards, and return the reveal."""
        _, deck_id, mode, genre, *_ = row
        self._one(self._lock, player_id)
        recent = self._db.execute(self._sql(RECENT), (player_id, mode)).fetchall()
        authors = [author for _, author in sentences]
        boundary = next((at for at, author in enumerate(authors) if author != "human"), len(authors))
        points = max(5 - guess + boundary, 0) if guess >= boundary else 0
        closing = recent[0][0] + 1 if recent else 0
        self._one(CLOSE, self._moment(), closing, points, guess, round_id, fetch=False)
        in_streak = len(recent) == 4 and all(one[1] == guess for one in recent)
        kind, line = self._one(LINE, deck_id, genre)
        counted = min(points, 1.3) if in_streak else points
        totals = (*(int(counted == score) for score in range(6)), int(counted not in range(6)))
        key = (player_id, kind, mode)
        board = (points, *totals, counted, line)
        rest = (*board, self._moment(), True)
        places = [
            (*key, each, season, *rest) for each in ("", genre) for season in seasons(datetime.now(UTC))
        ]
        self._one(COUNT, *(value for place in places for value in place), fetch=False)
        texts = [text for text, _ in sentences]
        return {
            "guess": guess,
            "boundary": boundary,
            "points": points,
            "authors": authors,
            "sentences": texts,
        }

    def _provenance(self, passage_id: str) -> dict[str, Any]:
        found, source, other, generator, licence = self._one(PROVENANCE, passage_id)
        return {
            "passage": found,
            "source": self._parsed(source),
            "other": self._parsed(other),
            "generator": self._parsed(generator),
            "licence": licence,
        }

    def _caller(self, request: Request) -> str:
        token = request.headers["authorization"].removeprefix("Bearer ")
        value, _, signature = token.rpartition(".")
        right = urlsafe_b64encode(hmac.digest(self._key, value.encode(), "sha256")).rstrip(b"=")
        if not hmac.compare_digest(signature.encode(), right):
            raise PermissionError
        return value.partition(".")[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute(self._begin)
        try:
            yield
        except BaseException:
            self._db.rollback()
            raise
        self._db.commit()

    def _one(self, sql: str, *values: object, fetch: bool = True) -> Any:
        cursor = self._db.execute(self._sql(sql), values)
        return cursor.fetchone() if fetch else None


def create_floor(url: str, secret: str) -> Starlette:
    """Return the floor on a database."""
    floor = Floor(url, secret)
    return Starlette(
        routes=[
            Route("/api/v1/rounds", floor.start, methods=["POST"]),
            Route("/api/v1/rounds/{round_id}/moves/{turn:int}", floor.move, methods=["POST"]),
        ]
    )


def _for_psycopg(sql: str) -> str:
    return sql.replace("?", "%s")


def _is_wrong(form: Any, turn: int) -> bool:
    """Say whether a form is no move: unknown fields, no call, or not the reasons it needs."""
    if not form.keys() <= {"call", "reasons", "note"} or form.get("call") not in REASONS:
        return True
    is_closing = form["call"] == "machine" or turn == 8
    reasons = form.get("reasons", [])
    return is_closing != bool(reasons) or not REASONS[form["call"]].issuperset(reasons)


def _reply(
    round_id: str,
    row: Any,
    sentences: list[list[str]],
    turn: int,
    *,
    verdict: dict[str, Any] | None = None,
    provenance: dict[str, Any] | None = None,
) -> dict[str, Any]:
    shown = [text for text, _ in sentences[: turn + 2]]
    length = len(sentences)
    return {
        "id": round_id,
        "mode": row[2],
        "genre": row[3],
        "turn": turn,
        "status": "closed" if verdict else "open",
        "screen": {"shown": shown, "length": length, "is_last": len(shown) == length},
        "verdict": verdict,
        "provenance": provenance,
    }
