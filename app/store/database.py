"""One request, one transaction: `read()` and `write()` commit when their block ends."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

BUSY_SECONDS = 30
"""How long a transaction waits for its turn before it gives up."""


class Database:
    """A database of the site: SQLite by default, PostgreSQL where there is load.

    SQLite has one writer at a time. Its write transactions share a pool of one
    connection, so that those of this process wait in line instead of polling, and they
    begin IMMEDIATE, so that none of them reads first and fails to write later.
    """

    def __init__(self, url: str, *, durability: str = "full") -> None:
        """Open the pools; connections are made when they are needed."""
        self.url = url
        if url.startswith("sqlite"):
            self._reader = _sqlite_engine(url, "DEFERRED", durability, size=8)
            self._writer = _sqlite_engine(url, "IMMEDIATE", durability, size=1)
            self._glancer = _sqlite_engine(url, None, durability, size=8)
        else:
            self._reader = self._writer = create_engine(
                url, pool_size=20, max_overflow=0, pool_timeout=BUSY_SECONDS
            )
            self._glancer = self._reader.execution_options(isolation_level="AUTOCOMMIT")

    @property
    def engine(self) -> Engine:
        """The engine that may write, for migrations."""
        return self._writer

    @contextmanager
    def read(self) -> Generator[Connection]:
        """Open a transaction that only reads."""
        with self._reader.begin() as connection:
            yield connection

    @contextmanager
    def glance(self) -> Generator[Connection]:
        """Open a connection for one statement that reads; without a transaction it costs half."""
        with self._glancer.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Generator[Connection]:
        """Open a transaction; it is committed when the block ends and undone when it raises."""
        with self._writer.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every connection."""
        for engine in (self._reader, self._writer, self._glancer):
            engine.dispose()


def _sqlite_engine(url: str, begin: str | None, durability: str, *, size: int) -> Engine:
    engine = create_engine(
        url,
        pool_size=size,
        max_overflow=0,
        pool_timeout=BUSY_SECONDS,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")  # REPLACE is refused like DELETE
        connection.execute(f"PRAGMA synchronous = {durability}")

    if begin is not None:

        @event.listens_for(engine, "begin")
        def _on_begin(connection: Any) -> None:
            connection.exec_driver_sql(f"BEGIN {begin}")

    return engine
