"""Coming back: another tab, another device, the other door; and the end of what there is to read."""

from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.main import create_app
from app.settings import Settings
from app.store.database import Database
from tests.conftest import Person, person
from tests.stocking import GENRES, column, contents

HUMAN = {"call": "human"}
MACHINE = {"call": "machine", "reasons": ["generic"]}


def start(player: Person, genre: str | None = "speeches") -> Any:
    """Ask the API for a round."""
    return player.api.post("/api/v1/rounds", json={"mode": "boundary", "genre": genre})


def press_start(player: Person, **fields: str) -> Any:
    """Ask for a round on the page."""
    return player.pages.post("/rounds", data={"mode": "boundary", **fields})


def play_genre(player: Person, genre: str, rounds: int = 10) -> None:
    """Play rounds of a genre of ten, each with one move."""
    for _ in range(rounds):
        round_id = start(player, genre).json()["id"]
        player.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=MACHINE)


def problem(reply: Any) -> tuple[int, str]:
    """Return status and rule of a refusal."""
    assert reply.headers["content-type"] == "application/problem+json"
    return reply.status_code, reply.json()["type"]


def test_asking_again_gives_the_open_round_as_it_stands(ada: Person) -> None:
    round_id = start(ada).json()["id"]
    played = ada.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=HUMAN).json()

    again = start(ada)
    assert (again.status_code, again.json()) == (200, played)


def test_a_cookie_and_a_token_are_the_same_player(ada: Person) -> None:
    round_id = start(ada).json()["id"]

    assert press_start(ada, genre="speeches").headers["location"] == f"/rounds/{round_id}"
    ada.pages.post(f"/rounds/{round_id}/moves/0", data=HUMAN)
    assert ada.api.get(f"/api/v1/rounds/{round_id}").json()["turn"] == 1


def test_a_round_of_the_page_goes_on_in_the_api(ada: Person) -> None:
    round_id = press_start(ada, genre="speeches").headers["location"].removeprefix("/rounds/")

    assert (start(ada).status_code, start(ada).json()["id"]) == (200, round_id)


def test_a_second_device_sees_what_the_first_has_played(site: FastAPI, ada: Person) -> None:
    round_id = start(ada).json()["id"]
    phone = person(site, "ada")
    phone.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=HUMAN)

    assert "Sentence 2 speeches" in ada.pages.get(f"/rounds/{round_id}").text
    assert ada.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=HUMAN).json()["turn"] == 1


def test_a_second_tab_that_is_behind_is_told_and_shown_the_round(ada: Person) -> None:
    round_id = start(ada).json()["id"]
    ada.pages.post(f"/rounds/{round_id}/moves/0", data=HUMAN)

    behind = ada.pages.post(f"/rounds/{round_id}/moves/0", data=MACHINE)
    assert behind.status_code == 409
    assert "This is the round as it stands." in behind.text
    assert "Sentence 2 speeches" in behind.text


def test_without_a_genre_any_open_round_goes_on(ada: Person) -> None:
    round_id = start(ada, "stories").json()["id"]

    assert start(ada, None).json()["id"] == round_id
    assert press_start(ada).headers["location"] == f"/rounds/{round_id}"


def test_of_several_open_rounds_the_latest_goes_on(ada: Person) -> None:
    ids = [start(ada, genre).json()["id"] for genre in GENRES]

    assert len(set(ids)) == 3
    assert start(ada, None).json()["id"] == ids[-1]


def test_after_the_end_there_is_a_new_round(ada: Person) -> None:
    play_genre(ada, "speeches", rounds=1)

    assert start(ada).status_code == 201


def test_a_round_survives_the_server(settings: Settings, database: Database, ada: Person) -> None:
    round_id = start(ada).json()["id"]
    ada.api.post(f"/api/v1/rounds/{round_id}/moves/0", json=HUMAN)
    restarted = person(create_app(settings, database), "ada")

    assert start(restarted).json()["id"] == round_id
    assert start(restarted).json()["turn"] == 1


def test_looking_round_writes_nobody_down(database: Database, stranger: TestClient) -> None:
    before = contents(database)
    replies = [stranger.get(path) for path in ("/", "/play", "/leaderboard", "/guide", "/api/v1/genres")]
    replies.append(stranger.post("/api/v1/guests"))

    assert [reply.status_code for reply in replies] == [200] * 5 + [201]
    assert not [reply for reply in replies if "set-cookie" in reply.headers]
    assert contents(database) == before


def test_a_guest_is_written_down_with_the_first_round(database: Database, stranger: TestClient) -> None:
    guest = stranger.post("/api/v1/guests").json()
    stranger.post(
        "/api/v1/rounds",
        json={"mode": "boundary"},
        headers={"Authorization": f"Bearer {guest['token']}"},
    )

    assert column(database, "SELECT handle FROM player") == [guest["player"]]
    assert column(database, "SELECT role FROM player") == ["guest"]


def test_one_click_makes_a_stranger_a_guest_who_stays(database: Database, stranger: TestClient) -> None:
    first = stranger.post("/rounds", data={"mode": "boundary"})
    again = stranger.post("/rounds", data={"mode": "boundary"})

    assert "set-cookie" in first.headers
    assert "set-cookie" not in again.headers
    assert again.headers["location"] == first.headers["location"]
    assert column(database, "SELECT count(*) FROM player") == [1]


def test_the_cookie_of_the_page_is_a_token_of_the_api(stranger: TestClient) -> None:
    address = stranger.post("/rounds", data={"mode": "boundary"}).headers["location"]
    token = stranger.cookies["roft"]

    reply = stranger.get(f"/api/v1{address}", headers={"Authorization": f"Bearer {token}"})
    assert reply.status_code == 200


@pytest.mark.parametrize("genre", ["poems", "Speeches", "", "starter"])
def test_a_genre_that_is_not_there_is_not_found_and_writes_nothing(
    database: Database, ada: Person, genre: str
) -> None:
    before = contents(database)

    assert problem(start(ada, genre)) == (404, "no-such-genre")
    assert problem(ada.api.get("/api/v1/leaderboard", params={"genre": genre})) == (404, "no-such-genre")
    if genre:  # an empty field of a form is no field
        assert press_start(ada, genre=genre).status_code == 404
        assert ada.pages.get("/leaderboard", params={"genre": genre}).status_code == 404
    assert contents(database) == before


def test_a_genre_that_is_read_out_says_so_kindly(ada: Person) -> None:
    play_genre(ada, "speeches")

    assert problem(start(ada)) == (404, "nothing-left")
    page = press_start(ada, genre="speeches")
    assert page.status_code == 200
    assert "You have played all of speeches." in page.text
    assert "10 of 10 texts are new to you." in page.text


def test_the_last_round_of_a_genre_goes_on_before_it_is_read_out(ada: Person) -> None:
    play_genre(ada, "speeches", rounds=9)

    assert (start(ada).status_code, start(ada).status_code) == (201, 200)


def test_without_a_genre_a_read_out_one_is_passed_over(ada: Person) -> None:
    for genre in ("recipes", "stories"):
        play_genre(ada, genre)

    reply = start(ada, None)
    assert (reply.status_code, reply.json()["genre"]) == (201, "speeches")


def test_when_all_is_read_the_page_says_so_and_no_text_came_twice(database: Database, ada: Person) -> None:
    for genre in GENRES:
        play_genre(ada, genre)

    page = press_start(ada)
    assert problem(start(ada, None)) == (404, "nothing-left")
    assert (page.status_code, "You have played everything there is." in page.text) == (200, True)
    assert len(set(column(database, "SELECT passage_id FROM round"))) == 30


def test_one_players_reading_takes_nothing_from_another(ada: Person, bob: Person) -> None:
    play_genre(ada, "speeches")

    assert start(bob).status_code == 201
    assert {one["genre"]: one["unseen"] for one in bob.api.get("/api/v1/genres").json()}["stories"] == 10
    assert {one["genre"]: one["unseen"] for one in ada.api.get("/api/v1/genres").json()}["speeches"] == 0
