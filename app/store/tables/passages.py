"""Passages and the decks they are in."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel

from app.store.tables.base import json_column, moment


class Deck(SQLModel, table=True):
    """A set of passages; the answers of an open deck are public, a retired one is not served."""

    id: int | None = Field(default=None, primary_key=True)
    slug: str = Field(unique=True)
    kind: str
    created_at: datetime = moment()
    retired_at: datetime | None = moment(nullable=True)

    __table_args__ = (CheckConstraint("kind IN ('open', 'rated')", name="kind"),)


class PassageRow(SQLModel, table=True):
    """A passage as imported; `id` is the sha-256 of its content."""

    __tablename__ = "passage"  # pyright: ignore[reportAssignmentType]

    id: str = Field(primary_key=True)
    genre: str
    boundary: int
    sentences: list[Any] = json_column()
    mode_data: dict[str, Any] | None = json_column(nullable=True)
    source: dict[str, Any] = json_column()
    other: dict[str, Any] | None = json_column(nullable=True)
    generator: dict[str, Any] | None = json_column(nullable=True)
    licence: str
    imported_at: datetime = moment()


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
