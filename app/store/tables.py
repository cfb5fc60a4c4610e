"""All tables. Rules do not see them; migrations and the store do.

Triggers (in the migrations) refuse what a constraint cannot: `passage`, `move`, `event`,
`mark` and `batch` are append-only, a closed `round` and an ended `build` never change, and
a `move` follows the one before it in an open round.
"""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, DateTime, Index, Table, UniqueConstraint, text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

metadata = SQLModel.metadata
metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Moment(TypeDecorator[datetime]):
    """An aware time in UTC; SQLite forgets the zone, so it is given back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Return the time with its zone."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def _moment(*, nullable: bool = False) -> Any:
    return Field(sa_type=Moment, nullable=nullable)


def _json(*, nullable: bool = False) -> Any:
    return Field(sa_type=JSON(none_as_null=True), nullable=nullable)


class Player(SQLModel, table=True):
    """A person; guests are written when their first round starts."""

    id: str = Field(primary_key=True)
    handle: str = Field(unique=True)
    role: str = "guest"
    created_at: datetime = _moment()

    __table_args__ = (
        CheckConstraint("role IN ('guest', 'player', 'instructor', 'researcher', 'admin')", name="role"),
    )


class SignInKey(SQLModel, table=True):
    """A key that signs a player in once; only its sha-256 is kept."""

    __tablename__ = "sign_in_key"  # pyright: ignore[reportAssignmentType]

    sha256: str = Field(primary_key=True)
    player_id: str = Field(foreign_key="player.id")
    made_at: datetime = _moment()
    used_at: datetime | None = _moment(nullable=True)


class Deck(SQLModel, table=True):
    """A set of passages; the answers of an open deck are public, a retired one is not served."""

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(unique=True)
    kind: str
    created_at: datetime = _moment()
    retired_at: datetime | None = _moment(nullable=True)

    __table_args__ = (CheckConstraint("kind IN ('open', 'rated')", name="kind"),)


class PassageRow(SQLModel, table=True):
    """A passage as imported; `id` is the sha-256 of its content."""

    __tablename__ = "passage"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    genre: str
    boundary: int
    sentences: list[Any] = _json()
    mode_data: dict[str, Any] | None = _json(nullable=True)
    source: dict[str, Any] = _json()
    other: dict[str, Any] | None = _json(nullable=True)
    generator: dict[str, Any] | None = _json(nullable=True)
    licence: str
    imported_at: datetime = _moment()


class DeckPassage(SQLModel, table=True):
    """Membership of a passage in a deck."""

    __tablename__ = "deck_passage"  # pyright: ignore[reportAssignmentType]

    deck_id: int = Field(foreign_key="deck.id", primary_key=True)
    genre: str = Field(primary_key=True)
    passage_id: str = Field(foreign_key="passage.id", primary_key=True)


class LazyLine(SQLModel, table=True):
    """What the best answer that ignores the text earns per round, by deck and genre."""

    __tablename__ = "lazy_line"  # pyright: ignore[reportAssignmentType]

    deck_id: int = Field(foreign_key="deck.id", primary_key=True)
    genre: str = Field(primary_key=True)
    points: float


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
    policy: dict[str, Any] = _json()
    started_at: datetime = _moment()
    closed_at: datetime | None = _moment(nullable=True)
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
    form: dict[str, Any] = _json()
    shown_at: datetime = _moment()
    decided_at: datetime = _moment()
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
    received_at: datetime = _moment()

    __table_args__ = (CheckConstraint("kind IN ('decided', 'back', 'hidden', 'shown')", name="kind"),)


class Mark(SQLModel, table=True):
    """An exclusion rule, with its version, that a closed round falls under."""

    round_id: str = Field(foreign_key="round.id", primary_key=True)
    rule: str = Field(primary_key=True)
    marked_at: datetime = _moment()


class Standing(SQLModel, table=True):
    """Totals of a player on a board; kept by the transaction that closes a round.

    `genre` is empty on the board over all genres. `n_0` to `n_5` count rounds by
    counted points, `n_capped` those that a streak holds at 1.30. Everything here can be
    computed again from `round` and `mark`.
    """

    player_id: str = Field(foreign_key="player.id", primary_key=True)
    kind: str = Field(primary_key=True)
    mode: str = Field(primary_key=True)
    genre: str = Field(primary_key=True)
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

    __table_args__ = (
        CheckConstraint("kind IN ('open', 'rated')", name="kind"),
        Index(
            "ix_standing_ranked",
            "kind",
            "mode",
            "genre",
            "lower",
            "player_id",
            "lazy_line",
            sqlite_where=text("lower > lazy_line"),
            postgresql_where=text("lower > lazy_line"),
        ),
        Index(
            "ix_standing_unranked",
            "kind",
            "mode",
            "genre",
            "rounds",
            "player_id",
            sqlite_where=text("lower <= lazy_line"),
            postgresql_where=text("lower <= lazy_line"),
        ),
    )


class BuildRow(SQLModel, table=True):
    """One carrying-out of a plan: who asked for it, how far it is, what came of it.

    `plan` is the plan file; `outline` what it asks for, a list of conditions; `progress`
    how far the worker is. `attempts` counts those that made nothing new; `holder` tells the
    present one from any before it. On SQLite the rows are the queue, each from `not_before` on.
    """

    __tablename__ = "build"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    player_id: str = Field(foreign_key="player.id")
    title: str
    plan: str
    outline: list[Any] = _json()
    status: str = "waiting"
    submitted_at: datetime = _moment()
    begun_at: datetime | None = _moment(nullable=True)
    ended_at: datetime | None = _moment(nullable=True)
    attempts: int = 0
    holder: str | None = None
    not_before: datetime | None = _moment(nullable=True)
    cancel_asked_at: datetime | None = _moment(nullable=True)
    sentence: str | None = None
    progress: dict[str, Any] | None = _json(nullable=True)
    manifest: dict[str, Any] | None = _json(nullable=True)

    __table_args__ = (
        CheckConstraint(
            "status IN ('waiting', 'running', 'done', 'failed', 'cancelled')",
            name="status",
        ),
        CheckConstraint("(ended_at IS NULL) = (status IN ('waiting', 'running'))", name="ended"),
        Index("ix_build_submitted_at", "submitted_at"),
    )


class BatchRow(SQLModel, table=True):
    """What a model wrote in one call; `key` is the hash of all that it depends on."""

    __tablename__ = "batch"  # pyright: ignore[reportAssignmentType]

    key: str = Field(primary_key=True)
    texts: list[Any] = _json()
    tokens: int
    seconds: float
    made_at: datetime = _moment()


class BuildPassage(SQLModel, table=True):
    """A passage that a build kept, and under which condition of its outline."""

    __tablename__ = "build_passage"  # pyright: ignore[reportAssignmentType]

    build_id: str = Field(foreign_key="build.id", primary_key=True)
    condition: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    passage_id: str = Field(foreign_key="passage.id")


def table_of(model: type[SQLModel]) -> Table:
    """Return the Core table of a model."""
    return model.__table__  # type: ignore[attr-defined, no-any-return]
