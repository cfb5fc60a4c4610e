"""Nothing a stranger sends breaks the site: every reply is a refusal in form, never a crash."""

import json
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal
from fastapi import FastAPI
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from starlette.types import Message

from tests.web.conftest import HUMAN, Arena, Seat, problem

DEEP = b"[" * 30_000 + b"]" * 30_000
BODIES: dict[str, bytes] = {
    "nothing": b"",
    "space": b" \n",
    "NUL": b"\0",
    "a brace": b"{",
    "half a pair": b'{"call"',
    "two values": b"{}{}",
    "trailing comma": b'{"call": "human",}',
    "unquoted": b"{call: human}",
    "single quotes": b"{'call': 'human'}",
    "a comment": b'{"call": "human"} // please',
    "a number": b"5",
    "a long number": b"1" * 60_000,
    "a huge exponent": b'{"client_ms": 1e999999, "call": "human"}',
    "a text": b'"human"',
    "true": b"true",
    "null": b"null",
    "NaN": b"NaN",
    "a list": b'["call", "human"]',
    "a list of nulls": b"[null]",
    "a nested move": b'{"call": {"call": "human"}}',
    "deep lists": DEEP,
    "deep lists inside": b'{"call": ' + DEEP + b"}",
    "deep but allowed": b'{"call": ' + b"[" * 150 + b"]" * 150 + b"}",
    "a name that is no text": b'{"\\ud800": 1}',
    "a name with NUL": b'{"\\u0000": 1}',
    "the empty name": b'{"": 1}',
    "many names": json.dumps({f"name{number}": 1 for number in range(3000)}).encode(),
    "invalid UTF-8": b'{"call": "\xff\xfe"}',
    "surrogates as bytes": b'{"call": "\xed\xa0\x80"}',
    "UTF-16": '{"call": "human"}'.encode("utf-16"),
    "UTF-32": '{"call": "human"}'.encode("utf-32"),
    "Latin-1": '{"call": "hümän"}'.encode("latin-1"),
    "a byte order mark": b'\xef\xbb\xbf{"call": "robot"}',
    "a pickle": b"\x80\x04\x95\x0b\x00\x00\x00\x00\x00\x00\x00\x8c\x07builtin\x94.",
    "XML": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "a form": b"call=human&points=5",
    "fields of a form": b"&&&===&=&%&%zz&%00=%00",
    "a prototype": b'{"__proto__": {"points": 5}, "constructor": 1, "call": "human"}',
    "SQL": b'{"call": "human\'; DROP TABLE move; --"}',
    "a template": b'{"call": "{{ 7 * 7 }}${7*7}"}',
}
ANY_BODY = pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())


@ANY_BODY
def test_any_body_as_a_move_is_refused(arena: Arena, body: bytes) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.call(0, content=body))[0] == 422
        assert seat.press(0, content=body).status_code == 422


def test_any_body_as_a_start_is_refused(arena: Arena) -> None:
    player = arena.newcomer()

    with arena.unchanged():
        for body in BODIES.values():
            assert problem(player.api.post("/api/v1/rounds", content=body))[0] == 422, body
            assert player.pages.post("/rounds", content=body).status_code == 422, body


def test_any_body_as_events_is_refused(arena: Arena) -> None:
    seat = arena.seat()

    with arena.unchanged():
        for body in BODIES.values():
            assert problem(seat.player.api.post(f"{seat.api}/events", content=body))[0] == 422, body
            assert seat.player.pages.post(f"{seat.page}/events", content=body).status_code == 422, body


IDS = [
    "0" * 32,
    "x",
    "%00",
    "%ff",
    "%0a",
    "..%2f..%2fetc",
    "a" * 5000,
    "%F0%9F%A6%A6",
    "'; --",
    "%7B%7D",
    "-1",
]


@pytest.mark.parametrize("round_id", IDS, ids=lambda value: value[:20])
def test_any_id_is_nobodys_round(arena: Arena, round_id: str) -> None:
    seat = Seat(arena.newcomer(), round_id)
    api, pages = seat.player.api, seat.player.pages

    with arena.unchanged():
        for reply in (
            api.get(seat.api),
            seat.call(0, json=HUMAN),
            api.post(f"{seat.api}/events", json=[]),
        ):
            assert problem(reply)[0] in {404, 405, 422}
        for reply in (
            pages.get(seat.page),
            seat.press(0, data=HUMAN),
            pages.post(f"{seat.page}/events", data={"kind": "back", "turn": 0}),
        ):
            assert reply.status_code in {404, 405, 422}


TEXTS = [
    "\0",
    "speeches\0",
    "\ud800",
    "￾",
    "é" * 900,
    "../speeches",
    "SPEECHES",
    " speeches",
    "';--",
    "\u202e",
    "None",
]


@pytest.mark.parametrize("genre", TEXTS, ids=ascii)
def test_any_text_is_no_genre(arena: Arena, genre: str) -> None:
    player = arena.newcomer()
    body = json.dumps({"mode": "boundary", "genre": genre}).encode()

    with arena.unchanged():
        assert problem(player.api.post("/api/v1/rounds", content=body))[0] in {404, 422}
        if genre.isprintable():
            assert problem(player.api.get("/api/v1/leaderboard", params={"genre": genre}))[0] == 404


@pytest.mark.parametrize(
    "genre", ["%00", "speeches%00", "%ff", "%ed%a0%80", "%F0%9F%A6%A6", "x" * 5000, "%0d%0aX:%20y"]
)
def test_any_genre_in_an_address_or_form_is_not_found(arena: Arena, genre: str) -> None:
    player = arena.newcomer()

    with arena.unchanged():
        assert problem(player.api.get(f"/api/v1/leaderboard?genre={genre}"))[0] == 404
        assert player.pages.get(f"/leaderboard?genre={genre}").status_code == 404
        assert player.pages.post("/rounds", content=f"mode=boundary&genre={genre}").status_code in {404, 422}
        assert player.pages.post("/rounds", content=f"mode={genre}").status_code in {404, 422}


DRAFTS = [
    "call=%00",
    "call=machine&note=%00",
    "self=1",
    "call=machine&call=human",
    "reasons=%ff",
    "&&",
    "%",
    "call[]=machine",
]
LONG_DRAFTS = [
    "call=machine&reasons=a&reasons=b&note=x&note=y",
    "call=machine&note=" + "x" * 8000,
    "a=1&" * 500,
]


@pytest.mark.parametrize("query", [*DRAFTS, *LONG_DRAFTS], ids=lambda value: value[:30])
def test_any_draft_shows_the_round_or_is_refused(arena: Arena, query: str) -> None:
    seat = arena.seat()

    with arena.unchanged():
        for headers in ({}, {"HX-Request": "true"}):
            assert seat.player.pages.get(f"{seat.page}?{query}", headers=headers).status_code in {200, 422}


@pytest.mark.parametrize(
    "rest", ["self=1", "request=1", "call=machine&call=human", "reasons=a&reasons=b", "note=%3Cb%3E"]
)
def test_an_event_may_carry_any_draft(arena: Arena, rest: str) -> None:
    seat = arena.seat()
    form = f"kind=back&turn=0&{rest}"

    for headers, status in (({}, 303), ({"HX-Request": "true"}, 200)):
        reply = seat.player.pages.post(f"{seat.page}/events", content=form, headers=headers)
        assert reply.status_code == status
        assert "<b>" not in reply.text


def test_a_note_comes_back_as_text_and_never_as_markup(arena: Arena) -> None:
    seat = arena.seat()
    note = '</textarea><script>alert(1)</script>" onload="x'

    reply = seat.press(0, data={"call": "machine", "note": note})
    assert reply.status_code == 422
    assert "<script>alert" not in reply.text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in reply.text


ADDRESSES = [
    "/api",
    "/api/v1",
    "/api/v1/nowhere",
    "/api/v1/rounds/x/y",
    "/nowhere",
    "/%00",
    "/static/../settings.py",
]
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "BREW"]


@pytest.mark.parametrize("address", [*ADDRESSES, "/", "/rounds", "/play", "/api/v1/rounds", "/api/v1/guests"])
def test_any_method_on_any_address_is_answered(arena: Arena, address: str) -> None:
    player = arena.newcomer()

    with arena.unchanged():
        for method in METHODS:
            for client in (player.api, player.pages):
                assert client.request(method, address).status_code < 500


@pytest.mark.parametrize("address", ["/api/v1/nowhere", "/api/v1/rounds"])
def test_an_address_of_the_api_that_leads_nowhere_says_so_in_its_form(arena: Arena, address: str) -> None:
    assert problem(arena.newcomer().api.request("DELETE", address))[0] in {404, 405}


HEADERS = [
    {"Content-Type": "application/json; charset=utf-7"},
    {"Content-Type": "multipart/form-data"},
    {"Content-Type": ""},
    {"Content-Length": "0"},
    {"Content-Encoding": "gzip"},
    {"Host": ""},
    {"Host": "["},
    {"Cookie": "roft"},
    {"Cookie": "roft=;roft=;=;;"},
    {"HX-Request": ""},
    {"HX-History-Restore-Request": "maybe", "HX-Request": "maybe"},
    {"Accept": "image/png"},
    {"Range": "bytes=0-5"},
    {"Authorization": ""},
    {"X-Forwarded-Proto": "gopher"},
]


@pytest.mark.parametrize("headers", HEADERS, ids=str)
def test_odd_headers_break_nothing(arena: Arena, headers: dict[str, str]) -> None:
    seat = arena.seat()
    stranger = TestClient(arena.site, follow_redirects=False)

    for client in (seat.player.api, seat.player.pages, stranger):
        for path in (seat.api, seat.page, "/play", "/leaderboard", "/static/site.css"):
            assert client.get(path, headers=headers).status_code < 500
        for path in (f"{seat.api}/moves/0", f"{seat.page}/moves/0", "/rounds"):
            assert client.post(path, content=b"{}", headers=headers).status_code < 500


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["human", "machine", "generic"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["call", "reasons", "note", "client_ms", "hidden_ms", "confidence", "points", "kind", "turn"]
)


@hypothesis_settings(max_examples=60, deadline=None, database=None)
@given(sent=st.dictionaries(NAMES, VALUES, max_size=5) | VALUES)
def test_whatever_is_sent_is_a_move_or_a_refusal(arena: Arena, sent: Any) -> None:
    seat = arena.seat("stories")

    for path in ("moves/0", "events"):
        reply = seat.player.api.post(f"{seat.api}/{path}", content=json.dumps(sent).encode())
        assert reply.status_code in {200, 204} or problem(reply)[0] in {409, 422}
    pressed = arena.seat("recipes").press(0, data=sent if isinstance(sent, dict) else {})
    assert pressed.status_code in {303, 422}


async def broken_off(site: FastAPI, path: str) -> int:
    """Send half a form, hang up, and return the status that nobody reads."""
    halves: list[Message] = [
        {"type": "http.request", "body": b"kind=hid", "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return halves.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": path, "headers": [], "query_string": b""}
    await site(scope, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize("path", ["/rounds", "/api/v1/consents", "/guide/readings"])
def test_a_request_that_breaks_off_is_no_fault_of_ours(arena: Arena, path: str) -> None:
    with arena.unchanged(), start_blocking_portal() as loop:
        assert loop.call(broken_off, arena.site, path) in {401, 422}
