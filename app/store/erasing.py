"""Deleting what belonged to somebody who leaves.

The database lets go of raw data only after its player has been blanked.
"""

from datetime import datetime

from sqlalchemy import Connection, delete, exists, or_, select, update

from app.store.players import former_handle, merger, player
from app.store.tables import BuildRow, DailyPlay, EventRow, Mark, MoveRow, RoundRow, table_of

round_ = table_of(RoundRow)
move = table_of(MoveRow)
event = table_of(EventRow)
mark = table_of(Mark)
play = table_of(DailyPlay)
build = table_of(BuildRow)

CUT = "(cut when the account was deleted)"
"""What stands where a note was; the rules still ask that there be one."""


def blank_player(db: Connection, player_id: str, handle: str, *, now: datetime) -> None:
    """Take name, role and settings from a player, and every tie between their rows and others."""
    db.execute(delete(former_handle).where(former_handle.c.player_id == player_id))
    db.execute(
        update(player)
        .where(player.c.id == player_id)
        .values(handle=handle, skeleton=handle, role="guest", board="off", erased_at=now)
    )


def delete_rounds(db: Connection, player_id: str) -> None:
    """Delete all rounds of a blanked player, with everything that hangs on them."""
    theirs = select(round_.c.id).where(round_.c.player_id == player_id)
    for table in (move, event, mark, play):
        db.execute(delete(table).where(table.c.round_id.in_(theirs)))
    db.execute(delete(round_).where(round_.c.player_id == player_id))


def cut_notes(db: Connection, player_id: str) -> None:
    """Take what a blanked player wrote in their own words out of their moves."""
    theirs = (
        select(move.c.round_id, move.c.number, move.c.form)
        .join(round_, round_.c.id == move.c.round_id)
        .where(round_.c.player_id == player_id)
    )
    for round_id, number, form in db.execute(theirs).all():
        if form.get("note"):
            db.execute(
                update(move)
                .where(move.c.round_id == round_id, move.c.number == number)
                .values(form={**form, "note": CUT})
            )


def is_referred_to(db: Connection, player_id: str) -> bool:
    """Say whether something that stays refers to a player: rounds kept for research, builds."""
    stays = or_(
        exists().where(round_.c.player_id == player_id), exists().where(build.c.player_id == player_id)
    )
    return bool(db.execute(select(stays)).scalar())


def delete_player(db: Connection, player_id: str) -> None:
    """Delete the row of a player that nothing refers to but mergers."""
    db.execute(delete(merger).where(or_(merger.c.guest_id == player_id, merger.c.player_id == player_id)))
    db.execute(delete(player).where(player.c.id == player_id))
