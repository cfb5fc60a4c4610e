"""Builds of passages."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from app.store.tables.base import json_column, moment


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
    outline: list[Any] = json_column()
    status: str = "waiting"
    submitted_at: datetime = moment()
    begun_at: datetime | None = moment(nullable=True)
    ended_at: datetime | None = moment(nullable=True)
    attempts: int = 0
    holder: str | None = None
    not_before: datetime | None = moment(nullable=True)
    cancel_asked_at: datetime | None = moment(nullable=True)
    sentence: str | None = None
    progress: dict[str, Any] | None = json_column(nullable=True)
    manifest: dict[str, Any] | None = json_column(nullable=True)

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
    texts: list[Any] = json_column()
    tokens: int
    seconds: float
    made_at: datetime = moment()


class BuildPassage(SQLModel, table=True):
    """A passage that a build kept, and under which condition of its outline."""

    __tablename__ = "build_passage"  # pyright: ignore[reportAssignmentType]

    build_id: str = Field(foreign_key="build.id", primary_key=True)
    condition: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    passage_id: str = Field(foreign_key="passage.id")
