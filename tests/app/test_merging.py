"""A guest signs in: what they have played becomes part of the account, and nothing counts twice."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.services.accounts import make_account
from app.services.merging import Merged, merge
from app.services.playing import start_round, submit_move
from app.services.standings import board
from app.store.database import Database
from app.store.passages import genre_counts
from app.store.players import Claim
from game.errors import NothingLeftError, RoundNotFoundError
from game.mode import SITE
from game.modes import mode_named
from scoring.vigilance import DUPLICATE_RULE
from tests.app.recounting import recounted_books, stored_books
from tests.factories import record
from tests.stocking import IMPORTED, column, rows, settings_for, stocked

GENRES = ("a", "b", "c", "d")
"""One passage each, with its boundary at index 3: turn 2 is exactly right."""
MODE = mode_named("boundary")
DICE = Random(5)


@dataclass
class Desk:
    """Two people and a clock; every round is on the one passage of a genre."""

    database: Database
    time: datetime
    names: list[str]

    def play(self, who: Claim, genre: str, *, turns: int = 3) -> str:
        """Play so many turns; three close the round with five points, fewer leave it open."""
        with self.database.write() as db:
            round_id = start_round(db, who, MODE, genre, policy=SITE, rng=DICE, now=self.later()).round_id
        for turn in range(turns):
            form = {"call": "human"} if turn < 2 else {"call": "machine", "reasons": ["generic"]}
            with self.database.write() as db:
                submit_move(db, who.player_id, round_id, turn, form, now=self.later())
        return round_id

    def finish(self, who: Claim, round_id: str) -> None:
        """Say “machine” now."""
        form = {"call": "machine", "reasons": ["generic"]}
        with self.database.write() as db:
            submit_move(db, who.player_id, round_id, 1, form, now=self.later())

    def early(self, who: Claim, genre: str) -> str:
        """Say “machine” too early: no points."""
        with self.database.write() as db:
            round_id = start_round(db, who, MODE, genre, policy=SITE, rng=DICE, now=self.later()).round_id
            form = {"call": "machine", "reasons": ["generic"]}
            submit_move(db, who.player_id, round_id, 0, form, now=self.later())
        return round_id

    def later(self) -> datetime:
        """Let a minute pass."""
        self.time += timedelta(minutes=1)
        return self.time

    def merge(self, guest: Claim, account: Claim) -> Merged:
        """Sign the guest in."""
        with self.database.write() as db:
            return merge(db, guest.player_id, account.player_id, rng=DICE, now=self.later())

    def newcomers(self) -> tuple[Claim, Claim]:
        """Return a guest and somebody with an account."""
        number = len(self.names)
        self.names.append("")
        guest, account = (
            Claim(f"g{number}", f"gus-{number + 1000}"),
            Claim(f"a{number}", f"ada-{number + 1000}"),
        )
        with self.database.write() as db:
            make_account(db, account, rng=DICE, now=self.later())
        return guest, account

    def rounds(self, who: Claim) -> dict[str, Any]:
        """Return a player's rounds: what they gave, by id; None for open ones."""
        found = rows(self.database, "SELECT id, points FROM round WHERE player_id = :id", id=who.player_id)
        return {row["id"]: row["points"] for row in found}

    def total(self, who: Claim) -> tuple[int, int]:
        """Return rounds and points on the board."""
        with self.database.read() as db:
            own = board(db, MODE.slug, None, who.player_id, now=self.time).own
        return (own.row.rounds, own.row.points) if own else (0, 0)

    def doubled(self) -> list[str]:
        """Return the rounds that count no more since their passage was played before."""
        return column(self.database, "SELECT round_id FROM mark WHERE rule = :rule", rule=DUPLICATE_RULE)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def desk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """One database of each kind for all tests."""
    site = settings_for(tmp_path_factory.mktemp("desk"), request.param, request)
    pair = [record(boundary=3, genre="pair", salt=salt) for salt in ("one", "two")]
    database = stocked(site, [*pair, *(record(boundary=3, genre=genre, salt=genre) for genre in GENRES)])
    yield Desk(database, IMPORTED, [])
    database.close()


def test_what_a_guest_has_played_comes_along(desk: Desk) -> None:
    guest, account = desk.newcomers()
    mine, theirs = desk.play(account, "a"), desk.play(guest, "b")

    assert desk.merge(guest, account) == Merged(moved=1, doubled=0)
    assert desk.rounds(account) == {mine: 5, theirs: 5}
    assert desk.total(account) == (2, 10)
    assert (desk.rounds(guest), desk.total(guest)) == ({}, (0, 0))


def test_a_passage_in_both_counts_by_the_first_answer_which_was_the_accounts(desk: Desk) -> None:
    guest, account = desk.newcomers()
    first, second = desk.early(account, "a"), desk.play(guest, "a")

    assert desk.merge(guest, account) == Merged(moved=0, doubled=1)
    assert desk.rounds(account) == {first: 0}
    assert desk.total(account) == (1, 0)
    assert second in desk.doubled()


def test_a_passage_in_both_counts_by_the_first_answer_which_was_the_guests(desk: Desk) -> None:
    guest, account = desk.newcomers()
    first, second = desk.early(guest, "a"), desk.play(account, "a")

    assert desk.merge(guest, account) == Merged(moved=1, doubled=1)
    assert desk.rounds(account) == {first: 0}
    assert desk.total(account) == (1, 0)
    assert second in desk.doubled()
    assert first not in desk.doubled()


def test_an_answer_counts_before_a_round_that_was_only_begun(desk: Desk) -> None:
    guest, account = desk.newcomers()
    begun = desk.play(account, "a", turns=1)
    answered = desk.early(guest, "a")
    desk.merge(guest, account)

    assert desk.rounds(account) == {answered: 0}
    with pytest.raises(RoundNotFoundError), desk.database.write() as db:
        submit_move(db, account.player_id, begun, 1, {"call": "human"}, now=desk.later())


def test_an_open_round_goes_on_in_the_account(desk: Desk) -> None:
    guest, account = desk.newcomers()
    round_id = desk.play(guest, "a", turns=2)
    desk.merge(guest, account)

    form = {"call": "machine", "reasons": ["generic"]}
    with desk.database.write() as db:
        submit_move(db, account.player_id, round_id, 2, form, now=desk.later())
    assert desk.total(account) == (1, 5)


def test_of_two_open_rounds_the_accounts_goes_on_and_the_other_text_is_never_served(desk: Desk) -> None:
    passages: list[str] = []
    while len(set(passages)) < 2:  # until they have begun different texts of the two
        guest, account = desk.newcomers()
        ids = [desk.play(who, "pair", turns=1) for who in (account, guest)]
        passages = [
            column(desk.database, "SELECT passage_id FROM round WHERE id = :id", id=one)[0] for one in ids
        ]
    desk.merge(guest, account)

    assert list(desk.rounds(account)) == ids[:1]
    desk.finish(account, ids[0])
    with desk.database.read() as db:
        assert {one.genre: one.unseen for one in genre_counts(db, account.player_id)}["pair"] == 0
    with pytest.raises(NothingLeftError):
        desk.play(account, "pair", turns=0)


def test_merging_again_does_nothing(desk: Desk) -> None:
    guest, account = desk.newcomers()
    desk.play(guest, "b")
    desk.merge(guest, account)

    assert desk.merge(guest, account) == Merged(0, 0)
    assert desk.total(account) == (1, 5)


def test_an_account_is_never_merged_into_another(desk: Desk) -> None:
    _, account = desk.newcomers()
    _, other = desk.newcomers()
    desk.play(other, "b")

    assert desk.merge(other, account) == Merged(0, 0)
    assert desk.total(other) == (1, 5)


def test_a_guest_who_never_played_leaves_no_trace(desk: Desk) -> None:
    guest, account = desk.newcomers()

    assert desk.merge(guest, account) == Merged(0, 0)
    assert column(desk.database, "SELECT id FROM player WHERE id = :id", id=guest.player_id) == []


PLAY = st.tuples(st.booleans(), st.sampled_from(GENRES), st.sampled_from(["right", "early", "begun"]))


@settings(max_examples=40, deadline=None)
@given(st.lists(PLAY, max_size=10))
def test_after_any_play_the_books_are_right_and_no_passage_counts_twice(
    desk: Desk, plays: list[tuple[bool, str, str]]
) -> None:
    guest, account = desk.newcomers()
    played: set[tuple[bool, str]] = set()
    first: dict[str, int] = {}
    for is_guest, genre, how in plays:
        if (is_guest, genre) in played:
            continue
        played.add((is_guest, genre))
        who = guest if is_guest else account
        if how == "early":
            desk.early(who, genre)
        else:
            desk.play(who, genre, turns=3 if how == "right" else 1)
        if how != "begun":
            first.setdefault(genre, 5 if how == "right" else 0)
    desk.merge(guest, account)

    assert desk.total(account) == (len(first), sum(first.values()))
    stored, recounted = stored_books(desk.database), recounted_books(desk.database)
    ours = {key: line for key, line in recounted.standings.items() if key[0] == account.player_id}
    assert {key: line for key, line in stored.standings.items() if key[0] == account.player_id} == ours
    moves = column(
        desk.database, "SELECT count(*) FROM move m LEFT JOIN round r ON r.id = m.round_id WHERE r.id IS NULL"
    )
    assert moves == [0]
