"""What every table is made of."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Table
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


def moment(*, nullable: bool = False) -> Any:
    """Return a column of times."""
    return Field(sa_type=Moment, nullable=nullable)


def json_column(*, nullable: bool = False) -> Any:
    """Return a column of JSON; None is no value, not JSON's null."""
    return Field(sa_type=JSON(none_as_null=True), nullable=nullable)


def table_of(model: type[SQLModel]) -> Table:
    """Return the Core table of a model."""
    return model.__table__  # type: ignore[attr-defined, no-any-return]
