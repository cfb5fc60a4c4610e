"""Two requests for one round, interleaved on purpose: one comes in while the other is half done.

SQLite lets one writer in at a time, so this is about PostgreSQL. Nothing is patched: SQLAlchemy
says when a statement is about to run, and the other request is played at that moment.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event

from app.errors import IdentityTakenError
from app.services.accounts import make_account
from app.services.linking import keep_by_identity
from app.services.merging import merge
from app.services.playing import Turn, current_turn, start_round, submit_move
from app.store.database import Database
from app.store.players import Claim
from game.errors import RoundClosedError, RoundNotFoundError, TurnAlreadyPlayedError
from game.mode import SITE
from game.modes import mode_named
from tests.app.recounting import recounted_books, stored_books
from tests.stocking import IMPORTED, column, full_deck, settings_for, stocked

ADA = Claim("ada", "ada-1000")
HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}


@pytest.fixture
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A stocked PostgreSQL."""
    database = stocked(settings_for(tmp_path, "postgresql", request), full_deck())
    yield database
    database.close()


@pytest.fixture
def round_id(database: Database) -> str:
    """Ada's round, at turn 0."""
    with database.write() as db:
        return start(db)


def start(db: Connection, claim: Claim = ADA) -> str:
    mode = mode_named("boundary")
    return start_round(db, claim, mode, "speeches", policy=SITE, rng=Random(3), now=IMPORTED).round_id


def play(db: Connection, round_id: str, turn: int, move: Any) -> Turn:
    return submit_move(db, ADA.player_id, round_id, turn, move, now=IMPORTED)


def before(db: Connection, statement: str, deed: Callable[[], Any]) -> None:
    """Have something done by others just before a connection runs its first such statement."""
    waiting = [deed]

    @event.listens_for(db, "before_cursor_execute")
    def _on_execute(_: Any, __: Any, text: str, *___: Any) -> None:
        if statement in text and waiting:
            waiting.pop()()


def test_the_same_move_twice_at_once_is_one(database: Database, round_id: str) -> None:
    with database.write() as db:
        before(db, "INSERT INTO move", lambda: by_another_hand(database, round_id, 0, HUMAN))
        turn = play(db, round_id, 0, HUMAN)

    assert (turn.number, turn.verdict) == (1, None)
    assert column(database, "SELECT number FROM move") == [0]


@pytest.mark.parametrize(("first", "second"), [(HUMAN, MACHINE), (MACHINE, HUMAN)])
def test_of_two_moves_at_once_the_first_counts(
    database: Database, round_id: str, first: Any, second: Any
) -> None:
    with database.write() as db:
        before(db, "INSERT INTO move", lambda: by_another_hand(database, round_id, 0, first))
        with pytest.raises(TurnAlreadyPlayedError):
            play(db, round_id, 0, second)

    assert stored_books(database) == recounted_books(database)


def test_closing_twice_at_once_closes_once(database: Database, round_id: str) -> None:
    with database.write() as db:
        before(db, "INSERT INTO move", lambda: by_another_hand(database, round_id, 0, MACHINE))
        turn = play(db, round_id, 0, MACHINE)

    assert turn.verdict is not None
    assert column(database, "SELECT rounds FROM standing") == [1] * 6  # two boards, three seasons


def test_a_round_that_an_account_takes_over_while_it_closes_stays_open_there(
    database: Database, round_id: str
) -> None:
    bea = Claim("bea", "bea-1000")
    with database.write() as db:
        make_account(db, bea, rng=Random(3), now=IMPORTED)

    def sign_in() -> None:
        with database.write() as other:
            merge(other, ADA.player_id, bea.player_id, rng=Random(3), now=IMPORTED)

    with pytest.raises(RoundNotFoundError), database.write() as db:  # noqa: PT012
        before(db, "INSERT INTO move", sign_in)
        play(db, round_id, 0, MACHINE)
    assert column(database, "SELECT player_id FROM round WHERE closed_at IS NULL") == ["bea"]
    assert (
        column(database, "SELECT player_id FROM standing") == column(database, "SELECT form FROM move") == []
    )


def test_a_round_that_closes_while_it_is_read_takes_no_more_moves(database: Database, round_id: str) -> None:
    with database.write() as db:
        before(db, "FROM move", lambda: by_another_hand(database, round_id, 0, MACHINE))
        with pytest.raises(RoundClosedError):
            play(db, round_id, 1, HUMAN)


def test_a_round_that_closes_while_it_is_shown_is_shown_closed(database: Database, round_id: str) -> None:
    with database.read() as db:
        before(db, "FROM move", lambda: by_another_hand(database, round_id, 0, MACHINE))
        turn = current_turn(db, ADA.player_id, round_id, draft={})

    assert (turn.number, turn.verdict is None, turn.provenance is None) == (0, False, False)


def test_a_guest_who_comes_in_twice_at_once_is_one(database: Database) -> None:
    eve = Claim("eve", "eve-1000")

    def come_in() -> None:
        with database.write() as other:
            start(other, eve)

    with database.write() as db:
        before(db, "INSERT INTO player", come_in)
        start(db, eve)
    assert column(database, "SELECT handle FROM player") == ["eve-1000"]
    assert column(database, "SELECT count(*) FROM round") == [1]


def test_a_handle_that_was_taken_meanwhile_gives_way_to_another(database: Database) -> None:
    with database.write() as db:
        start(db, Claim("eve", "same-1000"))
    with database.write() as db:
        start(db, Claim("mallory", "same-1000"))

    assert len(set(column(database, "SELECT handle FROM player"))) == 2


def by_another_hand(database: Database, round_id: str, turn: int, move: Any) -> None:
    """Play a turn in a transaction of its own."""
    with database.write() as other:
        play(other, round_id, turn, move)


def test_somebody_who_comes_by_a_provider_twice_at_once_has_one_account(database: Database) -> None:
    issuer, bea = "https://accounts.example.org", Claim("bea", "bea-1000")

    def come_by(db: Connection, claim: Claim) -> None:
        keep_by_identity(db, claim, issuer, "somebody", rng=Random(3), now=IMPORTED)

    def elsewhere() -> None:
        with database.write() as other:
            come_by(other, bea)

    with pytest.raises(IdentityTakenError), database.write() as db:  # noqa: PT012
        before(db, "INSERT INTO identity", elsewhere)
        come_by(db, ADA)
    assert column(database, "SELECT player_id FROM identity") == ["bea"]
    assert column(database, "SELECT player_id FROM account") == ["bea"]
