"""Reports: from the round, heard by a curator, answered to the reporter."""

from datetime import datetime

from sqlalchemy import Connection

from app.errors import PassageNotFoundError
from app.services.rating import rerate
from app.services.standings import recount
from app.store.passages import is_passage
from app.store.reports import (
    add_report,
    count_independent,
    decide,
    reporters_of,
    rounds_on,
    suspend,
    tell,
)
from app.store.rounds import passage_of_round
from app.store.standings import add_mark
from game.errors import BadMoveError, RoundNotFoundError
from game.language import say, unsaid
from scoring.vigilance import MANUAL_RULE

KINDS = {
    "broken": unsaid("It is broken, or cut in the wrong place"),
    "offensive": unsaid("It is offensive"),
    "personal": unsaid("It tells something private about somebody"),
    "seen": unsaid("I know this text from elsewhere"),
    "other": unsaid("None of these; I say below what"),
}
ENOUGH = 3
"""Players, each with a round finished elsewhere, whose reports suspend a passage."""

LONGEST_NOTE = 1000


def report_passage(
    db: Connection, player_id: str, round_id: str, kind: str, note: str, *, now: datetime
) -> None:
    """Report the passage of a round; a second report of the same passage changes nothing.

    Raises:
        RoundNotFoundError: the round is not this player's.
        BadMoveError: the kind is none, or the note too long.
    """
    passage_id = passage_of_round(db, round_id, player_id)
    if passage_id is None:
        raise RoundNotFoundError(say("There is no such round of yours."))
    if kind not in KINDS:
        raise BadMoveError(say("Say what is wrong with the text."))
    if len(note) > LONGEST_NOTE:
        raise BadMoveError(say("A note has %(most)s characters at most.", most=LONGEST_NOTE))
    add_report(
        db,
        round_id=round_id,
        player_id=player_id,
        passage_id=passage_id,
        kind=kind,
        note=note or None,
        now=now,
    )
    if count_independent(db, passage_id) >= ENOUGH:
        suspend(db, passage_id, now=now)


def annul(db: Connection, passage_id: str, *, now: datetime) -> int:
    """Take a passage out for good: its rounds count no more, and everything is computed again.

    Returns:
        How many rounds were affected.

    Raises:
        PassageNotFoundError: there is no such passage.
    """
    _need(db, passage_id)
    if not decide(db, passage_id, "annulled", now=now):
        return 0
    rounds = rounds_on(db, passage_id)
    for round_id, _ in rounds:
        add_mark(db, round_id, MANUAL_RULE, now=now)
    for player_id in sorted({player_id for _, player_id in rounds}):
        recount(db, player_id)
        rerate(db, player_id, now=now)
    for player_id in reporters_of(db, passage_id):
        tell(
            db,
            player_id,
            unsaid("A text you reported was taken out, and its rounds no longer count. Thank you!"),
            now=now,
        )
    return len(rounds)


def clear(db: Connection, passage_id: str, *, now: datetime) -> None:
    """Serve a passage again that was suspended, or keep serving it.

    Raises:
        PassageNotFoundError: there is no such passage.
    """
    _need(db, passage_id)
    if decide(db, passage_id, "cleared", now=now):
        for player_id in reporters_of(db, passage_id):
            tell(
                db,
                player_id,
                unsaid("We looked at a text you reported, and kept it. Thank you for looking closely!"),
                now=now,
            )


def _need(db: Connection, passage_id: str) -> None:
    if not is_passage(db, passage_id):
        raise PassageNotFoundError(f"There is no passage {passage_id}.")
