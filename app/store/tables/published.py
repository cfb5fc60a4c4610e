"""Published ratings: fits of all rounds at once."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKeyConstraint
from sqlmodel import Field, SQLModel

from app.store.tables.base import moment


class RatingRun(SQLModel, table=True):
    """One fit to all rounds of a mode; never changed, and the last one is published.

    `number` counts a mode's runs from 0; `rule` names the model. `rounds_sha256` is that of the
    rounds that went in, `telling` of which said something about their passage.
    """

    __tablename__ = "rating_run"  # pyright: ignore[reportAssignmentType]

    mode: str = Field(primary_key=True)
    number: int = Field(primary_key=True)
    made_at: datetime = moment()
    rule: str
    rounds_sha256: str
    rounds: int
    telling: int
    players: int
    passages: int
    mean: float
    error: float
    player_deviation: float
    generator_deviation: float
    passage_deviation: float
    round_deviation: float

    __table_args__ = (CheckConstraint("number >= 0", name="number"),)


class EstimateRow(SQLModel, table=True):
    """What a run says of a player, passage or generator, in points above lazy play; `rounds` tell of it.

    A generator is its back end, and its model after a space if it has one.
    """

    __tablename__ = "estimate"  # pyright: ignore[reportAssignmentType]

    mode: str = Field(primary_key=True)
    run: int = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True, index=True)
    rounds: int
    mean: float
    error: float
    lower: float
    upper: float

    __table_args__ = (
        ForeignKeyConstraint(["mode", "run"], ["rating_run.mode", "rating_run.number"]),
        CheckConstraint("kind IN ('player', 'passage', 'generator')", name="kind"),
        CheckConstraint("error > 0", name="error"),
    )
