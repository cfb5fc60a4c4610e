"""Databases that tests fill themselves, and everything that stands in one."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text

from app.services.importing import import_passages
from app.settings import Settings
from app.store.database import Database
from app.store.migrating import upgrade
from app.store.players import Claim
from app.web.tokens import Tokens
from game.records import PassageRecord
from tests.factories import no_pointers, record

SECRET = "a secret of the tests, long enough for the rule"
MIGRATED = "migrated"
BARE = "template1"
GENRES = ("recipes", "speeches", "stories")
IMPORTED = datetime(2026, 12, 1, tzinfo=UTC)
PLAYED = {
    "player": "id",
    "round": "id",
    "move": "round_id, number",
    "event": "id",
    "mark": "round_id, rule",
    "standing": "player_id, kind, mode, genre, season",
}
"""The tables that playing writes, and their keys."""

Contents = dict[str, list[Any]]


def full_deck(*, each: int = 1, genres: Iterable[str] = GENRES) -> list[PassageRecord]:
    """Return genres that hold every boundary the same number of times."""
    return [
        record(boundary=boundary, genre=genre, salt=f"{genre}{boundary}-{copy}")
        for genre in genres
        for boundary in range(1, 11)
        for copy in range(each)
    ]


def settings_for(home: Path, kind: str, request: pytest.FixtureRequest) -> Settings:
    """Return the settings of a site on a new, migrated and empty database of that kind."""
    file = home / "roft.db"
    if kind == "postgresql":
        url = new_postgresql(request.getfixturevalue("postgresql_server"))
    else:
        url = f"sqlite:///{file}"
        file.write_bytes(_migrated_sqlite())
    return Settings(home=home, database_url=url, secret=SecretStr(SECRET), durability="normal")


def stocked(settings: Settings, deck: Iterable[PassageRecord], *, slug: str = "starter") -> Database:
    """Return the database of these settings with that deck."""
    database = Database(settings.url, durability="normal")
    lines = [one.model_dump_json() for one in deck]
    with database.write() as db:
        import_passages(db, lines, resolve=no_pointers, deck=slug, now=IMPORTED)
    return database


def new_postgresql(server: str, template: str = MIGRATED) -> str:
    """Copy a database of a server, which is faster than migrating anew, and return its address."""
    return create_postgresql(server, f"roft_{os.urandom(6).hex()}", template)


def create_postgresql(server: str, name: str, template: str = BARE) -> str:
    """Create a database with that name as a copy of another, and return its address."""
    admin = create_engine(
        server.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
    )
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {template}"))
    admin.dispose()
    head, _, query = server.partition("?")
    return f"{head.rsplit('/', 1)[0]}/{name}" + (f"?{query}" if query else "")


@cache
def _migrated_sqlite() -> bytes:
    """Return an empty SQLite database with every migration run; copying it is faster than that."""
    with TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/empty.db", durability="normal")
        upgrade(database)
        database.close()
        return Path(folder, "empty.db").read_bytes()


def contents(database: Database) -> Contents:
    """Return every row that playing has written."""
    with database.read() as db:
        return {
            name: list(db.exec_driver_sql(f"SELECT * FROM {name} ORDER BY {key}"))  # noqa: S608
            for name, key in PLAYED.items()
        }


def rows(database: Database, query: str, **values: object) -> list[Any]:
    """Return what a query finds; JSON comes as it is stored on SQLite, read on PostgreSQL."""
    with database.read() as db:
        return [dict(row) for row in db.execute(text(query), values).mappings()]


def column(database: Database, query: str, **values: object) -> list[Any]:
    """Return the first column that a query finds."""
    with database.read() as db:
        return list(db.execute(text(query), values).scalars())


def token_of(player_id: str) -> str:
    """Return the token of a player with that id."""
    return Tokens(SECRET).sign(Claim(player_id, f"{player_id}-1000"))
