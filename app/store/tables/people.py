"""People: who they are on the site, how they sign in, what they agreed to."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from app.store.tables.base import moment


class Player(SQLModel, table=True):
    """A person; guests are written when their first round starts.

    `skeleton` is the handle with look-alikes folded together; `board` says how the player
    stands on boards, `shows_rating` whether they want to see their rating. Of an erased player
    this row stays only where something refers to it that must stay.
    """

    id: str = Field(primary_key=True)
    handle: str = Field(unique=True)
    role: str = "guest"
    created_at: datetime = moment()
    skeleton: str
    board: str = "named"
    shows_rating: bool = True
    erased_at: datetime | None = moment(nullable=True)

    __table_args__ = (
        CheckConstraint("role IN ('guest', 'player', 'instructor', 'researcher', 'admin')", name="role"),
        CheckConstraint("board IN ('named', 'anonymous', 'off')", name="board"),
        Index("uq_player_skeleton", "skeleton", unique=True),
    )


class Merger(SQLModel, table=True):
    """A guest whose rounds an account took over; of a passage in both, the later stays behind."""

    guest_id: str = Field(foreign_key="player.id", primary_key=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    merged_at: datetime = moment()


class FormerHandle(SQLModel, table=True):
    """A handle that its owner gave up; nobody else gets it while they are here."""

    __tablename__ = "former_handle"  # pyright: ignore[reportAssignmentType]

    skeleton: str = Field(primary_key=True)
    handle: str
    player_id: str = Field(foreign_key="player.id", index=True)
    given_up_at: datetime = moment()


class Account(SQLModel, table=True):
    """What makes a guest somebody who can come back; `email` is folded, and proven when confirmed."""

    player_id: str = Field(foreign_key="player.id", primary_key=True)
    password_hash: str | None = None
    email: str | None = None
    email_confirmed_at: datetime | None = moment(nullable=True)
    made_at: datetime = moment()

    __table_args__ = (
        Index(
            "uq_account_email",
            "email",
            unique=True,
            sqlite_where=text("email_confirmed_at IS NOT NULL"),
            postgresql_where=text("email_confirmed_at IS NOT NULL"),
        ),
    )


class Identity(SQLModel, table=True):
    """Somebody's name at a provider of OpenID Connect."""

    issuer: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    made_at: datetime = moment()


class SessionRow(SQLModel, table=True):
    """A browser or script that is signed in; only the sha-256 of its token is kept.

    `way` is how it got in: by password, link, key, provider, or as a token for scripts.
    """

    __tablename__ = "session"  # pyright: ignore[reportAssignmentType]

    sha256: str = Field(primary_key=True)
    id: str = Field(unique=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    device: str
    way: str
    made_at: datetime = moment()
    seen_at: datetime = moment()

    __table_args__ = (
        CheckConstraint("way IN ('password', 'link', 'key', 'provider', 'script')", name="way"),
    )


class SignInKey(SQLModel, table=True):
    """A key that works once, from the shell or by mail; only its sha-256 is kept.

    `purpose`: to sign in, or to prove `email`.
    """

    __tablename__ = "sign_in_key"  # pyright: ignore[reportAssignmentType]

    sha256: str = Field(primary_key=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    purpose: str = "sign-in"
    email: str | None = None
    made_at: datetime = moment()
    used_at: datetime | None = moment(nullable=True)

    __table_args__ = (
        CheckConstraint("purpose IN ('sign-in', 'confirm')", name="purpose"),
        CheckConstraint("(purpose = 'confirm') = (email IS NOT NULL)", name="email"),
    )


class Consent(SQLModel, table=True):
    """What a player agreed to, or took back; the latest row of a purpose stands."""

    id: int | None = Field(default=None, primary_key=True)
    player_id: str = Field(foreign_key="player.id", index=True)
    purpose: str
    granted: bool
    given_at: datetime = moment()

    __table_args__ = (CheckConstraint("purpose IN ('research', 'free-text', 'contact')", name="purpose"),)


class Throttle(SQLModel, table=True):
    """How often something was tried lately; `key` is a hash of what is being guessed at."""

    key: str = Field(primary_key=True)
    since: datetime = moment()
    tries: int
