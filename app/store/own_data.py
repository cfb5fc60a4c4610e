"""What a player may take along: their rounds as they happened."""

from typing import Any

from sqlalchemy import Connection, select

from app.store.tables import EventRow, Mark, MoveRow, RoundRow, table_of

round_ = table_of(RoundRow)
move = table_of(MoveRow)
event = table_of(EventRow)
mark = table_of(Mark)

_ROUNDS = select(
    round_.c.id,
    round_.c.passage_id,
    round_.c.mode,
    round_.c.genre,
    round_.c.started_at,
    round_.c.closed_at,
    round_.c.points,
    round_.c.guess,
).order_by(round_.c.started_at, round_.c.id)
_PARTS = {
    "moves": select(
        move.c.round_id,
        move.c.number,
        move.c.form,
        move.c.shown_at,
        move.c.decided_at,
        move.c.client_ms,
        move.c.hidden_ms,
        move.c.confidence,
    )
    .join(round_, round_.c.id == move.c.round_id)
    .order_by(move.c.round_id, move.c.number),
    "events": select(event.c.round_id, event.c.turn, event.c.kind, event.c.client_ms, event.c.received_at)
    .join(round_, round_.c.id == event.c.round_id)
    .order_by(event.c.id),
    "marks": select(mark.c.round_id, mark.c.rule, mark.c.marked_at)
    .join(round_, round_.c.id == mark.c.round_id)
    .order_by(mark.c.round_id, mark.c.rule),
}


def played_by(db: Connection, player_id: str) -> list[dict[str, Any]]:
    """Return a player's rounds with moves, events and marks; of an open one the passage is not named."""
    rounds = [dict(row) for row in db.execute(_ROUNDS.where(round_.c.player_id == player_id)).mappings()]
    by_id = {one["id"]: one for one in rounds}
    for one in rounds:
        one.update({name: [] for name in _PARTS})
        if one["closed_at"] is None:
            del one["passage_id"]
    for name, statement in _PARTS.items():
        for row in db.execute(statement.where(round_.c.player_id == player_id)).mappings():
            part = dict(row)
            by_id[part.pop("round_id")][name].append(part)
    return rounds
