"""Inserting without looking first: the database is the referee."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_once(db: Connection, table: Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its key is taken; say whether it was inserted."""
    return db.execute(_statement(table, db.dialect.name), row).rowcount == 1


@cache
def _statement(table: Table, dialect: str) -> Any:
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)
