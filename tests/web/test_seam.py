"""The seam cannot be sniffed: until two texts differ on the screen, no reply does, in no byte."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from game.passage import LENGTH, Author, Sentence
from game.records import GeneratorRecord, PassageRecord, SentenceRecord, Source, content_id
from tests.factories import AUTHORS
from tests.stocking import settings_for
from tests.web.talking import PART, RESTORE, Reply, Visit, differences, visiting

GENRE = "speeches"
HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}
WRONG_MOVES: tuple[Any, ...] = (
    {"call": "machine"},
    {"call": "machine", "reasons": ["voice"]},
    {"call": "machine", "reasons": ["other"]},
    {"call": "human", "reasons": ["generic"]},
    {"call": "human", "points": 5},
    {"call": "robot"},
)
START = {"mode": "boundary", "genre": GENRE}
LAST_TURN = LENGTH - 2
LISTS = (
    "genres",
    "modes",
    "generators",
    "leaderboard",
    f"leaderboard?genre={GENRE}",
    "leaderboard?genre=nowhere",
)
MENUS = ("/", "/play", "/leaderboard", f"/leaderboard?genre={GENRE}", "/generators", "/guide", "/nowhere")
DRAFTS = ("", "?call=machine", "?call=human", "?call=machine&reasons=generic&note=hm", "?call=robot")

Talk = Callable[[Visit, int, int], None]


@dataclass(frozen=True)
class Pair:
    """Two passages that read the same up to the sentence with index `same`, whoever wrote it.

    `boards` name their authors. The second one goes on at length, with markup, from another
    document and another model.
    """

    boards: tuple[str, str]
    same: int

    @property
    def turns(self) -> int:
        """How many turns show nothing but what they share: turn 0 shows the indices 0 and 1."""
        return self.same

    @property
    def records(self) -> tuple[PassageRecord, PassageRecord]:
        """The passages."""
        one, other = self.boards
        return (
            _record(one, lambda index: f"Sentence {index} is short."),
            _record(other, self._other_text, model="an-entirely-different-model"),
        )

    def _other_text(self, index: int) -> str:
        if index <= self.same:
            return f"Sentence {index} is short."
        return f"<b>Line {index}</b> & more.\n" * 20 + "The boundary lies elsewhere, say all machines."


def _record(board: str, text: Callable[[int], str], model: str = "toy") -> PassageRecord:
    sentences = tuple(Sentence(text(index), AUTHORS[letter]) for index, letter in enumerate(board))
    authors = {one.author for one in sentences}
    name = "splice" if Author.OTHER in authors else "transformers"
    generator = None if authors == {Author.HUMAN} else GeneratorRecord(name=name, model=model)
    return PassageRecord(
        id=content_id(sentences, generator),
        genre=GENRE,
        sentences=tuple(SentenceRecord(text=one.text, author=one.author) for one in sentences),
        source=Source(corpus="toy", document=f"toy/{model}", title=model, licence="CC0-1.0", offsets=()),
        generator=generator,
        licence="CC0-1.0" if model == "toy" else "CC-BY-4.0",
    )


def _board(boundary: int, after: str = "M") -> str:
    return "H" * boundary + after * (LENGTH - boundary)


ALL_HUMAN = _board(10)
PAIRS = [
    *[Pair((_board(same), ALL_HUMAN), same) for same in range(1, 10)],  # the sentence judged last: whose?
    *[Pair((_board(same + 1), ALL_HUMAN), same) for same in (1, 4, 8)],  # the seam comes right after it
    *[Pair((ALL_HUMAN, _board(same + 1)), same) for same in (1, 8)],
    Pair((_board(1), ALL_HUMAN), 9),  # every sentence the same, every author another
    Pair((_board(1), _board(9)), 9),
    Pair((_board(5), _board(5, "O")), 9),  # a switched round
    Pair((_board(3, "O"), ALL_HUMAN), 6),
    Pair((_board(4), _board(4)), 4),  # only what is still hidden differs
]


def over_api(guest: Visit, turns: int, since: int) -> None:
    """Play the first turns over the API; try everything in those from `since` on."""
    token = guest.random(guest.ask("POST", "/api/v1/guests").json()["token"])
    guest.client.headers["Authorization"] = f"Bearer {token}"
    guest.round_id = guest.random(guest.ask("POST", "/api/v1/rounds", json=START).json()["id"])
    address = f"/api/v1/rounds/{guest.round_id}"
    for turn in range(turns):
        guest.get(address)
        if turn >= since:
            _call_everything(guest, address, turn)
        if turn < turns - 1:
            guest.ask("POST", f"{address}/moves/{turn}", json={**HUMAN, "client_ms": 9})
    guest.get(address)


def _call_everything(guest: Visit, address: str, turn: int) -> None:
    guest.ask("POST", "/api/v1/rounds", json=START)
    for path in LISTS:
        guest.get(f"/api/v1/{path}")
    guest.get(address.replace("rounds/", "rounds/0"))
    for number in (turn + 1, -1, "x", 99):
        guest.ask("POST", f"{address}/moves/{number}", json=HUMAN)
    for move in (*WRONG_MOVES, [], None, *([HUMAN] if turn == LAST_TURN else [])):
        guest.ask("POST", f"{address}/moves/{turn}", json=move)
    for kind in ("decided", "back", "hidden", "sniffed"):
        guest.ask("POST", f"{address}/events", json=[{"kind": kind, "turn": turn, "client_ms": 5}])
    for move in (HUMAN, MACHINE) if turn else ():
        guest.ask("POST", f"{address}/moves/{turn - 1}", json=move)


def over_pages(guest: Visit, turns: int, since: int) -> None:
    """Play the first turns on the pages; press every button in those from `since` on."""
    address = guest.ask("POST", "/rounds", data=START).headers["location"]
    guest.random(guest.client.cookies["roft"])
    guest.round_id = guest.random(address.removeprefix("/rounds/"))
    for turn in range(turns):
        guest.get(address)
        if turn >= since:
            _look_everywhere(guest, address)
            for headers in ({}, PART):
                _press_every_button(guest, address, turn, headers)
        if turn < turns - 1:
            guest.ask("POST", f"{address}/moves/{turn}", data=HUMAN, headers=PART if turn % 2 else {})
    guest.get(address)


def _look_everywhere(guest: Visit, address: str) -> None:
    guest.ask("POST", "/rounds", data=START)
    for path in MENUS:
        guest.get(path)
    for query in DRAFTS:
        guest.get(address + query)
    guest.get(address, RESTORE)


def _press_every_button(guest: Visit, address: str, turn: int, headers: dict[str, str]) -> None:
    guest.get(address, headers)
    for number in (turn + 1, -1, "x"):
        guest.ask("POST", f"{address}/moves/{number}", data=HUMAN, headers=headers)
    for move in (*WRONG_MOVES, {}, *([HUMAN] if turn == LAST_TURN else [])):
        guest.ask("POST", f"{address}/moves/{turn}", data=move, headers=headers)
    for kind in ("decided", "back", "hidden", "sniffed"):
        fields = {"kind": kind, "turn": turn, "call": "machine"}
        guest.ask("POST", f"{address}/events", data=fields, headers=headers)
    for move in (HUMAN, MACHINE) if turn else ():
        guest.ask("POST", f"{address}/moves/{turn - 1}", data=move, headers=headers)


@contextmanager
def both(pair: Pair, folder: Path, request: Any, kind: str = "sqlite", behind: Any = None) -> Iterator[Any]:
    """Open two sites, one for each passage of the pair; `behind` wraps the second."""
    homes = [folder / "one", folder / "other"]
    for home in homes:
        home.mkdir()
    one, other = (settings_for(home, kind, request) for home in homes)
    with visiting(pair.records[0], one) as here, visiting(pair.records[1], other, behind=behind) as there:
        yield here, there


def heard(talk: Talk, visits: Any, turns: int, since: int = 0) -> list[list[Reply]]:
    """Have the same talk on both sites."""
    for guest in visits:
        talk(guest, turns, since)
    return [guest.replies() for guest in visits]


TALKS = pytest.mark.parametrize("talk", [over_api, over_pages])


@TALKS
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{'/'.join(pair.boards)} to {pair.same}")
def test_no_byte_tells_two_texts_apart_that_read_the_same_so_far(
    pair: Pair, talk: Talk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with both(pair, tmp_path, request) as visits:
        assert not differences(*heard(talk, visits, pair.turns, since=pair.turns - 1))


@TALKS
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_byte_of_a_whole_round_tells_who_wrote_the_text(
    kind: str, talk: Talk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with both(Pair((_board(1), ALL_HUMAN), 9), tmp_path, request, kind) as visits:
        assert not differences(*heard(talk, visits, 9))


@pytest.mark.parametrize(
    ("talk", "statuses"),
    [(over_api, {200, 201, 204, 404, 409, 422}), (over_pages, {200, 303, 404, 409, 422})],
)
def test_the_talk_meets_every_kind_of_reply_and_no_answer(
    talk: Talk, statuses: set[int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with both(Pair((_board(1), ALL_HUMAN), 9), tmp_path, request) as visits:
        one, _ = heard(talk, visits, 9, since=7)

    assert {reply.status for reply in one} == statuses
    assert b"Sentence 9 is short." in one[-1].body
    assert not [reply for reply in one if b"CC0-1.0" in reply.body or b'"boundary":' in reply.body]


@TALKS
@pytest.mark.parametrize("same", [1, 5, 8])
def test_the_next_turn_does_tell_them_apart_so_the_ear_is_good(
    same: int, talk: Talk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pair = Pair((_board(same), ALL_HUMAN), same)
    with both(pair, tmp_path, request) as visits:
        found = differences(*heard(talk, visits, pair.turns + 1, since=pair.turns))

    assert all("Sentence" in one or "content-length" in one for one in found)
    assert [one for one in found if "body" in one]


def whispering(headers: dict[str, str], body: bytes = b"") -> Callable[[ASGIApp], ASGIApp]:
    """Return a wrapper that adds to the replies about a round."""

    def wrap(site: ASGIApp) -> ASGIApp:
        async def whisperer(scope: Scope, receive: Receive, send: Send) -> None:
            async def louder(message: Message) -> None:
                if message["type"] == "http.response.start" and "/rounds/" in scope["path"]:
                    MutableHeaders(scope=message).update(headers)
                elif message["type"] == "http.response.body" and "/rounds/" in scope["path"]:
                    message["body"] += body if not message.get("more_body") else b""
                await send(message)

            await site(scope, receive, louder if scope["type"] == "http" else send)

        return whisperer

    return wrap


@TALKS
@pytest.mark.parametrize("leak", [whispering({"X-Seam": "4"}), whispering({"content-language": "en"})])
def test_one_header_more_is_heard(
    leak: Any, talk: Talk, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with both(Pair((_board(1), ALL_HUMAN), 2), tmp_path, request, behind=leak) as visits:
        assert [one for one in differences(*heard(talk, visits, 2)) if ": headers: " in one]


REPLY = Reply("GET /", 200, ((b"content-length", b"9"),), b"A lamp. A")


@pytest.mark.parametrize(
    "other",
    [
        [],
        [REPLY, REPLY],
        [replace(REPLY, body=b"A lamp. B")],
        [replace(REPLY, status=201)],
        [replace(REPLY, headers=((b"Content-Length", b"9"),))],
        [replace(REPLY, headers=((b"content-length", b"10"),))],
        [replace(REPLY, headers=(*REPLY.headers, (b"etag", b"1")))],
    ],
)
def test_any_planted_difference_is_heard(other: list[Reply]) -> None:
    assert differences([REPLY], other)
    assert not differences([REPLY], [REPLY])
