"""One site for all tests of a module: each of them brings its own players."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.main import create_app
from app.store.database import Database
from tests.conftest import Clock, Person, person
from tests.stocking import Contents, contents, full_deck, settings_for, stocked

HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}


@dataclass
class Seat:
    """A player with a round, on the API and on the pages."""

    player: Person
    round_id: str

    @property
    def api(self) -> str:
        """The address of the round in the API."""
        return f"/api/v1/rounds/{self.round_id}"

    @property
    def page(self) -> str:
        """The address of its page."""
        return f"/rounds/{self.round_id}"

    def play(self, *moves: dict[str, Any]) -> "Seat":
        """Play the first turns."""
        for turn, move in enumerate(moves):
            assert self.player.api.post(f"{self.api}/moves/{turn}", json=move).status_code == 200
        return self

    def call(self, turn: int | str, **options: Any) -> Any:
        """Send a move to the API."""
        return self.player.api.post(f"{self.api}/moves/{turn}", **options)

    def press(self, turn: int | str, **options: Any) -> Any:
        """Send a move from the page."""
        return self.player.pages.post(f"{self.page}/moves/{turn}", **options)


@dataclass
class Arena:
    """A site of ten passages in each of three genres."""

    site: FastAPI
    database: Database
    client: TestClient
    _numbers: Iterator[int] = field(default_factory=count)

    def newcomer(self) -> Person:
        """Return somebody who has never played; all share one event loop, which saves time."""
        player = person(self.site, f"n{next(self._numbers)}x")
        player.api.portal = player.pages.portal = self.client.portal
        return player

    def seat(self, genre: str = "speeches") -> Seat:
        """Return somebody with a new round."""
        player = self.newcomer()
        reply = player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre})
        return Seat(player, reply.json()["id"])

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Fail if anything is written meanwhile."""
        before: Contents = contents(self.database)
        yield
        assert contents(self.database) == before


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def arena(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A site on each kind of database."""
    settings = settings_for(tmp_path_factory.mktemp("arena"), request.param, request)
    database = stocked(settings, full_deck())
    site = create_app(settings, database, now=Clock(), rng=Random(7))
    with TestClient(site) as client:
        yield Arena(site, database, client)
    database.close()


def problem(reply: Any) -> tuple[int, str]:
    """Return status and rule of a refusal by the API, and check its form (RFC 9457)."""
    told = reply.json()
    assert reply.headers["content-type"] == "application/problem+json"
    assert set(told) == {"type", "title", "status", "detail"}
    assert told["status"] == reply.status_code
    assert all(told.values())
    return reply.status_code, told["type"]
