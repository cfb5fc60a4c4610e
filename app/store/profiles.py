"""What profiles are made of: a player's finished rounds."""

from sqlalchemy import Connection, bindparam, exists, func, select

from app.store.standings import counts
from app.store.tables import Mark, MoveRow, PassageRow, RoundRow, table_of
from game.language import unsaid
from game.mode import PlayedRound

round_ = table_of(RoundRow)
move = table_of(MoveRow)
mark = table_of(Mark)
passage = table_of(PassageRow)

NOBODY = unsaid("nobody: human to the end")
ANOTHER = unsaid("another human text")

_any_move = move.alias()
_LAST = (
    select(func.max(_any_move.c.number))
    .where(_any_move.c.round_id == round_.c.id)
    .correlate(round_)
    .scalar_subquery()
)
_PLAYED = (
    select(
        round_.c.genre,
        passage.c.generator,
        passage.c.boundary,
        func.json_array_length(passage.c.sentences).label("length"),
        round_.c.guess,
        round_.c.points,
        exists()
        .where(mark.c.round_id == round_.c.id, mark.c.rule == bindparam("rule"))
        .label("is_in_streak"),
        move.c.confidence,
        move.c.form,
    )
    .join(passage, passage.c.id == round_.c.passage_id)
    .join(move, (move.c.round_id == round_.c.id) & (move.c.number == _LAST))
    .where(
        round_.c.player_id == bindparam("player_id"),
        round_.c.mode == bindparam("mode"),
        round_.c.points.is_not(None),
        counts(round_.c.id),
    )
    .order_by(round_.c.closing)
)


def played_rounds(db: Connection, player_id: str, mode: str, rule: str) -> list[PlayedRound]:
    """Return a player's finished rounds with points, in order; `rule` marks those in a streak."""
    rows = db.execute(_PLAYED, {"player_id": player_id, "mode": mode, "rule": rule})
    return [
        PlayedRound(
            genre=row.genre,
            generator=_name(row.generator),
            boundary=row.boundary,
            length=row.length,
            guess=row.guess,
            points=row.points,
            is_in_streak=bool(row.is_in_streak),
            confidence=row.confidence,
            last_form=row.form,
        )
        for row in rows
    ]


def _name(generator: dict[str, str | None] | None) -> str:
    if generator is None:
        return NOBODY
    return generator["model"] or ANOTHER
