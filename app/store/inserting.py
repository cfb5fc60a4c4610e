"""Inserting without looking first: the database is the referee."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_once(db: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its key is taken; say whether it was inserted."""
    return db.execute(_statement(table, db.dialect.name), row).rowcount == 1


def upsert(db: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write whole rows, over those of the same key."""
    db.execute(_upsert(table, db.dialect.name), list(rows))


def increase(db: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows; where the key is there already, its other columns grow by the row's."""
    db.execute(_increase(table, db.dialect.name), list(rows))


@cache
def _statement(table: Table, dialect: str) -> Any:
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


@cache
def _upsert(table: Table, dialect: str) -> Any:
    insert = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    return insert.on_conflict_do_update(
        index_elements=_key(table),
        set_={column.name: insert.excluded[column.name] for column in _rest(table)},
    )


@cache
def _increase(table: Table, dialect: str) -> Any:
    insert = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(table)
    return insert.on_conflict_do_update(
        index_elements=_key(table),
        set_={column.name: column + insert.excluded[column.name] for column in _rest(table)},
    )


def _key(table: Table) -> list[str]:
    return sorted(column.name for column in table.primary_key)


def _rest(table: Table) -> list[Any]:
    return [column for column in table.columns if not column.primary_key]
