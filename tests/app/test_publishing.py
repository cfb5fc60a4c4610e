"""What is published comes from the rounds that the live ratings come from, whole and once."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from app.services.accounts import make_account
from app.services.leaving import leave
from app.services.merging import merge
from app.services.playing import start_round, submit_move
from app.services.publishing import (
    ENOUGH_PASSAGES,
    KEPT,
    Evidence,
    evidence_of,
    publication,
    publish,
)
from app.services.reporting import annul
from app.store.database import Database
from app.store.players import Claim
from app.store.published import published, published_of
from app.store.standings import add_mark
from game.mode import SITE
from scoring.mixed import fit_skill
from scoring.skill import UNTOLD
from scoring.vigilance import DUPLICATE_RULE, MANUAL_RULE, STREAK_RULE
from tests.app.seasons import MODE, NAMES, PROVISIONAL, publish_night, season, season_deck
from tests.stocking import IMPORTED, column, full_deck, rows, settings_for, stocked

DICE = Random(5)


@pytest.fixture(params=["sqlite", "postgresql"])
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database after a season."""
    database = stocked(settings_for(tmp_path, request.param, request), season_deck())
    season(database)
    yield database
    database.close()


def evidence(database: Database) -> Evidence:
    with database.read() as db:
        return evidence_of(db, MODE.slug)


def rounds_by_player(found: Evidence) -> dict[str, int]:
    """Return how many rounds of each player count."""
    return {found.players[number]: many for number, many in Counter(found.rounds.players).items()}


def mark(database: Database, round_id: str, rule: str) -> None:
    with database.write() as db:
        add_mark(db, round_id, rule, now=IMPORTED)


def test_points_are_counted_from_the_lazy_line(played: Database) -> None:
    found = evidence(played)

    mean = sum(found.rounds.points) / len(found.rounds.points)
    query = (
        "SELECT avg(r.points - l.points) FROM round r JOIN lazy_line l"
        " ON l.deck_id = r.deck_id AND l.genre = r.genre"
    )
    assert mean == pytest.approx(float(column(played, query)[0]))
    assert found.telling == len(found.rounds.points) == len(NAMES) * len(season_deck())


@pytest.mark.parametrize("rule", [DUPLICATE_RULE, MANUAL_RULE])
def test_a_round_that_counts_nowhere_does_not_count_here(played: Database, rule: str) -> None:
    mark(played, "p3-7", rule)

    found = evidence(played)
    assert rounds_by_player(found) == {name: len(season_deck()) - (name == "p3") for name in NAMES}


def test_a_round_in_a_streak_tells_of_its_player_alone(played: Database) -> None:
    mark(played, "p3-7", STREAK_RULE)

    found = evidence(played)
    untold = [
        found.players[player]
        for player, passage in zip(found.rounds.players, found.rounds.passages, strict=True)
        if passage == UNTOLD
    ]
    assert untold == ["p3"]
    assert rounds_by_player(found)["p3"] == len(season_deck())


def test_so_do_all_rounds_of_somebody_whose_rating_is_provisional(played: Database) -> None:
    season(played, ["new"], rating=PROVISIONAL)

    found = evidence(played)
    assert found.telling == len(found.rounds.points) - len(season_deck())
    assert rounds_by_player(found)["new"] == len(season_deck())


def test_a_round_that_is_open_is_no_evidence(played: Database) -> None:
    before = evidence(played)
    with played.write() as db:
        start_round(db, Claim("eve", "eve-1000"), MODE, None, policy=SITE, rng=DICE, now=IMPORTED)

    assert evidence(played).sha256 == before.sha256


@pytest.fixture(params=["sqlite", "postgresql"])
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database in which nobody has played."""
    database = stocked(settings_for(tmp_path, request.param, request), full_deck())
    yield database
    database.close()


def play(database: Database, who: Claim, turns: int) -> str:
    """Play a round to its end, or to that turn; return its passage."""
    with database.write() as db:
        round_id = start_round(db, who, MODE, None, policy=SITE, rng=DICE, now=IMPORTED).round_id
        for turn in range(turns):
            submit_move(db, who.player_id, round_id, turn, {"call": "human"}, now=IMPORTED)
        closing = {"call": "machine", "reasons": ["generic"]}
        submit_move(db, who.player_id, round_id, turns, closing, now=IMPORTED)
    return str(column(database, "SELECT passage_id FROM round WHERE id = :id", id=round_id)[0])


def test_live_and_published_ratings_speak_of_the_same_rounds(fresh: Database) -> None:
    ada, bob, guest = (Claim(name, f"{name}-1000") for name in ("ada", "bob", "gus"))
    with fresh.write() as db:
        make_account(db, ada, rng=DICE, now=IMPORTED)
    met = [play(fresh, who, DICE.randrange(8)) for _ in range(12) for who in (ada, bob, guest)]
    for _ in range(6):
        play(fresh, bob, 4)  # a streak
    with fresh.write() as db:
        merge(db, guest.player_id, ada.player_id, rng=DICE, now=IMPORTED)
        annul(db, met[1], now=IMPORTED)

    live = rows(fresh, "SELECT subject_id, rounds FROM rating WHERE kind = 'player'")
    assert rounds_by_player(evidence(fresh)) == {row["subject_id"]: row["rounds"] for row in live}


def test_too_little_is_said_in_a_sentence(fresh: Database) -> None:
    season(fresh, NAMES[:9])

    assert evidence(fresh).lack == (
        "There are 270 rounds by 9 players who have a rating yet; it takes 200 rounds by 10 players before"
        " ratings can be published."
    )
    season(fresh, NAMES[9:10])
    assert evidence(fresh).lack is None


def test_before_the_first_run_nothing_is_published(played: Database) -> None:
    with played.read() as db:
        assert publication(db, MODE.slug) is None
        assert published_of(db, MODE.slug, "player", "p3") is None


def test_every_player_and_passage_gets_a_number_with_its_interval(played: Database) -> None:
    run = publish_night(played).run

    with played.read() as db:
        players, passages = published(db, MODE.slug, "player"), published(db, MODE.slug, "passage")
    assert {one.subject_id for one in players} == set(NAMES)
    assert (run.players, run.passages, run.rounds) == (len(NAMES), len(passages), 12 * len(passages))
    assert all(one.lower < one.mean < one.upper for one in (*players, *passages))
    assert {one.rounds for one in players} == {len(season_deck())}
    assert players[-1].mean > players[0].mean + 0.3


def test_a_generator_is_listed_from_some_texts_on_and_humans_are_none(played: Database) -> None:
    publish_night(played)

    with played.read() as db:
        found = publication(db, MODE.slug)
    assert found is not None
    assert [(one.name, one.model) for one in found.generators] == [("transformers", "toy-model")]
    assert found.generators[0].published.rounds == 27 * len(NAMES)
    assert ENOUGH_PASSAGES == 5  # there are three human texts, and four that go on with another


def test_the_same_rounds_are_published_once(played: Database) -> None:
    before = evidence(played).published
    outcome = publish_night(played)

    assert before is None
    assert outcome.is_new
    assert evidence(played).published == outcome.run
    season(played, ["new"])
    assert evidence(played).published is None


def test_of_two_at_once_the_first_is_published_and_the_other_changes_nothing(played: Database) -> None:
    one, other = evidence(played), evidence(played)
    found = fit_skill(one.rounds)

    with played.write() as db:
        first = publish(db, one, found, now=IMPORTED)
    with played.write() as db:
        second = publish(db, other, found, now=IMPORTED)
    assert (first.is_new, second.is_new) == (True, False)
    assert first.run == second.run
    assert column(played, "SELECT count(*) FROM rating_run") == [1]
    assert column(played, "SELECT count(*) FROM estimate WHERE kind = 'player'") == [len(NAMES)]


def test_figures_of_every_run_stay_and_numbers_of_the_last_ones(played: Database) -> None:
    for night in range(KEPT + 2):
        season(played, [f"night{night}"], rating=PROVISIONAL)
        publish_night(played)

    assert column(played, "SELECT number FROM rating_run ORDER BY number") == list(range(KEPT + 2))
    assert column(played, "SELECT DISTINCT run FROM estimate ORDER BY run") == list(range(2, KEPT + 2))
    with played.read() as db:
        assert published_of(db, MODE.slug, "player", "night0")
        assert len(published(db, MODE.slug, "player")) == len(NAMES) + KEPT + 2


def test_who_leaves_has_no_number_any_more(played: Database) -> None:
    publish_night(played)
    with played.write() as db:
        leave(db, "p3", rng=DICE, now=IMPORTED)

    assert column(played, "SELECT count(*) FROM estimate WHERE subject_id = 'p3'") == [0]


def test_who_leaves_while_the_numbers_are_worked_out_gets_none(played: Database) -> None:
    read = evidence(played)
    with played.write() as db:
        leave(db, "p3", rng=DICE, now=IMPORTED)
        merge(db, "p4", "p5", rng=DICE, now=IMPORTED)
    with played.write() as db:
        publish(db, read, fit_skill(read.rounds), now=IMPORTED)

    assert column(played, "SELECT count(*) FROM estimate WHERE subject_id IN ('p3', 'p4')") == [0]
    assert column(played, "SELECT count(*) FROM estimate WHERE kind = 'player'") == [len(NAMES) - 2]


def test_a_guest_who_is_merged_has_no_number_any_more(played: Database) -> None:
    publish_night(played)
    with played.write() as db:
        merge(db, "p4", "p5", rng=DICE, now=IMPORTED)

    assert column(played, "SELECT count(*) FROM estimate WHERE subject_id = 'p4'") == [0]
