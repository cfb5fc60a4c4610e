"""Who asks: tokens are ours or nobody's, and no other site presses our buttons."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.store.players import Claim
from app.web.tokens import Tokens
from tests.stocking import SECRET, column
from tests.web.conftest import HUMAN, Arena, problem

NOT_SIGNED_IN = (401, "not-signed-in")

FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "http://testserver.evil.example"},
    {"Origin": "http://testserver:8000"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://["},
    {"Origin": "testserver"},
    {"Origin": "http://evil.example", "HX-Request": "true"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Sec-Fetch-Site": ""},
    {"Sec-Fetch-Site": "same-origin, cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://testserver"},
]
OURS = [
    {},
    {"Origin": "http://testserver"},
    {"Origin": "https://testserver"},  # behind a proxy that ends TLS
    {"Sec-Fetch-Site": "same-origin", "Origin": "http://testserver"},
    {"Sec-Fetch-Site": "none"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_another_site_presses_no_button_of_ours(arena: Arena, headers: dict[str, str]) -> None:
    seat = arena.seat()
    pages = seat.player.pages

    with arena.unchanged():
        for path, form in (
            (f"{seat.page}/moves/0", HUMAN),
            (f"{seat.page}/events", {"kind": "back", "turn": 0}),
            ("/rounds", {"mode": "boundary", "genre": "stories"}),
        ):
            assert pages.post(path, data=form, headers=headers).status_code == 403


@pytest.mark.parametrize("headers", OURS, ids=str)
def test_our_own_pages_do(arena: Arena, headers: dict[str, str]) -> None:
    seat = arena.seat()

    assert seat.press(0, data=HUMAN, headers=headers).status_code == 303


def test_another_site_seats_no_stranger(arena: Arena) -> None:
    stranger = TestClient(arena.site, follow_redirects=False)

    with arena.unchanged():
        reply = stranger.post("/rounds", data={"mode": "boundary"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert (reply.status_code, "set-cookie" in reply.headers) == (403, False)


def test_a_cookie_alone_opens_no_door_of_the_api(arena: Arena) -> None:
    seat = arena.seat()

    with arena.unchanged():
        assert problem(seat.player.pages.post(f"{seat.api}/moves/0", json=HUMAN)) == NOT_SIGNED_IN


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(arena: Arena) -> None:
    stranger = TestClient(arena.site, follow_redirects=False)

    cookie = stranger.post("/rounds", data={"mode": "boundary"}).headers["set-cookie"].lower()
    assert {"httponly", "samesite=lax"} <= set(cookie.split("; "))


def test_the_cookie_travels_encrypted_when_the_page_did(arena: Arena) -> None:
    stranger = TestClient(arena.site, base_url="https://testserver", follow_redirects=False)

    cookie = stranger.post("/rounds", data={"mode": "boundary"}).headers["set-cookie"].lower()
    assert "secure" in cookie.split("; ")


ANOTHER = "another secret, as long as the rule wants"


def token(player_id: str, *, secret: str = SECRET) -> str:
    """Return a token that is signed with a secret."""
    return Tokens(secret).sign(Claim(player_id, "somebody-1000"))


def body_and_signature(player_id: str) -> list[str]:
    """Return the two halves of a good token."""
    return token(player_id).rsplit(".", 1)


FORGERIES: dict[str, Callable[[str], str]] = {
    "nothing": lambda _: "",
    "a word": lambda _: "token",
    "dots": lambda _: "...",
    "the id alone": lambda player_id: player_id,
    "no signature": lambda player_id: body_and_signature(player_id)[0],
    "half a signature": lambda player_id: token(player_id)[:-1],
    "a signature and more": lambda player_id: token(player_id) + "x",
    "the signature of another": lambda player_id: ".".join(
        (body_and_signature(player_id)[0], body_and_signature("mallory")[1])
    ),
    "another name under it": lambda player_id: "x.".join(body_and_signature(player_id)),
    "another secret": lambda player_id: token(player_id, secret=ANOTHER),
    "a long one": lambda _: "a" * 5000,
    "bytes": lambda _: "\xe9.\xe9.\xff",
}
FORGED = pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())


def callers(arena: Arena, forged: str) -> tuple[TestClient, TestClient]:
    """Return somebody who sends a forged token, over the API and in a cookie."""
    return (
        TestClient(arena.site, headers=_raw("Authorization", f"Bearer {forged}")),
        TestClient(arena.site, headers=_raw("Cookie", f"roft={forged}"), follow_redirects=False),
    )


def _raw(name: str, value: str) -> Any:
    return {name: value.encode("latin-1")}  # as it may come over the wire


@FORGED
def test_a_forged_token_plays_nothing(arena: Arena, forge: Callable[[str], str]) -> None:
    seat = arena.seat()
    api, pages = callers(arena, forge(seat.player.player_id))

    with arena.unchanged():
        assert problem(api.get(seat.api)) == NOT_SIGNED_IN
        assert problem(api.post(f"{seat.api}/moves/0", json=HUMAN)) == NOT_SIGNED_IN
        assert problem(api.post(f"{seat.api}/events", json=[])) == NOT_SIGNED_IN
        assert problem(api.post("/api/v1/rounds", json={"mode": "boundary"})) == NOT_SIGNED_IN
        assert pages.get(seat.page).status_code == 404
        assert pages.post(f"{seat.page}/moves/0", data=HUMAN).status_code == 404
        assert pages.post(f"{seat.page}/events", data={"kind": "back", "turn": 0}).status_code == 404


@FORGED
def test_a_forged_token_sees_what_strangers_see(arena: Arena, forge: Callable[[str], str]) -> None:
    seat = arena.seat()
    api, pages = callers(arena, forge(seat.player.player_id))
    stranger = TestClient(arena.site)

    assert problem(api.get("/api/v1/genres")) == problem(api.get("/api/v1/leaderboard")) == NOT_SIGNED_IN
    for path in ("/", "/play", "/leaderboard"):
        assert pages.get(path).text == stranger.get(path).text


@FORGED
def test_a_forged_cookie_starts_as_somebody_new(arena: Arena, forge: Callable[[str], str]) -> None:
    seat = arena.seat()
    _, pages = callers(arena, forge(seat.player.player_id))

    reply = pages.post("/rounds", data={"mode": "boundary", "genre": "speeches"})
    assert "roft=" in reply.headers["set-cookie"]
    assert reply.headers["location"] != seat.page
    assert (
        len(column(arena.database, "SELECT id FROM round WHERE player_id = :id", id=seat.player.player_id))
        == 1
    )


@pytest.mark.parametrize("header", ["", "Basic YTpi", "bearer", "Token {}", "{}", "Bearer{}", "Bearer {} {}"])
def test_a_token_comes_as_a_bearer_or_not_at_all(arena: Arena, header: str) -> None:
    seat = arena.seat()
    api = TestClient(
        arena.site, headers={"Authorization": header.format(*[token(seat.player.player_id)] * 2)}
    )

    assert problem(api.get(seat.api)) == NOT_SIGNED_IN


def test_without_a_token_the_api_says_how_to_get_one(arena: Arena) -> None:
    reply: Any = TestClient(arena.site).post("/api/v1/rounds", json={"mode": "boundary"})

    assert problem(reply) == NOT_SIGNED_IN
    assert reply.headers["www-authenticate"] == "Bearer"
    assert "POST /api/v1/guests" in reply.json()["detail"]


def test_who_asks_comes_before_what_is_asked(arena: Arena) -> None:
    stranger = TestClient(arena.site)

    for path in ("rounds", "rounds/0/moves/0", "rounds/0/moves/-1", "rounds/0/moves/x", "rounds/0/events"):
        assert problem(stranger.post(f"/api/v1/{path}", content=b"{")) == NOT_SIGNED_IN
