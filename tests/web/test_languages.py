"""Who reads which language, and that programs read English."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from app.web.languages import COOKIE
from tests.conftest import Person
from tests.web.conftest import HUMAN, MACHINE

GERMAN = "Wo hört der Mensch auf,"
ENGLISH = "Where does the human stop"


def front_page(browser: TestClient, wishes: str | None = None) -> str:
    """Return the front page for a browser with wishes."""
    return browser.get("/", headers={} if wishes is None else {"Accept-Language": wishes}).text


def is_german(page: str) -> bool:
    """Say whether a page is in German, and says so itself."""
    assert ('<html lang="de">' in page) == (GERMAN in page)
    assert ('<html lang="en">' in page) == (ENGLISH in page)
    return GERMAN in page


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        (None, "en"),
        ("de", "de"),
        ("de-AT,en;q=0.5", "de"),
        ("DE-ch", "de"),
        ("en,de;q=0.9", "en"),
        ("de;q=0.4, en-GB;q=0.8", "en"),
        ("fr, de;q=0.3, en;q=0.2", "de"),
        ("fr;q=1, de;q=0", "en"),
        ("fr,tlh", "en"),
        ("*", "en"),
        ("", "en"),
        (";;;q=de,,=", "en"),
        ("de;q=many", "en"),
        ("x" * 5000, "en"),
        ("../../etc/passwd", "en"),
    ],
)
def test_a_browser_is_answered_in_the_language_it_wishes_for_most(
    stranger: TestClient, wishes: str | None, language: str
) -> None:
    assert is_german(front_page(stranger, wishes)) == (language == "de")


def test_a_choice_is_kept_and_counts_more_than_what_the_browser_wishes_for(stranger: TestClient) -> None:
    stranger.post("/language", data={"language": "de"})
    assert is_german(front_page(stranger, "en"))

    stranger.post("/language", data={"language": "en"})
    assert not is_german(front_page(stranger, "de"))


@pytest.mark.parametrize("kept", ["tlh", "", "de/../en", "x" * 3000])
def test_a_cookie_with_a_language_that_nobody_speaks_is_not_read(stranger: TestClient, kept: str) -> None:
    stranger.cookies.set(COOKIE, kept)

    assert is_german(front_page(stranger, "de"))
    assert not is_german(front_page(stranger, "fr"))


@pytest.mark.parametrize("form", [{}, {"language": "tlh"}, {"language": ["de", "en"]}])
def test_only_a_language_that_is_spoken_can_be_chosen(stranger: TestClient, form: dict[str, Any]) -> None:
    reply = stranger.post("/language", data=form)

    assert reply.status_code == 422
    assert "set-cookie" not in reply.headers


def test_another_site_chooses_no_language(stranger: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}

    assert stranger.post("/language", data={"language": "de"}, headers=headers).status_code == 403


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        ("http://testserver/leaderboard?genre=stories", "/leaderboard?genre=stories"),
        ("http://testserver/guide", "/guide"),
        ("http://testserver/account/password", "/"),
        ("http://testserver/rounds", "/rounds"),
        ("http://testserver//evil.example/guide", "/"),
        ("https://evil.example/guide", "/"),
        ("nonsense", "/"),
        ("http://[", "/"),
        ("", "/"),
    ],
)
def test_choosing_leads_back_to_the_page_where_that_was_done(
    stranger: TestClient, came_from: str, leads_to: str
) -> None:
    reply = stranger.post("/language", data={"language": "de"}, headers={"Referer": came_from})

    assert (reply.status_code, reply.headers["location"]) == (303, leads_to)


def test_every_page_names_each_language_in_itself(stranger: TestClient) -> None:
    page = front_page(stranger)

    assert '<button class="link" name="language" value="de" lang="de" type="submit">Deutsch</button>' in page
    assert 'value="en" lang="en" aria-current="true" type="submit">English</button>' in page


@pytest.mark.parametrize("first", ["en", "de"])
def test_a_number_in_a_template_has_the_sign_of_each_reader(stranger: TestClient, first: str) -> None:
    stranger.get("/guide", headers={"Accept-Language": first})

    for language, number in (("en", "1.30"), ("de", "1,30")):
        guide = stranger.get("/guide", headers={"Accept-Language": language}).text
        assert f'<td class="number">{number}</td>' in guide


def test_what_is_kept_between_is_told_what_a_page_depends_on(ada: Person) -> None:
    address = ada.pages.post("/rounds", data={"mode": "boundary"}).headers["location"]

    for page in ("/", address):
        assert {"Accept-Language", "Cookie"} <= set(ada.pages.get(page).headers["vary"].split(", "))


def test_a_refusal_and_a_mistake_of_ours_are_told_in_german_too(stranger: TestClient, site: Any) -> None:
    german = {"Accept-Language": "de"}
    assert "Diese Adresse führt nirgendwohin." in stranger.get("/nowhere", headers=german).text

    site.state.site.database.close()
    site.add_api_route("/broken", lambda: 1 / 0)
    browser = TestClient(site, raise_server_exceptions=False)
    reply = browser.get("/broken", headers=german)
    assert reply.status_code == 500
    assert "Das war unser Fehler" in reply.text

    site.add_api_route("/api/v1/broken", lambda: 1 / 0)
    assert "Something broke on our side." in browser.get("/api/v1/broken", headers=german).text


def test_what_people_wrote_is_marked_as_english_on_a_german_page(ada: Person) -> None:
    address = ada.pages.post("/rounds", data={"mode": "boundary", "genre": "speeches"}).headers["location"]
    page = ada.pages.get(address, headers={"Accept-Language": "de"}).text

    assert page.count('<div lang="en" class="line-text">Sentence ') == 2
    assert "Wer hat Satz 2 geschrieben?" in page


def test_the_script_for_times_without_a_connection_changes_with_the_language(stranger: TestClient) -> None:
    english = stranger.get("/sw.js").text
    german = stranger.get("/sw.js", headers={"Accept-Language": "de"}).text

    assert english != german
    assert "Keine Verbindung" in stranger.get("/offline", headers={"Accept-Language": "de"}).text


def test_the_api_says_the_same_in_every_language(ada: Person, bob: Person) -> None:
    ada.api.headers["Accept-Language"] = "en"
    bob.api.headers["Accept-Language"] = "de"
    bob.api.cookies.set(COOKIE, "de")

    assert talk(ada) == talk(bob)


def talk(person: Person) -> list[tuple[int, str]]:
    """Return what the API says to somebody who plays, errs, and looks around."""
    api = person.api
    begun = api.post("/api/v1/rounds", json={"mode": "boundary", "genre": "news"})
    mine = f"/api/v1/rounds/{api.post('/api/v1/rounds', json={'mode': 'boundary'}).json()['id']}"
    api.post(f"{mine}/moves/0", json={**MACHINE, "confidence": 80})
    replies = [
        begun,
        api.post(f"{mine}/moves/0", json=HUMAN),
        api.post(f"{mine}/moves/7", json=HUMAN),
        api.post(f"{mine}/reports", json={"kind": "nothing"}),
        api.get("/api/v1/rounds/nowhere"),
        api.get("/api/v1/players/nobody-here"),
        api.get("/api/v1/leaderboard?genre=nothing"),
        api.get("/api/v1/modes"),
        api.get("/api/v1/generators"),
        api.get("/api/v1/nowhere"),
        api.get("/openapi.json"),
    ]
    told = [(reply.status_code, reply.text) for reply in replies]
    numbers = api.get(f"/api/v1/players/{'ada' if person.player_id.startswith('ada') else 'bob'}-1000").json()
    numbers = numbers["modes"]["boundary"]["numbers"]
    words = [one["words"] for one in (*numbers["reasons"], *numbers["sureness"])]
    return [*told, (200, " ".join([*words, *(one["title"] for one in numbers["trophies"])]))]
