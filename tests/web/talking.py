"""Two sites of one passage each, the same talk with both, and what differs in the replies."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.main import create_app
from app.settings import Settings
from game.records import PassageRecord
from tests.conftest import Clock
from tests.stocking import stocked

PART = {"HX-Request": "true"}
RESTORE = {"HX-Request": "true", "HX-History-Restore-Request": "true"}


@dataclass(frozen=True)
class Reply:
    """Everything that comes over the wire, ids and tokens blotted out."""

    asked: str
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


def differences(one: Sequence[Reply], other: Sequence[Reply]) -> list[str]:
    """Say where two talks differ, byte for byte."""
    found = [] if len(one) == len(other) else [f"{len(one)} replies, {len(other)} replies"]
    for mine, yours in zip(one, other, strict=False):
        for part in ("asked", "status", "headers", "body"):
            left, right = getattr(mine, part), getattr(yours, part)
            if left != right:
                found.append(f"{mine.asked}: {part}: {left!r} is not {right!r}")
    return found


@dataclass
class Visit:
    """Somebody new on a site that holds one passage; keeps every reply."""

    client: TestClient
    round_id: str = ""
    _kept: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])
    _random: list[str] = field(default_factory=list[str])

    def ask(self, method: str, path: str, **options: Any) -> Any:
        """Send a request and keep the reply."""
        reply = self.client.request(method, path, **options)
        self._kept.append((f"{len(self._kept)}: {method} {path} {options}", reply))
        return reply

    def get(self, path: str, headers: dict[str, str] | None = None) -> Any:
        """Ask for a page, a part or a list."""
        return self.ask("GET", path, headers=headers)

    def random(self, value: str) -> str:
        """Learn of an id or token that is random, and of no other length than any."""
        self._random.append(value)
        return value

    def replies(self) -> list[Reply]:
        """Return what was said, each random value replaced by as many zeros."""
        return [
            Reply(
                asked=self._clean(asked.encode()).decode(),
                status=reply.status_code,
                headers=tuple((name, self._clean(value)) for name, value in reply.headers.raw),
                body=self._clean(reply.content),
            )
            for asked, reply in self._kept
        ]

    def _clean(self, data: bytes) -> bytes:
        for value in self._random:
            data = data.replace(value.encode(), b"0" * len(value))
        return data


@contextmanager
def visiting(record: PassageRecord, settings: Settings, *, behind: Any = None) -> Iterator[Visit]:
    """Open a site with one passage; clock and dice are the same on every such site.

    `behind` wraps the site, for tests that plant a difference.
    """
    database = stocked(settings, [record])
    site: ASGIApp = create_app(settings, database, now=Clock(), rng=Random(11))
    with TestClient(behind(site) if behind else site, follow_redirects=False) as client:
        yield Visit(client)
    database.close()
