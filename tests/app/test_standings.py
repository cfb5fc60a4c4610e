"""The board is what the rounds say: kept step by step, it equals a count of everything from the start."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, text

from app.services.importing import import_passages
from app.services.playing import start_round, submit_move
from app.services.standings import SHOWN_ROWS, Board, RankedRow, board, progress, recount, tidy_boards
from app.store.database import Database
from app.store.passages import deck_named
from app.store.players import Claim, add_player
from app.store.rounds import NewRound, add_round
from app.store.standings import OVERALL, StandingRow, save_standings
from game.mode import SITE
from game.modes import mode_named
from game.records import PassageRecord
from game.standings import ACTIVE, ALL_TIME, MINIMUM_ROUNDS, STREAK_CAP, Tally, Window
from scoring.vigilance import STREAK_RULE
from tests.app.recounting import recounted_books, stored_books
from tests.conftest import Person
from tests.factories import no_pointers, record
from tests.stocking import GENRES, IMPORTED, column, full_deck, rows, settings_for, stocked

MODE = mode_named("boundary")
LATEST = 10


def closing_moves(guess: int) -> list[dict[str, Any]]:
    """Return the moves that end a round with that guess."""
    last = {"call": "machine", "reasons": ["generic"]}
    if guess == LATEST:
        last = {"call": "human", "reasons": ["voice"]}
    return [{"call": "human"}] * (min(guess, LATEST - 1) - 1) + [last]


def play(db: Connection, name: str, genre: str, guess: int, dice: Random, *, now: datetime = IMPORTED) -> str:
    """Play a whole round with one guess."""
    claim = Claim(name, f"{name}-1000")
    round_id = start_round(db, claim, MODE, genre, policy=SITE, rng=dice, now=now).round_id
    for turn, move in enumerate(closing_moves(guess)):
        submit_move(db, name, round_id, turn, move, now=now)
    return round_id


def boundary_of_next(db: Connection, name: str, genre: str, dice: Random) -> int:
    """Start a round and look up the truth."""
    claim = Claim(name, f"{name}-1000")
    round_id = start_round(db, claim, MODE, genre, policy=SITE, rng=dice, now=IMPORTED).round_id
    query = "SELECT p.boundary FROM round r JOIN passage p ON p.id = r.passage_id WHERE r.id = :id"
    return int(db.execute(text(query), {"id": round_id}).scalar_one())


def own_rank(db: Connection, name: str, genre: str | None = None) -> int | None:
    """Return a player's rank; the player must be on the board."""
    own = board(db, MODE.slug, genre, name, now=IMPORTED).own
    assert own is not None
    return own.rank


def unseen_genres(db: Connection, name: str) -> list[str]:
    """Return the genres of ten passages in which a player has some left."""
    query = "SELECT genre, count(*) AS played FROM round WHERE player_id = :name GROUP BY genre"
    played = {row.genre: row.played for row in db.execute(text(query), {"name": name})}
    return [genre for genre in GENRES if played.get(genre, 0) < 10]


@pytest.mark.parametrize("seed", range(3))
def test_the_board_equals_a_recount_after_random_histories(database: Database, seed: int) -> None:
    dice = Random(seed)
    last = {"ada": 3, "bob": 10, "eve": 1}

    for name in dice.choices(list(last), k=80):
        if dice.random() < 0.3:
            last[name] = dice.randint(1, LATEST)
        with database.write() as db:
            if left := unseen_genres(db, name):
                play(db, name, dice.choice(left), last[name], dice)
    books = stored_books(database)
    assert books == recounted_books(database)
    assert 0 < len(books.marked) < len(books.results)


def all_human_deck(size: int) -> list[PassageRecord]:
    """Return three genres of passages that are human to the end: guess 10 earns five points."""
    return [
        record(boundary=LATEST, genre=genre, salt=f"{genre}{number}")
        for genre in GENRES
        for number in range(size)
    ]


@pytest.fixture(params=["sqlite", "postgresql"])
def human(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database of such passages."""
    database = stocked(settings_for(tmp_path, request.param, request), all_human_deck(5))
    yield database
    database.close()


def capped(database: Database) -> dict[str, int]:
    """Return how many rounds are held down on each board."""
    found = rows(database, "SELECT genre, n_capped FROM standing WHERE season = ''")
    return {row["genre"]: row["n_capped"] for row in found}


def play_all(database: Database, played: Iterable[tuple[str, int]], name: str = "ada") -> list[str]:
    """Play rounds with these genres and guesses, one after the other; return their ids."""
    found: list[str] = []
    for genre, guess in played:
        with database.write() as db:
            found.append(play(db, name, genre, guess, Random(1)))
    return found


FOUR = [("recipes", 10), ("speeches", 10), ("recipes", 10), ("stories", 10)]


def test_four_identical_answers_are_not_yet_a_streak(human: Database) -> None:
    play_all(human, FOUR)

    assert set(capped(human).values()) == {0}


def test_the_fifth_marks_those_before_it_in_whatever_genre(human: Database) -> None:
    ids = play_all(human, [*FOUR, ("speeches", 10)])

    assert column(human, "SELECT count(*) FROM mark WHERE rule = :rule", rule=STREAK_RULE) == [len(ids)]
    assert capped(human) == {OVERALL: 5, "recipes": 2, "speeches": 2, "stories": 1}


def test_a_round_in_a_streak_counts_1_30_and_its_points_stay(human: Database) -> None:
    play_all(human, [*FOUR, ("speeches", 10)])

    found = rows(human, "SELECT points, mean FROM standing WHERE genre = '' AND season = ''")[0]
    assert (found["points"], round(found["mean"], 9)) == (25, STREAK_CAP)


def test_another_answer_ends_the_streak_and_counts_in_full(human: Database) -> None:
    ids = play_all(human, [*FOUR, ("speeches", 10), ("stories", 3), ("stories", 10)])

    marked = column(human, "SELECT round_id FROM mark")
    assert sorted(marked) == sorted(ids[:5])
    assert stored_books(human) == recounted_books(human)


def test_a_streak_is_one_players(human: Database) -> None:
    for name in ("ada", "bob"):
        play_all(human, FOUR[:3], name)

    assert column(human, "SELECT round_id FROM mark") == []


def test_a_streak_across_decks_is_held_down_on_the_boards_of_both(human: Database) -> None:
    lines = [record(boundary=LATEST, genre="speeches", salt="rated").model_dump_json()]
    play_all(human, FOUR)
    with human.write() as db:
        deck_named(db, "exam", kind="rated", now=IMPORTED)
        import_passages(db, lines, resolve=no_pointers, deck="exam", now=IMPORTED)
        round_id = start_on_rated_deck(db, "ada")
        for turn, move in enumerate(closing_moves(10)):
            submit_move(db, "ada", round_id, turn, move, now=IMPORTED)

    assert len(column(human, "SELECT round_id FROM mark")) == 5
    assert stored_books(human) == recounted_books(human)


def start_on_rated_deck(db: Connection, name: str) -> str:
    """Start a round on the one passage of the deck that is not served yet."""
    query = (
        "SELECT p.passage_id, p.deck_id, p.genre FROM deck_passage p JOIN deck d ON d.id = p.deck_id"
        " WHERE d.kind = 'rated'"
    )
    found = db.execute(text(query)).mappings().one()
    new = NewRound(
        id="rated",
        player_id=name,
        mode=MODE.slug,
        asked_genre=None,
        policy=SITE,
        started_at=IMPORTED,
        **dict(found),
    )
    add_round(db, new)
    return new.id


@pytest.mark.parametrize("guesses", [[8, 9], [9, 8, 8], [9], [10], [6, 7, 8, 9, 10]], ids=str)
def test_whoever_ignores_the_text_gets_no_rank_over_a_whole_deck(
    tmp_path: Path, guesses: list[int], request: pytest.FixtureRequest
) -> None:
    deck = full_deck(each=10, genres=["speeches"])
    database = stocked(settings_for(tmp_path, "sqlite", request), deck)
    dice = Random(len(guesses))

    ranks: set[int | None] = set()
    with database.write() as db:
        for number in range(len(deck)):
            play(db, "lazy", "speeches", guesses[number % len(guesses)], dice)
            ranks.update((own_rank(db, "lazy"), own_rank(db, "lazy", "speeches")))
    database.close()
    assert ranks == {None}


def test_whoever_is_always_right_has_a_rank_after_ten_rounds(database: Database) -> None:
    dice = Random(5)
    ranks: list[int | None] = []

    with database.write() as db:
        for number in range(MINIMUM_ROUNDS):
            genre = GENRES[number % len(GENRES)]
            play(db, "expert", genre, boundary_of_next(db, "expert", genre, dice), dice)
            ranks.append(own_rank(db, "expert"))
    assert ranks == [None] * (MINIMUM_ROUNDS - 1) + [1]


Tallies = dict[str, dict[float, int]]


def fill_board(
    db: Connection, tallies: Tallies, *, line: float = 1.5, season: str = ALL_TIME, at: datetime = IMPORTED
) -> None:
    """Write players and their standings over all genres."""
    for name, counts in tallies.items():
        add_player(db, Claim(name, f"{name}-1000"), role="guest", now=IMPORTED)
        points = int(sum(score * count for score, count in counts.items()))
        standing = StandingRow(OVERALL, season, at, points, Tally(counts), line)
        save_standings(db, name, "open", MODE.slug, [standing])


def names(lines: Sequence[RankedRow]) -> list[str]:
    """Return who stands on the lines of a board."""
    return [line.row.player_id for line in lines]


def read_board(database: Database, name: str | None = None) -> Board:
    """Return the board over all genres, as a player sees it."""
    with database.read() as db:
        return board(db, MODE.slug, None, name, now=IMPORTED)


def test_the_ranked_stand_in_the_order_of_the_lower_end(database: Database) -> None:
    with database.write() as db:
        fill_board(db, {"few": {5.0: 11, 4.0: 1}, "many": {5.0: 80, 3.0: 20}, "some": {4.0: 30, 5.0: 10}})

    ranked = read_board(database).ranked
    assert names(ranked) == ["many", "some", "few"]
    assert [line.rank for line in ranked] == [1, 2, 3]
    assert [line.row.mean for line in ranked] != sorted((line.row.mean for line in ranked), reverse=True)


def test_those_not_above_luck_have_no_rank_and_stand_by_their_rounds(database: Database) -> None:
    with database.write() as db:
        fill_board(db, {"new": {5.0: 9}, "keen": {1.0: 70, 2.0: 30}, "calm": {0.0: 20}, "good": {5.0: 30}})

    found = read_board(database)
    assert (names(found.ranked), names(found.unranked)) == (["good"], ["keen", "calm", "new"])
    assert {line.rank for line in found.unranked} == {None}


def test_ties_stand_the_same_way_whoever_looks(database: Database) -> None:
    tied = Random(3).sample([f"tied{number:02}" for number in range(20)], 20)
    with database.write() as db:
        fill_board(db, {name: {5.0: 12} for name in tied})
    order = names(read_board(database).ranked)
    with database.write() as db:
        fill_board(db, {"bob": {1.0: 12}, order[4]: {5.0: 12}})

    own = [read_board(database, name).own for name in order]
    assert names(read_board(database).ranked) == order
    assert [line.rank for line in own if line] == list(range(1, 21))


@pytest.mark.parametrize(("counts", "rank"), [({5.0: 10}, SHOWN_ROWS + 11), ({1.0: 5}, None)])
def test_everybody_finds_their_own_line_however_far_down(
    database: Database, ada: Person, counts: dict[float, int], rank: int | None
) -> None:
    ahead = {f"ahead{number:03}": {5.0: 50} for number in range(SHOWN_ROWS + 10)}
    keen = {f"keen{number:03}": {1.0: 50} for number in range(SHOWN_ROWS + 10)}
    with database.write() as db:
        fill_board(db, {**ahead, **keen, ada.player_id: counts})

    told = ada.api.get("/api/v1/leaderboard").json()
    assert (told[-1]["handle"], told[-1]["rank"]) == ("adaadaadaada-1000", rank)
    assert len(told) == 2 * SHOWN_ROWS + (1 if rank is None else 6)
    assert "adaadaadaada-1000</a> (you)" in ada.pages.get("/leaderboard").text


def test_an_own_line_that_is_listed_comes_once(database: Database, ada: Person) -> None:
    with database.write() as db:
        fill_board(db, {ada.player_id: {5.0: 20}, "bob": {5.0: 10}})

    assert [line["rank"] for line in ada.api.get("/api/v1/leaderboard").json()] == [1, 2]
    assert ada.pages.get("/leaderboard").text.count("(you)") == 1


def test_who_stands_far_down_sees_five_on_each_side(database: Database, ada: Person) -> None:
    ahead = {f"ahead{number:03}": {5.0: 50} for number in range(SHOWN_ROWS + 10)}
    behind = {f"behind{number:03}": {5.0: 11} for number in range(10)}
    with database.write() as db:
        fill_board(db, {**ahead, ada.player_id: {5.0: 20}, **behind})

    around = read_board(database, ada.player_id).around
    ranks = [line.rank for line in around]
    assert ranks == list(range(SHOWN_ROWS + 6, SHOWN_ROWS + 17))
    assert names(around)[5] == ada.player_id
    assert [own_rank_of(database, name) for name in names(around)] == ranks
    assert "You and those around you" in ada.pages.get("/leaderboard").text


def own_rank_of(database: Database, name: str) -> int | None:
    """Return the place of a player as they see it."""
    own = read_board(database, name).own
    return own.rank if own else None


def test_who_has_not_played_for_long_is_off_the_board_and_comes_back(database: Database) -> None:
    long_ago = IMPORTED - ACTIVE - timedelta(days=1)
    with database.write() as db:
        fill_board(db, {"gone": {5.0: 50}}, at=long_ago)
        fill_board(db, {"here": {5.0: 20}})

    assert names(read_board(database).ranked) == ["here"]
    assert own_rank_of(database, "gone") is None
    own = read_board(database, "gone").own
    assert own is not None
    assert not own.is_far  # no place, rather than one that is too far down to be counted
    with database.write() as db:
        assert tidy_boards(db, now=IMPORTED) == 1
        save_standings(
            db,
            "gone",
            "open",
            MODE.slug,
            [StandingRow(OVERALL, ALL_TIME, IMPORTED, 250, Tally({5.0: 50}), 1.5)],
        )
    assert names(read_board(database).ranked) == ["gone", "here"]


@pytest.mark.parametrize(
    ("at", "seen"),
    [
        (datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC), {"all", "month", "week"}),
        (datetime(2027, 1, 1, 0, 0, tzinfo=UTC), {"all", "week"}),
        (datetime(2027, 1, 3, 23, 59, tzinfo=UTC), {"all", "week"}),
        (datetime(2027, 1, 4, 0, 0, tzinfo=UTC), {"all"}),
    ],
)
def test_a_round_counts_in_the_month_and_week_it_was_closed_in(
    human: Database, at: datetime, seen: set[Window]
) -> None:
    closed = datetime(2026, 12, 31, 12, 0, tzinfo=UTC)
    with human.write() as db:
        play(db, "ada", "recipes", 10, Random(1), now=closed)

    windows: tuple[Window, ...] = ("all", "month", "week")
    with human.read() as db:
        found = {name: board(db, MODE.slug, None, "ada", now=at, window=name).own for name in windows}
    assert {name for name, own in found.items() if own} == seen


def test_a_streak_across_midnight_is_held_down_in_both_months(human: Database) -> None:
    for day, genre in ((30, "recipes"), (31, "speeches"), (31, "recipes"), (32, "stories"), (33, "recipes")):
        with human.write() as db:
            play(
                db,
                "ada",
                genre,
                10,
                Random(1),
                now=datetime(2026, 12, 1, tzinfo=UTC) + timedelta(days=day - 1),
            )

    found = rows(human, "SELECT season, n_capped FROM standing WHERE genre = '' AND season LIKE '%-__'")
    assert {row["season"]: row["n_capped"] for row in found} == {"2026-12": 3, "2027-01": 2}
    assert stored_books(human) == recounted_books(human)


def test_recounting_changes_nothing_that_is_right(human: Database) -> None:
    play_all(human, [("recipes", 10), ("stories", 3), *FOUR])
    before = stored_books(human)
    with human.write() as db:
        recount(db, "ada")

    assert stored_books(human) == before


def test_below_ten_rounds_the_board_tells_no_interval(database: Database, ada: Person) -> None:
    with database.write() as db:
        fill_board(db, {"new": {5.0: MINIMUM_ROUNDS - 1}, "old": {5.0: MINIMUM_ROUNDS}})

    told = {line["handle"]: line["interval"] for line in ada.api.get("/api/v1/leaderboard").json()}
    assert told["new-1000"] is None
    assert told["old-1000"] is not None


def test_progress_counts_the_run_at_the_end(human: Database) -> None:
    play_all(human, [("recipes", 10), ("stories", 3), ("stories", 10), ("recipes", 10)])

    with human.read() as db:
        found = progress(db, "ada", MODE.slug)
    assert (found.rounds, found.points, found.run) == (4, 15, 2)
