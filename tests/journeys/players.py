"""Players who come through the API."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import httpx2

from tests.journeys.server import Server
from tests.journeys.steps import MODE

BOUNDARY = "SELECT boundary FROM passage JOIN round ON passage.id = passage_id WHERE round.id = :id"
LAST = 10


class Player:
    """Somebody with a token."""

    def __init__(self, server: Server, client: httpx2.Client) -> None:
        """Play on a server with a client that holds the token."""
        self._server = server
        self._client = client

    def find(self, genre: str, *, late: Sequence[int]) -> None:
        """Play rounds; in each, find the boundary so many sentences late."""
        for sentences in late:
            round_id = self._start(genre)
            self._guess(round_id, min(self._server.value(BOUNDARY, id=round_id) + sentences, LAST))

    def repeat(self, guess: int, genre: str, *, rounds: int) -> None:
        """Play rounds and give the same answer in each."""
        for _ in range(rounds):
            self._guess(self._start(genre), guess)

    def _start(self, genre: str) -> str:
        return str(self._client.post("/rounds", json={"mode": MODE, "genre": genre}).json()["id"])

    def _guess(self, round_id: str, guess: int) -> None:
        for turn, move in enumerate(moves_to(guess)):
            self._client.post(f"/rounds/{round_id}/moves/{turn}", json=move).raise_for_status()


def moves_to(guess: int) -> list[dict[str, object]]:
    """Return the moves that end in a guess."""
    call, reason = ("human", "voice") if guess == LAST else ("machine", "generic")
    reading_on: list[dict[str, object]] = [{"call": "human"}] * (min(guess, LAST - 1) - 1)
    return [*reading_on, {"call": call, "reasons": [reason]}]


@contextmanager
def joining(server: Server) -> Iterator[Player]:
    """Come as a guest."""
    with httpx2.Client(base_url=f"{server.address}/api/v1") as client:
        token = client.post("/guests").json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        yield Player(server, client)
