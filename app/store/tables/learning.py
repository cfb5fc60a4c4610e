"""What players learn from: what others said, and the guide."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from app.store.tables.base import moment


class Opinion(SQLModel, table=True):
    """How many players gave an answer to a passage, such as a guess with a reason; the mode reads it.

    Counted by the transaction that closes a round; rounds in a streak are left out.
    """

    passage_id: str = Field(foreign_key="passage.id", primary_key=True)
    mode: str = Field(primary_key=True)
    answer: str = Field(primary_key=True)
    players: int


class GuideReading(SQLModel, table=True):
    """Somebody had the guide before them from `opened_at` until (at least) `noted_at`.

    `visible_ms` is how long the page was in front, by the browser's clock; None without script.
    The player may have no row yet: many read before they play.
    """

    __tablename__ = "guide_reading"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    player_id: str = Field(index=True)
    opened_at: datetime = moment()
    noted_at: datetime = moment()
    visible_ms: int | None = None
