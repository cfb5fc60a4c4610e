"""What follows what: the next round, a press that comes late, a log that is full, the last text."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.main import create_app
from app.services.noting import MOST_EVENTS
from tests.conftest import person
from tests.stocking import settings_for, stocked
from tests.web.conftest import HUMAN, MACHINE, Arena, Seat

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


def press(seat: Seat, turn: int, **more: str) -> Any:
    """Press a button that asks for reasons first."""
    form = {"kind": "decided", "turn": str(turn), "call": "machine", **more}
    return seat.player.pages.post(f"{seat.page}/events", data=form, headers={"HX-Request": "true"})


def test_a_press_meant_for_another_sentence_decides_nothing(arena: Arena) -> None:
    seat = arena.seat().play(HUMAN, HUMAN)

    late = press(seat, 0)

    assert late.status_code == 409
    assert "played already" in late.text
    assert "Count it and reveal" not in late.text
    assert "Count it and reveal" in press(seat, 2).text


def test_a_press_after_the_end_shows_the_end(arena: Arena) -> None:
    seat = arena.seat().play(MACHINE)

    late = press(seat, 0)

    assert late.status_code == 409
    assert "revealed" in late.text


def test_a_full_log_does_not_keep_anybody_from_deciding(arena: Arena) -> None:
    seat = arena.seat()
    events = [{"kind": "hidden", "turn": 0}] * MOST_EVENTS
    assert seat.player.api.post(f"{seat.api}/events", json=events).status_code == 204

    assert "Count it and reveal" in press(seat, 0).text


@pytest.mark.parametrize("note", ["  ", "\r\n", "x\r\n" * 500, " \r\n" + "x" * 1000 + "\r\n "])
def test_a_note_counts_as_the_browser_counts_it(arena: Arena, note: str) -> None:
    seat = arena.seat()

    assert seat.press(0, data={**MACHINE, "note": note}).status_code == 303
    assert seat.player.pages.get(seat.page).text.count("revealed")


def test_a_genre_whose_last_text_is_open_is_not_finished(arena: Arena) -> None:
    player = arena.newcomer()
    for _ in range(9):
        started = player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": "stories"}).json()
        player.api.post(f"/api/v1/rounds/{started['id']}/moves/0", json=MACHINE)
    player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": "stories"})

    assert "Play stories" in player.pages.get("/play").text


def test_a_site_without_texts_says_so(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    settings = settings_for(tmp_path, "sqlite", request)
    player = person(create_app(settings, stocked(settings, [])), "n0x")

    assert "There is nothing to play yet." in player.pages.get("/play").text
    assert "There is nothing to play yet." in player.pages.post("/rounds", data={"mode": "boundary"}).text
