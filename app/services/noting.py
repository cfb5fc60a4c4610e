"""The log beside the moves: answers taken back, tabs hidden and shown."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.store.rounds import add_events, count_events, owns_round
from game.errors import RoundNotFoundError, TooManyEventsError
from game.language import say

MOST_EVENTS = 1000
"""Events kept for one round; more than that is no person reading."""


class Event(BaseModel):
    """Something that happened while a round was on the screen.

    Attributes:
        kind: `decided` (an answer was chosen, its reasons are still to come), `back`
            (it was taken back), `hidden` and `shown` (the tab).
        turn: the number of the move that was due.
        client_ms: the client's monotonic clock since the screen appeared.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["decided", "back", "hidden", "shown"]
    turn: int = Field(ge=0, le=10_000)
    client_ms: int | None = Field(default=None, ge=0, le=2_000_000_000)


def note_events(
    db: Connection, player_id: str, round_id: str, events: Sequence[Event], *, now: datetime
) -> None:
    """Write events of a round into the log.

    Raises:
        RoundNotFoundError: the round is not this player's.
        TooManyEventsError: the log of the round is full.
    """
    if not owns_round(db, round_id, player_id):
        raise RoundNotFoundError(say("There is no such round of yours."))
    if count_events(db, round_id) + len(events) > MOST_EVENTS:
        raise TooManyEventsError(f"A round keeps {MOST_EVENTS} events at most.")
    if events:
        add_events(db, [{"round_id": round_id, "received_at": now, **event.model_dump()} for event in events])
