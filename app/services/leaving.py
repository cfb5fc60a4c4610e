"""Taking one's data along, and leaving."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import Connection

from app.store.accounts import consents_of, erase_account, everything_of
from app.store.daily import days_of, drop_days, forget_devices
from app.store.erasing import blank_player, cut_notes, delete_player, delete_rounds, is_referred_to
from app.store.learning import drop_readings, readings_of
from app.store.own_data import played_by
from app.store.players import load_person, lock_player, merged_guests
from app.store.published import drop_estimates
from app.store.ratings import drop_ratings
from app.store.reports import drop_reports
from app.store.rounds import rounds_of
from app.store.standings import drop_standings

RESEARCH = "research"
FREE_TEXT = "free-text"


@dataclass(frozen=True, slots=True)
class Leaving:
    """What leaving would do: whether rounds stay for research, with or without their notes."""

    rounds: int
    keeps_rounds: bool
    keeps_notes: bool


def export_of(db: Connection, player_id: str) -> dict[str, Any]:
    """Return everything the site knows about a player, but for secrets and answers still open."""
    person = load_person(db, player_id)
    if person is None:
        return {}
    return {
        "player": {
            "handle": person.handle,
            "role": person.role,
            "created_at": person.created_at,
            "board": person.board,
            "shows_rating": person.shows_rating,
        },
        **everything_of(db, player_id),
        "days": list(days_of(db, player_id)),
        "guide": [
            one for each in (player_id, *merged_guests(db, player_id)) for one in readings_of(db, each)
        ],
        "rounds": [one for each in (player_id, *merged_guests(db, player_id)) for one in played_by(db, each)],
    }


def what_leaving_does(db: Connection, player_id: str) -> Leaving:
    """Return what would be deleted and what would stay, for the page that asks."""
    said = consents_of(db, player_id)
    keeps = said.get(RESEARCH, False)
    return Leaving(
        rounds=sum(len(rounds_of(db, each)) for each in _selves(db, player_id)),
        keeps_rounds=keeps,
        keeps_notes=keeps and said.get(FREE_TEXT, False),
    )


def leave(db: Connection, player_id: str, *, rng: Random, now: datetime) -> None:
    """Delete an account and all that is known of its owner.

    Rounds stay if their owner agreed to research, under a new random name that leads nowhere;
    notes in their own words stay only if they agreed to that too.
    """
    lock_player(db, player_id)
    doing = what_leaving_does(db, player_id)
    selves = _selves(db, player_id)
    for each in selves:
        erase_account(db, each)
        drop_standings(db, each)
        drop_ratings(db, each)
        drop_estimates(db, each)
        drop_reports(db, each)
        drop_days(db, each)
        forget_devices(db, each)
        blank_player(db, each, f"gone-{rng.getrandbits(64):016x}", now=now)
        if not doing.keeps_rounds:
            delete_rounds(db, each)
            drop_readings(db, each)
        elif not doing.keeps_notes:
            cut_notes(db, each)
    for each in selves:
        if not is_referred_to(db, each):
            delete_player(db, each)


def _selves(db: Connection, player_id: str) -> Sequence[str]:
    """Return the guests that a player was before, and the player."""
    return (*merged_guests(db, player_id), player_id)
