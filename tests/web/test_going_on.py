"""After a reveal: the next round is of the kind that was asked for."""

import re

import pytest

from tests.web.conftest import MACHINE, Arena

STARTS = re.compile(r'<form method="post" action="/rounds">(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'name="(\w+)" value="([^"]*)"')


def ways_on(page: str) -> list[dict[str, str]]:
    """Return what each button that starts a round would send, in order."""
    return [dict(FIELD.findall(form)) for form in STARTS.findall(page)]


@pytest.mark.parametrize("genre", ["recipes", None])
def test_the_next_round_asks_for_what_was_asked_for(arena: Arena, genre: str | None) -> None:
    player = arena.newcomer()
    asked = {"mode": "boundary"} | ({"genre": genre} if genre else {})
    place = player.pages.post("/rounds", data=asked, follow_redirects=False).headers["location"]
    player.pages.post(f"{place}/moves/0", data=MACHINE)

    page = player.pages.get(place).text

    assert ways_on(page)[0] == asked


def test_whoever_asked_for_any_genre_may_stay_in_this_one(arena: Arena) -> None:
    player = arena.newcomer()
    started = player.api.post("/api/v1/rounds", json={"mode": "boundary"}).json()
    place = f"/rounds/{started['id']}"
    player.pages.post(f"{place}/moves/0", data=MACHINE)

    _, second = ways_on(player.pages.get(place).text)

    assert second == {"mode": "boundary", "genre": started["genre"]}


def test_whoever_asked_for_a_genre_may_go_on_anywhere(arena: Arena) -> None:
    seat = arena.seat("recipes").play(MACHINE)

    _, second = ways_on(seat.player.pages.get(seat.page).text)

    assert second == {"mode": "boundary"}
