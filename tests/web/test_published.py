"""Published ratings on the pages and in the API, before the first night and after it."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from app.main import create_app
from app.store.database import Database
from tests.app.seasons import publish_night, season, season_deck
from tests.conftest import Clock
from tests.stocking import column, settings_for, stocked, token_of
from tests.web.conftest import HUMAN, MACHINE

GENERATORS = "/api/v1/generators"
PROFILE = "/api/v1/players/p3-1000"


class Night:
    """A site after a season, before anything is published; p3 looks at it."""

    def __init__(self, database: Database, client: TestClient) -> None:
        self.database = database
        self.client = client

    def owner(self) -> TestClient:
        """Return the browser of p3."""
        browser = TestClient(self.client.app, cookies={"roft": token_of("p3")}, follow_redirects=False)
        browser.portal = self.client.portal
        return browser


@pytest.fixture(params=["sqlite", "postgresql"])
def night(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Night]:
    """A site on each kind of database."""
    settings = settings_for(tmp_path, request.param, request)
    database = stocked(settings, season_deck())
    season(database)
    with TestClient(create_app(settings, database, now=Clock(), rng=Random(7))) as client:
        yield Night(database, client)
    database.close()


def test_before_the_first_night_pages_say_so_and_lists_are_empty(night: Night) -> None:
    assert "Nothing is published yet" in night.client.get("/generators").text
    assert night.client.get(GENERATORS).json() == []
    assert night.client.get(PROFILE).json()["modes"]["boundary"]["published"] is None
    assert "above play without reading" not in night.client.get("/players/p3-1000").text


def test_a_profile_shows_the_number_with_its_interval_beside_the_rating(night: Night) -> None:
    publish_night(night.database)

    told = night.client.get(PROFILE).json()["modes"]["boundary"]
    published = told["published"]
    assert told["rating"]["deviation"] == 60
    assert published["interval"][0] < published["estimate"] < published["interval"][1]
    assert (published["rounds"], published["made_at"][:10]) == (34, "2026-12-01")
    page = night.client.get("/players/p3-1000").text
    assert f"{published['estimate']:+.2f} points a round".replace("-", "−") in page
    assert "from 34 rounds, on 1 December 2026" in page


def test_who_hides_the_rating_hides_this_one_too(night: Night) -> None:
    publish_night(night.database)
    assert "above play without reading" in night.owner().get("/players/p3-1000").text
    with night.database.write() as db:
        db.execute(text("UPDATE player SET shows_rating = :no WHERE id = 'p3'"), {"no": False})

    assert "above play without reading" not in night.owner().get("/players/p3-1000").text
    headers = {"Authorization": f"Bearer {token_of('p3')}"}
    told = night.client.get(PROFILE, headers=headers).json()["modes"]["boundary"]
    assert (told["rating"], told["published"]) == (None, None)


def test_generators_are_listed_with_what_people_earn_on_them(night: Night) -> None:
    publish_night(night.database)

    (told,) = night.client.get(GENERATORS).json()
    assert (told["name"], told["model"], told["rounds"]) == ("transformers", "toy-model", 324)
    assert told["interval"][0] < told["estimate"] < told["interval"][1]
    page = night.client.get("/generators").text
    assert "toy-model" in page
    assert "408 rounds of 12 players on 34 texts" in page
    assert 'href="/generators"' in night.client.get("/leaderboard").text


def test_no_page_and_no_list_tells_the_number_of_a_text_or_of_a_few(night: Night) -> None:
    publish_night(night.database)
    passages = column(night.database, "SELECT subject_id FROM estimate WHERE kind = 'passage'")

    said = [night.client.get(path).text for path in ("/generators", GENERATORS, PROFILE, "/players/p3-1000")]
    assert not [one for one in passages if one in "".join(said)]
    assert "splice" not in said[1]
    assert "another human text" not in said[0]  # four texts are too few


def test_a_round_in_progress_changes_nothing_that_is_published(night: Night) -> None:
    publish_night(night.database)
    before = [night.client.get(path).text for path in ("/generators", GENERATORS)]
    token = night.client.post("/api/v1/guests").json()["token"]
    night.client.headers["Authorization"] = f"Bearer {token}"
    round_id = night.client.post("/api/v1/rounds", json={"mode": "boundary"}).json()["id"]
    night.client.post(f"/api/v1/rounds/{round_id}/moves/0", json=HUMAN)

    outcome = publish_night(night.database)
    assert [night.client.get(path).text for path in ("/generators", GENERATORS)] == before
    night.client.post(f"/api/v1/rounds/{round_id}/moves/1", json=MACHINE)
    assert publish_night(night.database).run.rounds == outcome.run.rounds + 1


def test_without_a_machine_of_some_texts_the_page_says_what_is_missing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    settings = settings_for(tmp_path, "sqlite", request)
    only_humans = [one for one in season_deck() if one.generator is None or one.generator.name == "splice"]
    database = stocked(settings, only_humans)
    season(database, [f"p{number}" for number in range(40)])
    publish_night(database)

    with TestClient(create_app(settings, database, now=Clock(), rng=Random(7))) as client:
        assert "No machine has 5 texts yet" in client.get("/generators").text
    database.close()
