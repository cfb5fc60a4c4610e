"""The daily round: which text on which day, who played it where; and the days on which somebody played."""

from datetime import date, datetime

from sqlmodel import Field, SQLModel

from app.store.tables.base import moment


class DailyRow(SQLModel, table=True):
    """The passage of a day (UTC); it is drawn when the day's first player asks for it."""

    __tablename__ = "daily"  # pyright: ignore[reportAssignmentType]

    day: date = Field(primary_key=True)
    passage_id: str = Field(foreign_key="passage.id", unique=True)
    deck_id: int = Field(foreign_key="deck.id")
    drawn_at: datetime = moment()


class DailyPlay(SQLModel, table=True):
    """A round on the passage of a day.

    `device` is the sha-256 of a random cookie; `is_rated` says whether the round may count:
    begun by an account, on its day, on a device where nobody else had begun it.
    """

    __tablename__ = "daily_play"  # pyright: ignore[reportAssignmentType]

    round_id: str = Field(foreign_key="round.id", primary_key=True)
    day: date = Field(foreign_key="daily.day", index=True)
    device: str = Field(index=True)
    is_rated: bool


class Presence(SQLModel, table=True):
    """A day (UTC) on which a player finished a round."""

    player_id: str = Field(foreign_key="player.id", primary_key=True)
    day: date = Field(primary_key=True)
