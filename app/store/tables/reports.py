"""Reports of passages, what came of them, and what players are told about it."""

from datetime import datetime

from sqlalchemy import CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from app.store.tables.base import moment


class Report(SQLModel, table=True):
    """A player says that something is wrong with a passage they were shown."""

    id: int | None = Field(default=None, primary_key=True)
    round_id: str = Field(foreign_key="round.id")
    player_id: str = Field(foreign_key="player.id")
    passage_id: str = Field(foreign_key="passage.id", index=True)
    kind: str
    note: str | None = None
    made_at: datetime = moment()

    __table_args__ = (
        UniqueConstraint("player_id", "passage_id"),
        CheckConstraint("kind IN ('broken', 'offensive', 'personal', 'seen', 'other')", name="kind"),
    )


class Hold(SQLModel, table=True):
    """A passage that is not served: since enough players reported it, or for good.

    Cleared passages keep the row, so that the same reports do not suspend them again.
    """

    passage_id: str = Field(foreign_key="passage.id", primary_key=True)
    state: str
    since: datetime = moment()
    decided_at: datetime | None = moment(nullable=True)

    __table_args__ = (CheckConstraint("state IN ('suspended', 'annulled', 'cleared')", name="state"),)


class Notice(SQLModel, table=True):
    """A sentence for a player, until they have read it."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    sentence: str
    made_at: datetime = moment()
    read_at: datetime | None = moment(nullable=True)
