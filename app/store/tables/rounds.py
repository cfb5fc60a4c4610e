"""Rounds: what was played, and what it adds up to."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from app.store.tables.base import json_column, moment


class RoundRow(SQLModel, table=True):
    """One player, one passage, one mode.

    `closing` counts the player's closed rounds in the mode from 0, in order.
    """

    __tablename__ = "round"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    player_id: str = Field(foreign_key="player.id")
    passage_id: str = Field(foreign_key="passage.id", index=True)
    deck_id: int = Field(foreign_key="deck.id")
    mode: str
    genre: str
    asked_genre: str | None
    policy: dict[str, Any] = json_column()
    started_at: datetime = moment()
    closed_at: datetime | None = moment(nullable=True)
    closing: int | None = None
    points: int | None = None
    guess: int | None = None

    __table_args__ = (
        UniqueConstraint("player_id", "passage_id", "mode"),
        UniqueConstraint("player_id", "mode", "closing"),
        CheckConstraint("(closed_at IS NULL) = (closing IS NULL)", name="closing"),
        CheckConstraint("closed_at IS NOT NULL OR (points IS NULL AND guess IS NULL)", name="open"),
        CheckConstraint("points BETWEEN 0 AND 5", name="points"),
        Index(
            "uq_round_open",
            "player_id",
            "mode",
            "genre",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )


class MoveRow(SQLModel, table=True):
    """One submitted decision: the raw data of every study."""

    __tablename__ = "move"  # pyright: ignore[reportAssignmentType]

    round_id: str = Field(foreign_key="round.id", primary_key=True)
    number: int = Field(primary_key=True)
    form: dict[str, Any] = json_column()
    shown_at: datetime = moment()
    decided_at: datetime = moment()
    client_ms: int | None = None
    hidden_ms: int | None = None
    confidence: int | None = None

    __table_args__ = (
        CheckConstraint("number >= 0", name="number"),
        CheckConstraint("confidence BETWEEN 50 AND 100", name="confidence"),
    )


class EventRow(SQLModel, table=True):
    """What happened beside the moves: an answer taken back, a tab hidden or shown."""

    __tablename__ = "event"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, primary_key=True)
    round_id: str = Field(foreign_key="round.id", index=True)
    turn: int
    kind: str
    client_ms: int | None = None
    received_at: datetime = moment()

    __table_args__ = (CheckConstraint("kind IN ('decided', 'back', 'hidden', 'shown')", name="kind"),)


class Mark(SQLModel, table=True):
    """An exclusion rule, with its version, that a closed round falls under."""

    round_id: str = Field(foreign_key="round.id", primary_key=True)
    rule: str = Field(primary_key=True)
    marked_at: datetime = moment()


class Standing(SQLModel, table=True):
    """Totals of a player on a board; kept by the transaction that closes a round.

    `genre` is empty on the board over all genres, `season` on the one over all time; others
    are months (`2026-12`) and ISO weeks (`2026-W49`) in UTC. `n_0` to `n_5` count rounds by
    counted points, `n_capped` those that a streak holds at 1.30. `is_listed` says whether
    others see the line: not that of a player who wants to be on no board, nor of one who has
    not played for long. All but that can be computed again from `round` and `mark`.
    """

    player_id: str = Field(foreign_key="player.id", primary_key=True)
    kind: str = Field(primary_key=True)
    mode: str = Field(primary_key=True)
    genre: str = Field(primary_key=True)
    season: str = Field(primary_key=True)
    points: int
    n_0: int = 0
    n_1: int = 0
    n_2: int = 0
    n_3: int = 0
    n_4: int = 0
    n_5: int = 0
    n_capped: int = 0
    rounds: int
    mean: float
    lower: float
    upper: float
    lazy_line: float
    last_at: datetime = moment()
    is_listed: bool = True

    __table_args__ = (
        CheckConstraint("kind IN ('open', 'rated')", name="kind"),
        Index(
            "ix_standing_ranked",
            "kind",
            "mode",
            "genre",
            "season",
            "lower",
            "player_id",
            "lazy_line",
            "last_at",
            "is_listed",
            sqlite_where=text("lower > lazy_line AND is_listed = 1"),
            postgresql_where=text("lower > lazy_line AND is_listed"),
        ),
        Index(
            "ix_standing_unranked",
            "kind",
            "mode",
            "genre",
            "season",
            "rounds",
            "player_id",
            sqlite_where=text("lower <= lazy_line AND is_listed = 1"),
            postgresql_where=text("lower <= lazy_line AND is_listed"),
        ),
        Index(
            "ix_standing_last_at",
            "last_at",
            sqlite_where=text("is_listed = 1 AND season = ''"),
            postgresql_where=text("is_listed AND season = ''"),
        ),
    )


class RatingRow(SQLModel, table=True):
    """How strong a player is, or how hard a passage, in a mode (Glicko-2); `rounds` moved it."""

    __tablename__ = "rating"  # pyright: ignore[reportAssignmentType]

    kind: str = Field(primary_key=True)
    subject_id: str = Field(primary_key=True)
    mode: str = Field(primary_key=True)
    mean: float
    deviation: float
    volatility: float
    rounds: int
    moved_at: datetime = moment()

    __table_args__ = (
        CheckConstraint("kind IN ('player', 'passage')", name="kind"),
        CheckConstraint("deviation > 0", name="deviation"),
    )
