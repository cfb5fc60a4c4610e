"""The books, kept a second time: standings and marks from nothing but passages and moves.

Written apart from `app.services.standings`: no totals, no increments, no look at what was
counted before; every number comes from the whole history.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection, select, text

from app.store.database import Database
from app.store.tables import MoveRow, table_of
from game.standings import STREAK_CAP, Tally
from scoring.points import distance_decay
from scoring.vigilance import STREAK_RULE, streak_marks

_ROUNDS = text(
    "SELECT r.id, r.player_id, r.mode, r.genre, r.closed_at, r.closing, r.points, r.guess, d.kind,"
    " p.boundary, l.points AS line FROM round r JOIN deck d ON d.id = r.deck_id"
    " JOIN passage p ON p.id = r.passage_id"
    " JOIN lazy_line l ON l.deck_id = r.deck_id AND l.genre = r.genre"
    " WHERE r.closed_at IS NOT NULL ORDER BY r.player_id, r.mode, r.closing"
)
move = table_of(MoveRow)
_MOVES = select(move.c.round_id, move.c.number, move.c.form).order_by(move.c.round_id, move.c.number)
_MARKS = text("SELECT round_id, rule FROM mark")
_STANDINGS = text("SELECT * FROM standing")
_COLUMNS = {0.0: "n_0", 1.0: "n_1", 2.0: "n_2", 3.0: "n_3", 4.0: "n_4", 5.0: "n_5", STREAK_CAP: "n_capped"}

Key = tuple[str, str, str, str, str]


@dataclass(frozen=True)
class Line:
    """A standing; real numbers to six places."""

    points: int
    counts: tuple[int, ...]
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Books:
    """All that is computed: standings by player, kind, mode, genre and season; marks; rounds; order."""

    standings: dict[Key, Line]
    marked: set[str]
    results: dict[str, tuple[int, int]]
    closings: dict[tuple[str, str], list[int]]


def calls_by_round(database: Database) -> dict[str, list[str]]:
    """Return what has been said in each round; fails unless its turns are 0, 1, 2, and so on."""
    with database.read() as db:
        return _calls(db)


def stored_books(database: Database) -> Books:
    """Return the books as the site has kept them."""
    with database.read() as db:
        rounds = _rounds(db)
        return Books(
            standings={_key(row): _line(row) for row in db.execute(_STANDINGS).mappings()},
            marked={row.round_id for row in db.execute(_MARKS) if row.rule == STREAK_RULE},
            results={row["id"]: (row["guess"], row["points"]) for row in rounds},
            closings=_by_player(rounds, "closing"),
        )


def recounted_books(database: Database) -> Books:
    """Return the books as they must be."""
    with database.read() as db:
        rounds, guesses = _rounds(db), _guesses(db)
    marked: set[str] = set()
    for ids in _by_player(rounds, "id").values():
        marks = streak_marks([guesses[one] for one in ids])
        marked.update(one for one, is_marked in zip(ids, marks, strict=True) if is_marked)
    results = {
        row["id"]: (guesses[row["id"]], distance_decay(guesses[row["id"]], row["boundary"])) for row in rounds
    }
    return Books(
        standings=_standings(rounds, results, marked),
        marked=marked,
        results=results,
        closings={key: list(range(len(ids))) for key, ids in _by_player(rounds, "id").items()},
    )


def _standings(
    rounds: Sequence[Any], results: dict[str, tuple[int, int]], marked: set[str]
) -> dict[Key, Line]:
    boards: dict[Key, list[Any]] = defaultdict(list)
    for row in rounds:
        for genre in ("", row["genre"]):
            for season in ("", *_seasons(str(row["closed_at"]))):
                boards[row["player_id"], row["kind"], row["mode"], genre, season].append(row)
    found: dict[Key, Line] = {}
    for key, played in boards.items():
        earned = [float(results[row["id"]][1]) for row in played]
        counted = Counter(
            min(points, STREAK_CAP) if row["id"] in marked else points
            for row, points in zip(played, earned, strict=True)
        )
        tally = Tally({score: counted[score] for score in _COLUMNS})
        interval = tally.interval
        numbers = (tally.mean, interval.lower, interval.upper, max(row["line"] for row in played))
        counts = (tally.rounds, *tally.counts.values())
        found[key] = Line(int(sum(earned)), counts, tuple(round(number, 6) for number in numbers))
    return found


def _rounds(db: Connection) -> list[Any]:
    return list(db.execute(_ROUNDS).mappings())


def _guesses(db: Connection) -> dict[str, int]:
    """Return what the calls of each round say: turn `n` is about the sentence with index `n + 1`."""
    return {round_id: len(calls) + (calls[-1] == "human") for round_id, calls in _calls(db).items()}


def _calls(db: Connection) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for row in db.execute(_MOVES):
        assert row.number == len(found[row.round_id])
        found[row.round_id].append(row.form["call"])
    return dict(found)


def _by_player(rounds: Sequence[Any], column: str) -> dict[tuple[str, str], list[Any]]:
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in rounds:
        found[row["player_id"], row["mode"]].append(row[column])
    return dict(found)


def _key(row: Any) -> Key:
    return row["player_id"], row["kind"], row["mode"], row["genre"], row["season"]


def _seasons(closed_at: str) -> tuple[str, str]:
    """Return month and ISO week of a time in UTC as the database prints it."""
    day = date.fromisoformat(closed_at[:10])
    return closed_at[:7], f"{day:%G-W%V}"


def _line(row: Any) -> Line:
    numbers = (row["mean"], row["lower"], row["upper"], row["lazy_line"])
    counts = (row["rounds"], *(row[name] for name in _COLUMNS.values()))
    return Line(row["points"], counts, tuple(round(number, 6) for number in numbers))
