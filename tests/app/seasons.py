"""Seasons that were played: rounds written past the game, with the points that a test needs."""

from collections.abc import Iterable
from random import Random
from typing import Any

from sqlalchemy import Connection, text

from app.services.publishing import Outcome, evidence_of, publish
from app.store.database import Database
from app.store.players import Claim, add_player
from app.store.published import Run, add_estimates, add_run
from app.store.ratings import Held, save_rating
from app.store.rounds import NewRound, add_move, add_round, close_round
from game.mode import SITE
from game.modes import mode_named
from game.records import PassageRecord
from scoring.glicko import Rating
from scoring.mixed import fit_skill
from tests.factories import record
from tests.stocking import IMPORTED, full_deck

MODE = mode_named("boundary")
KNOWN, PROVISIONAL = Rating(deviation=60), Rating(deviation=200)
NAMES = tuple(f"p{number}" for number in range(12))
_DECK = text("SELECT passage_id, deck_id, genre FROM deck_passage ORDER BY genre, passage_id")


def season_deck() -> list[PassageRecord]:
    """Return three genres by one model, three texts human to the end, and four switches."""
    return [
        *full_deck(),
        *(record(boundary=4, genre="stories", salt=f"switch{number}", after="O") for number in range(4)),
    ]


def season(database: Database, names: Iterable[str] = NAMES, *, rating: Rating = KNOWN) -> None:
    """Let players finish a round on every passage; the later ones are the better ones."""
    dice = Random(1)
    with database.write() as db:
        deck = db.execute(_DECK).all()
        for place, name in enumerate(names):
            add_player(db, Claim(name, f"{name}-1000"), role="guest", now=IMPORTED)
            for closing, row in enumerate(deck):
                _finish(db, name, row, closing=closing, points=min(5, dice.randint(0, 3 + place // 4)))
            save_rating(db, "player", name, MODE.slug, Held(rating, len(deck)), now=IMPORTED)


def _finish(db: Connection, name: str, row: Any, *, closing: int, points: int) -> None:
    """Write a round that ended at its first turn."""
    new = NewRound(
        id=f"{name}-{closing}",
        player_id=name,
        mode=MODE.slug,
        asked_genre=None,
        policy=SITE,
        started_at=IMPORTED,
        **dict(row._mapping),
    )
    move = {"form": {"call": "machine"}, "shown_at": IMPORTED, "decided_at": IMPORTED}
    add_round(db, new)
    add_move(db, new.id, 0, move)
    close_round(db, new.id, closed_at=IMPORTED, closing=closing, points=points, guess=closing % 10 + 1)


def publish_night(database: Database) -> Outcome:
    """Fit everything there is, and publish it."""
    with database.read() as db:
        evidence = evidence_of(db, MODE.slug)
    with database.write() as db:
        return publish(db, evidence, fit_skill(evidence.rounds), now=IMPORTED)


def publish_made_up(database: Database) -> None:
    """Publish two generators without a round behind them."""
    run = Run(
        mode=MODE.slug,
        number=0,
        made_at=IMPORTED,
        rule="made up",
        rounds_sha256="0" * 64,
        rounds=900,
        telling=800,
        players=40,
        passages=60,
        mean=0.41,
        error=0.05,
        player_deviation=0.5,
        generator_deviation=0.3,
        passage_deviation=0.5,
        round_deviation=1.9,
    )
    numbers = {"rounds": 400, "mean": -0.12, "error": 0.1, "lower": -0.32, "upper": 0.08}
    rows = [
        {"mode": run.mode, "run": run.number, "kind": "generator", "subject_id": name, **numbers}
        for name in ("transformers a-rather-long/name-of-a-model-in-a-folder", "splice")
    ]
    with database.write() as db:
        add_run(db, run)
        add_estimates(db, rows)
