"""The database refuses what must not happen, whoever asks: here it is asked directly."""

from collections.abc import Iterator
from random import Random

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from app.services.playing import start_round, submit_move
from app.store.accounts import StoredAccount, add_account, add_consent
from app.store.database import Database
from app.store.inserting import insert_once
from app.store.players import Claim, add_merger, add_player, player
from game.mode import SITE
from game.modes import mode_named
from tests.stocking import IMPORTED, column, contents, full_deck, settings_for, stocked

ADA = Claim("ada", "ada-1000")
PLAYED = {"recipes": ["machine"], "stories": ["human", "machine"], "speeches": ["human", "human"]}
"""What Ada has said; the round in speeches is open."""

ROUND = (
    "INSERT INTO round (id, player_id, passage_id, deck_id, mode, genre, policy, started_at, closed_at,"
    " closing, points, guess) SELECT 'new', {player}, {passage}, deck_id, {mode}, {genre}, policy,"
    " started_at, {closed_at}, {closing}, {points}, {guess} FROM round WHERE genre = 'stories'"
)
UNSEEN = "(SELECT min(id) FROM passage WHERE genre = 'speeches' AND id NOT IN (SELECT passage_id FROM round))"
GOOD = {
    "player": "player_id",
    "passage": UNSEEN,
    "mode": "mode",
    "genre": "'speeches'",
    "closed_at": "closed_at",
    "closing": "2",
    "points": "5",
    "guess": "2",
}
OPEN = {"closed_at": "NULL", "closing": "NULL", "points": "NULL", "guess": "NULL"}
MOVE = (
    "INSERT INTO move (round_id, number, form, shown_at, decided_at, confidence) SELECT id, {number},"
    " policy, started_at, started_at, {confidence} FROM round WHERE genre = '{genre}'"
)
EVENT = (
    "INSERT INTO event (round_id, turn, kind, received_at) SELECT id, 0, '{kind}', started_at"
    " FROM round WHERE genre = 'speeches'"
)
MARK = (
    "INSERT INTO mark (round_id, rule, marked_at) SELECT id, 'a rule', started_at"
    " FROM round WHERE genre = 'recipes'"
)


EVE = (
    "INSERT INTO player (id, handle, skeleton, role, created_at, board) SELECT 'eve', {handle}, {skeleton},"
    " role, created_at, board FROM player WHERE id = 'ada'"
)
CONSENT = (
    "INSERT INTO consent (player_id, purpose, granted, given_at) SELECT id, {purpose}, (1 = 1), created_at"
    " FROM player WHERE id = 'ada'"
)


def new_round(**differences: str) -> str:
    """Return the statement that writes a good round, but for the given columns."""
    return ROUND.format(**{**GOOD, **differences})


def new_move(number: str, genre: str = "speeches", confidence: str = "NULL") -> str:
    """Return the statement that writes a move; the open round is at turn 2."""
    return MOVE.format(number=number, genre=genre, confidence=confidence)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def kept(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A database where Ada has played, with an event and a mark."""
    settings = settings_for(tmp_path_factory.mktemp("kept"), request.param, request)
    database = stocked(settings, full_deck())
    for genre, calls in PLAYED.items():
        with database.write() as db:
            started = start_round(
                db, ADA, mode_named("boundary"), genre, policy=SITE, rng=Random(3), now=IMPORTED
            )
            for turn, call in enumerate(calls):
                form = {"call": call, "reasons": ["generic"]} if call == "machine" else {"call": call}
                submit_move(db, ADA.player_id, started.round_id, turn, form, now=IMPORTED)
    with database.write() as db:
        db.execute(text(EVENT.format(kind="back")))
        db.execute(text(MARK))
        for name in ("sue", "zoe"):
            add_player(db, Claim(name, f"{name}-1000"), role="player", now=IMPORTED)
            add_account(db, StoredAccount(name, None, None, None, IMPORTED))
        add_merger(db, ADA.player_id, "sue", now=IMPORTED)
        add_consent(db, ADA.player_id, "research", granted=True, now=IMPORTED)
    yield database
    database.close()


REFUSED = {
    "a passage twice for one player and mode": new_round(passage="passage_id", genre="'other'"),
    "a second open round in a genre": new_round(**OPEN),
    "a second round with the same place in the order": new_round(closing="0"),
    "a closed round without a place in the order": new_round(closing="NULL"),
    "a place in the order without an end": new_round(**{**OPEN, "closing": "2"}),
    "points of an open round": new_round(**{**OPEN, "points": "5"}),
    "a guess in an open round": new_round(**{**OPEN, "guess": "5"}),
    "six points": new_round(points="6"),
    "less than no points": new_round(points="-1"),
    "a round of nobody": new_round(player="'nobody'"),
    "a round on no passage": new_round(passage="'nothing'"),
    "a round twice": new_round().replace("'new'", "id"),
    "six points on closing": "UPDATE round SET closed_at = started_at, closing = 2, points = 6"
    " WHERE closed_at IS NULL",
    "an end without a place": "UPDATE round SET closed_at = started_at WHERE closed_at IS NULL",
    "points before the end": "UPDATE round SET points = 5 WHERE closed_at IS NULL",
    "a turn twice": new_move("1"),
    "the first turn twice": new_move("0"),
    "a gap in the turns": new_move("3"),
    "a long gap in the turns": new_move("99"),
    "a turn before the first": new_move("-1"),
    "a move after the end": new_move("1", genre="recipes"),
    "a move far after the end": new_move("7", genre="stories"),
    "a move in no round": new_move("0").replace("SELECT id", "SELECT 'nowhere'"),
    "a confidence below a guess": new_move("2", confidence="49"),
    "a confidence above certainty": new_move("2", confidence="101"),
    "another move instead": "UPDATE move SET form = '{}'",
    "another time of a move": "UPDATE move SET decided_at = shown_at WHERE number = 0",
    "another number of a move": "UPDATE move SET number = 2 WHERE number = 1",
    "a move less": "DELETE FROM move WHERE number = 1",
    "no moves": "DELETE FROM move",
    "another text": "UPDATE passage SET sentences = '[]'",
    "another boundary": "UPDATE passage SET boundary = 3",
    "a passage less": "DELETE FROM passage WHERE id NOT IN (SELECT passage_id FROM deck_passage)"
    " OR boundary = 3",
    "another event": "UPDATE event SET kind = 'shown'",
    "an event less": "DELETE FROM event",
    "an event that nobody knows": EVENT.format(kind="points"),
    "an event in no round": EVENT.format(kind="back").replace("SELECT id", "SELECT 'nowhere'"),
    "another mark": "UPDATE mark SET rule = 'another'",
    "a mark less": "DELETE FROM mark",
    "a mark twice": MARK,
    "other points for a closed round": "UPDATE round SET points = 5 WHERE genre = 'recipes'",
    "another guess for a closed round": "UPDATE round SET guess = 5 WHERE genre = 'recipes'",
    "another end of a closed round": "UPDATE round SET closed_at = started_at WHERE genre = 'recipes'",
    "a closed round opened again": "UPDATE round SET closed_at = NULL, closing = NULL, points = NULL,"
    " guess = NULL WHERE genre = 'recipes'",
    "a closed round of somebody else": "UPDATE round SET player_id = 'bob' WHERE genre = 'recipes'",
    "a closed round moved to another genre": "UPDATE round SET genre = 'speeches' WHERE genre = 'recipes'",
    "a closed round that stays as it is": "UPDATE round SET points = points WHERE genre = 'recipes'",
    "a closed round less": "DELETE FROM round WHERE genre = 'recipes'",
    "an open round less": "DELETE FROM round WHERE closed_at IS NULL",
    "a handle twice": EVE.format(handle="handle", skeleton="'eve'"),
    "a handle that looks like another": EVE.format(handle="'eve'", skeleton="skeleton"),
    "a way onto boards that nobody knows": "UPDATE player SET board = 'upside down'",
    "a round handed to somebody who took over nobody": "UPDATE round SET player_id = 'zoe'"
    " WHERE genre = 'recipes'",
    "another result for a round that changes hands": "UPDATE round SET player_id = 'sue', points = 5"
    " WHERE genre = 'recipes'",
    "other rules for a round that changes hands": "UPDATE round SET player_id = 'sue', policy = '{}'"
    " WHERE genre = 'recipes'",
    "a consent taken back in silence": "UPDATE consent SET granted = (1 = 0)",
    "a consent to something else": CONSENT.format(purpose="'marriage'"),
    "a session by magic": "INSERT INTO session (sha256, id, player_id, device, way, made_at, seen_at)"
    " SELECT 'x', 'x', id, 'x', 'magic', created_at, created_at FROM player WHERE id = 'ada'",
    "an address that two have proven": "UPDATE account SET email = 'ada@example.org',"
    " email_confirmed_at = made_at",
    "a role that nobody has": "UPDATE player SET role = 'god'",
    "a player less": "DELETE FROM player",
    "a deck of an unknown kind": "UPDATE deck SET kind = 'secret'",
    "a standing of an unknown kind": "UPDATE standing SET kind = 'secret'",
}


@pytest.mark.parametrize("statement", REFUSED.values(), ids=REFUSED.keys())
def test_the_database_refuses(kept: Database, statement: str) -> None:
    before = contents(kept)

    with pytest.raises(IntegrityError), kept.write() as db:
        db.execute(text(statement))
    assert contents(kept) == before


ALLOWED = {
    "a good round": new_round(),
    "an open round in another genre": new_round(genre="'recipes'", **OPEN),
    "an open round in another mode": new_round(mode="'spans'", **OPEN),
    "the next move": new_move("2"),
    "a sure move": new_move("2", confidence="100"),
    "one more event": EVENT.format(kind="hidden"),
    "another rule": MARK.replace("a rule", "another rule"),
    "a round handed to the account that took over its player": "UPDATE round SET player_id = 'sue',"
    " closing = 7 WHERE genre = 'recipes'",
    "a consent": CONSENT.format(purpose="'contact'"),
    "an end": "UPDATE round SET closed_at = started_at, closing = 2, points = 0, guess = 3"
    " WHERE closed_at IS NULL",
}


@pytest.mark.parametrize("statement", ALLOWED.values(), ids=ALLOWED.keys())
def test_the_database_allows(kept: Database, statement: str) -> None:
    with kept.engine.connect() as db:
        assert db.execute(text(statement), execution_options={"preserve_rowcount": True}).rowcount == 1
        db.rollback()


UPSERT = "INSERT INTO {0} SELECT * FROM {0} WHERE TRUE ON CONFLICT ({1}) DO UPDATE SET {2} = excluded.{2}"
REPLACE = "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"
KEYS = {"move": ["round_id", "number"], "passage": ["id"], "mark": ["round_id", "rule"], "event": ["id"]}


@pytest.mark.parametrize("table", KEYS)
def test_replacing_is_refused_like_changing(kept: Database, table: str) -> None:
    key = KEYS[table]
    ways = [UPSERT, *([REPLACE] if kept.engine.dialect.name == "sqlite" else [])]

    for statement in [way.format(table, ", ".join(key), key[0]) for way in ways]:
        with pytest.raises(IntegrityError), kept.write() as db:
            db.execute(text(statement))


def test_inserting_once_says_whether_the_row_is_new(kept: Database) -> None:
    row = {
        "id": "eve",
        "handle": "eve-1000",
        "skeleton": "eve",
        "role": "guest",
        "created_at": IMPORTED,
        "board": "named",
    }

    with kept.write() as db:
        told = [insert_once(db, player, row) for _ in range(3)]
    assert told == [True, False, False]
    assert len(column(kept, "SELECT id FROM player WHERE id = 'eve'")) == 1


def test_a_transaction_that_fails_leaves_nothing(kept: Database) -> None:
    before = contents(kept)

    with pytest.raises(IntegrityError), kept.write() as db:  # noqa: PT012
        db.execute(text(new_move("2")))
        db.execute(text(new_move("2")))
    assert contents(kept) == before


RAW = {
    "moves": "DELETE FROM move WHERE number = 1",
    "an event": "DELETE FROM event",
    "marks": "DELETE FROM mark",
    "a note": "UPDATE move SET form = '{}' WHERE number = 1",
}


@pytest.mark.parametrize("statement", RAW.values(), ids=RAW.keys())
def test_the_database_lets_go_of_what_an_erased_player_has_played(kept: Database, statement: str) -> None:
    with kept.engine.connect() as db:
        db.execute(text("UPDATE player SET erased_at = created_at WHERE id = 'ada'"))
        assert db.execute(text(statement), execution_options={"preserve_rowcount": True}).rowcount > 0
        db.rollback()


def test_the_database_keeps_what_others_have_played(kept: Database) -> None:
    with kept.engine.connect() as db:
        db.execute(text("UPDATE player SET erased_at = created_at WHERE id <> 'ada'"))
        with pytest.raises(IntegrityError):
            db.execute(text("DELETE FROM move"))
        db.rollback()
