"""A guest keeps their progress, comes back, sees who is signed in, and leaves."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import inspect
from starlette.testclient import TestClient

from app.mail import FolderPostbox
from app.main import create_app
from app.services.sessions import IDLE
from app.services.signing_in import new_user
from app.store.database import Database
from tests.conftest import Clock
from tests.stocking import column, full_deck, rows, settings_for, stocked

PASSWORD = "five blue lamps burn"
MACHINE = {"call": "machine", "reasons": ["generic"]}
NAMES = ("ada", "bea", "cleo", "dora", "edna", "flora", "greta", "hilda", "ines", "jana", "kaja", "lena")
UA = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@dataclass
class House:
    """A site that people keep accounts on."""

    site: FastAPI
    database: Database
    clock: Clock
    mails: Path
    count: int = 0

    def browser(self) -> TestClient:
        """Return a browser that has never been here."""
        return TestClient(self.site, follow_redirects=False, headers={"User-Agent": UA})

    def name(self) -> str:
        """Return a name that nobody has yet."""
        self.count += 1
        return f"{NAMES[self.count % len(NAMES)]}-{'abcdefghjkmnpqrstuvwxyz'[self.count // 12]}{self.count}x"

    def guest(self, *genres: str) -> TestClient:
        """Return the browser of a guest who has finished a round in each genre."""
        browser = self.browser()
        for genre in genres:
            address = browser.post("/rounds", data={"mode": "boundary", "genre": genre}).headers["location"]
            assert browser.post(f"{address}/moves/0", data=MACHINE).status_code == 303
        return browser

    def member(self, *genres: str, **form: str) -> tuple[str, TestClient]:
        """Return the name and browser of somebody who has made an account of their rounds."""
        browser, name = self.guest(*genres), self.name()
        reply = browser.post("/sign-up", data={"handle": name, "password": PASSWORD, **form})
        assert reply.headers["location"] == "/account?done=kept"
        return name, browser

    def sign_in(self, name: str, browser: TestClient | None = None, password: str = PASSWORD) -> Any:
        """Sign in and return the reply; the browser may be a guest's."""
        return (browser or self.browser()).post("/sign-in", data={"name": name, "password": password})

    def links(self, to: str) -> list[str]:
        """Return the links in the mails to an address, the latest first."""
        found: list[str] = []
        for path in sorted(self.mails.glob("*.eml"), reverse=True):
            mail = message_from_bytes(path.read_bytes(), policy=policy.default)
            if mail["To"] == to:
                found += re.findall(r"/links/\S+", str(mail.get_content()))
        return found

    def player_id(self, name: str) -> str:
        """Return the id behind a name."""
        return str(column(self.database, "SELECT id FROM player WHERE handle = :name", name=name)[0])

    def everything(self) -> dict[str, list[Any]]:
        """Return every row of every table."""
        with self.database.read() as db:
            return {
                table: [tuple(row) for row in db.exec_driver_sql(f'SELECT * FROM "{table}"')]  # noqa: S608
                for table in inspect(db).get_table_names()
                if table != "throttle"  # counts of tries are kept on purpose
            }


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A site on each kind of database, for all tests."""
    home = tmp_path_factory.mktemp("house")
    settings = settings_for(home, request.param, request)
    database, clock = stocked(settings, full_deck()), Clock()
    site = create_app(settings, database, now=clock, rng=Random(7), postbox=FolderPostbox(home / "mail"))
    yield House(site, database, clock, home / "mail")
    database.close()


def is_signed_in(browser: TestClient) -> bool:
    return "Where you are signed in" in browser.get("/account").text


def problem(reply: Any) -> str:
    """Return the sentence that says what is wrong."""
    found = re.search(r'<p class="(?:problem|lead)"[^>]*role="alert">([^<]+)</p>', reply.text)
    assert found
    return found[1]


# Keeping progress


def test_a_guest_is_asked_to_stay_now_and_then_and_a_member_never(house: House) -> None:
    guest = house.guest("speeches", "speeches")
    asked: list[bool] = []
    for _ in range(3):
        address = guest.post("/rounds", data={"mode": "boundary", "genre": "speeches"}).headers["location"]
        guest.post(f"{address}/moves/0", data=MACHINE)
        asked.append("Keep my progress</a>" in guest.get(address).text)
    assert asked == [True, False, False]

    member = house.member("speeches", "speeches")[1]
    address = member.post("/rounds", data={"mode": "boundary", "genre": "speeches"}).headers["location"]
    member.post(f"{address}/moves/0", data=MACHINE)
    assert "Keep my progress</a>" not in member.get(address).text


def test_a_guest_becomes_an_account_in_place(house: House) -> None:
    guest = house.guest("stories", "recipes")
    played = column(house.database, "SELECT player_id FROM round ORDER BY started_at DESC LIMIT 2")
    name = house.name()
    guest.post("/sign-up", data={"handle": name, "password": PASSWORD})

    assert is_signed_in(guest)
    assert set(played) == {house.player_id(name)}
    assert column(house.database, "SELECT role FROM player WHERE handle = :name", name=name) == ["player"]
    assert f"{name}</a> (you)" in guest.get("/leaderboard").text


def test_a_round_goes_on_across_the_sign_up(house: House) -> None:
    guest = house.browser()
    address = guest.post("/rounds", data={"mode": "boundary", "genre": "stories"}).headers["location"]
    guest.post("/sign-up", data={"handle": house.name(), "password": PASSWORD})

    assert guest.post(f"{address}/moves/0", data=MACHINE).status_code == 303
    assert "points" in guest.get(address).text


def test_the_token_of_the_guest_is_worth_nothing_afterwards(house: House) -> None:
    guest = house.guest("stories")
    old = guest.cookies["roft"]
    guest.post("/sign-up", data={"handle": house.name(), "password": PASSWORD})

    thief = TestClient(house.site, cookies={"roft": old}, follow_redirects=False)
    assert not is_signed_in(thief)
    assert (
        TestClient(house.site, headers={"Authorization": f"Bearer {old}"}).get("/api/v1/genres").status_code
        == 401
    )


def test_somebody_new_can_begin_with_an_account(house: House) -> None:
    browser = house.browser()
    browser.post("/sign-up", data={"handle": house.name(), "password": PASSWORD})

    assert is_signed_in(browser)


REFUSED_NAMES = {
    "": "A name has",
    "x": "A name has",
    "Ada": "A name has",
    "ada lovelace": "A name has",
    "ада": "A name has",
    "1ada": "A name has",
    "ada--b": "A name has",
    "ada-": "A name has",
    "a" * 31: "A name has",
    "admin": "sounds like the site",
    "adm1n": "sounds like the site",
    "r0ft": "sounds like the site",
    "staff-ada": "sounds like the site",
    "moderator-7": "sounds like the site",
    "f-u-c-k": "could hurt",
    "sh1thead": "could hurt",
    "xxfuckyouxx": "could hurt",
    "grape-rapist": "could hurt",
}


@pytest.mark.parametrize("name", REFUSED_NAMES, ids=repr)
def test_a_name_that_cannot_be_is_refused_in_a_sentence(house: House, name: str) -> None:
    guest = house.guest("stories")
    before = house.everything()

    reply = guest.post("/sign-up", data={"handle": name, "password": PASSWORD})
    assert (reply.status_code, "aria-invalid" in reply.text) == (422, True)
    assert REFUSED_NAMES[name] in problem(reply)
    assert house.everything() == before


@pytest.mark.parametrize("name", ["quiet-0tter-4821", "cockatoo", "scunthorpe", "analyst", "bass-player"])
def test_a_harmless_name_is_not_refused(house: House, name: str) -> None:
    reply = house.guest().post("/sign-up", data={"handle": name, "password": PASSWORD})

    assert reply.status_code == 303


@pytest.mark.parametrize("like", ["lily-l0ll", "li1y-loll", "l-i-l-y-l-o-l-l", "1ily-loll"])
def test_a_name_that_looks_like_anothers_is_refused(house: House, like: str) -> None:
    house.guest().post("/sign-up", data={"handle": "lily-loll", "password": PASSWORD})

    reply = house.guest().post("/sign-up", data={"handle": like, "password": PASSWORD})
    assert reply.status_code == 422


@pytest.mark.parametrize("password", ["", "short", "aaaaaaaaaaaaaaa", "abababababab", "x" * 201])
def test_a_weak_password_is_refused_and_what_was_typed_stays(house: House, password: str) -> None:
    name = house.name()

    reply = house.guest().post("/sign-up", data={"handle": name, "password": password})
    assert reply.status_code == 422
    assert f'value="{name}"' in reply.text
    assert column(house.database, "SELECT id FROM player WHERE handle = :name", name=name) == []


def test_the_name_is_no_password(house: House) -> None:
    reply = house.guest().post("/sign-up", data={"handle": "margaret-rose", "password": "Margaret-Rose-1"})

    assert "guessed too easily" in problem(reply)


def test_a_password_is_kept_as_argon2id_only(house: House) -> None:
    name, _ = house.member()

    kept = rows(house.database, "SELECT * FROM account WHERE player_id = :id", id=house.player_id(name))
    assert kept[0]["password_hash"].startswith("$argon2id$")
    assert PASSWORD not in json.dumps(house.everything(), default=str)


def test_two_at_once_do_not_get_the_same_name(house: House) -> None:
    name = house.name()

    first, second = (
        house.guest().post("/sign-up", data={"handle": name, "password": PASSWORD}) for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (303, 422)


# Coming back


def test_a_name_and_a_password_lead_back(house: House) -> None:
    name, _ = house.member("stories")
    elsewhere = house.browser()

    reply = house.sign_in(name, elsewhere)
    assert (reply.status_code, reply.headers["location"]) == (303, "/play")
    assert f"{name}</a> (you)" in elsewhere.get("/leaderboard").text


def test_a_wrong_password_and_an_unknown_name_sound_the_same(house: House) -> None:
    name, _ = house.member()

    wrong, unknown = house.sign_in(name, password="four blue lamps burn"), house.sign_in("nobody-at-all")
    assert (wrong.status_code, problem(wrong)) == (unknown.status_code, problem(unknown))
    assert wrong.status_code == 422


def test_guessing_is_stopped_and_goes_on_later(house: House) -> None:
    name, _ = house.member()
    told = {house.sign_in(name, password=f"guess number {number}").status_code for number in range(10)}

    assert told == {422}
    assert house.sign_in(name).status_code == 429
    house.clock.time += timedelta(minutes=20)
    assert house.sign_in(name).status_code == 303


def test_what_a_guest_played_elsewhere_comes_along(house: House) -> None:
    name, _ = house.member("stories")
    elsewhere = house.guest("recipes", "speeches")

    assert house.sign_in(name, elsewhere).headers["location"] == "/account?done=merged&rounds=2"
    assert (
        "2 rounds that you played as a guest came along"
        in elsewhere.get("/account?done=merged&rounds=2").text
    )
    found = column(
        house.database, "SELECT count(*) FROM round WHERE player_id = :id", id=house.player_id(name)
    )
    assert found == [3]


def test_signing_in_as_somebody_else_ends_the_session_before(house: House) -> None:
    _, browser = house.member()
    before = browser.cookies["roft"]
    other, _ = house.member()
    house.sign_in(other, browser)

    assert is_signed_in(browser)
    assert not is_signed_in(TestClient(house.site, cookies={"roft": before}))


def test_signing_in_to_another_account_takes_nothing_along(house: House) -> None:
    name, browser = house.member("stories")
    other, _ = house.member()
    house.sign_in(other, browser)

    counts = [
        column(house.database, "SELECT count(*) FROM round WHERE player_id = :id", id=house.player_id(one))[0]
        for one in (name, other)
    ]
    assert counts == [1, 0]


# Links by mail


def test_a_link_signs_in_once_when_the_address_was_proven(house: House) -> None:
    address = "grace@example.org"
    name, browser = house.member(email=f" {address.upper()} ")
    assert browser.post(house.links(address)[0]).headers["location"] == "/account?done=confirmed"

    elsewhere = house.browser()
    reply = elsewhere.post("/sign-in/link", data={"email": address})
    link = house.links(address)[0]
    assert "If an account has this address" in reply.text
    assert elsewhere.get(link).status_code == 200  # a mail scanner's visit uses nothing up
    assert elsewhere.post(link).status_code == 303
    assert name in elsewhere.get("/account").text
    assert "used before" in problem(house.browser().post(link))


def test_an_address_that_was_not_proven_opens_nothing(house: House) -> None:
    house.member(email="mallory@example.org")
    before = house.links("mallory@example.org")

    reply = house.browser().post("/sign-in/link", data={"email": "mallory@example.org"})
    assert "If an account has this address" in reply.text
    assert house.links("mallory@example.org") == before


def test_known_and_unknown_addresses_get_the_same_page(house: House) -> None:
    _, browser = house.member(email="known@example.org")
    browser.post(house.links("known@example.org")[0])

    pages = [
        house.browser().post("/sign-in/link", data={"email": email}).text
        for email in ("known@example.org", "unknown@example.org")
    ]
    assert pages[0] == pages[1]


def test_an_address_belongs_to_whoever_proves_it_first(house: House) -> None:
    _, one = house.member(email="both@example.org")
    first = house.links("both@example.org")[0]
    _, other = house.member(email="both@example.org")
    second = house.links("both@example.org")[0]
    one.post(first)

    reply = other.post(second)
    assert reply.status_code == 422
    assert "Another account has this address" in problem(reply)


def test_an_account_can_do_without_a_password(house: House) -> None:
    browser, name = house.guest("stories"), house.name()
    browser.post("/sign-up", data={"handle": name, "password": "", "email": "nopass@example.org"})

    assert "Nothing leads back into this account yet" in browser.get("/account").text
    browser.post(house.links("nopass@example.org")[0])
    assert "Nothing leads back" not in browser.get("/account").text


@pytest.mark.parametrize(
    "email",
    [
        "nonsense",
        "a@b",
        "a b@example.org",
        "a@example.org\nBcc: x@example.org",
        "@example.org",
        "a@@example.org",
    ],
)
def test_what_is_no_address_is_refused(house: House, email: str) -> None:
    reply = house.guest().post(
        "/sign-up", data={"handle": house.name(), "password": PASSWORD, "email": email}
    )

    assert "no e-mail address" in problem(reply)


def test_a_link_grows_old(house: House) -> None:
    _, browser = house.member(email="late@example.org")
    house.clock.time += timedelta(days=1, minutes=1)

    assert "older than a day" in problem(browser.post(house.links("late@example.org")[0]))


def test_nobody_is_flooded_with_mails(house: House) -> None:
    _, browser = house.member(email="flood@example.org")
    browser.post(house.links("flood@example.org")[0])
    told = [
        house.browser().post("/sign-in/link", data={"email": "flood@example.org"}).status_code
        for _ in range(5)
    ]

    assert told == [200, 200, 200, 429, 429]
    assert len(house.links("flood@example.org")) == 1 + 3


# Sessions


def test_sessions_are_listed_and_one_can_be_ended(house: House) -> None:
    name, here = house.member()
    there = house.browser()
    house.sign_in(name, there)

    page = here.get("/account").text
    assert page.count("Firefox on Linux") >= 2
    ids = re.findall(r"/account/sessions/([0-9a-f]{32})/end", page)
    assert len(ids) == 1
    assert here.post(f"/account/sessions/{ids[0]}/end").status_code == 303
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)


def test_nobody_ends_the_session_of_another(house: House) -> None:
    name, victim = house.member()
    _, villain = house.member()
    session = column(
        house.database, "SELECT id FROM session WHERE player_id = :id", id=house.player_id(name)
    )[0]

    assert villain.post(f"/account/sessions/{session}/end").status_code == 404
    assert is_signed_in(victim)


def test_signing_out_ends_the_session_on_the_server(house: House) -> None:
    _, browser = house.member()
    token = browser.cookies["roft"]
    browser.post("/sign-out")

    assert not is_signed_in(TestClient(house.site, cookies={"roft": token}))


def test_another_password_ends_every_other_session(house: House) -> None:
    name, here = house.member()
    there = house.browser()
    house.sign_in(name, there)

    reply = here.post("/account/password", data={"old": PASSWORD, "new": "six red lamps burn"})
    assert reply.status_code == 303
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)
    assert house.sign_in(name).status_code == 422
    assert house.sign_in(name, password="six red lamps burn").status_code == 303


def test_the_old_password_is_asked_for(house: House) -> None:
    _, browser = house.member()

    reply = browser.post("/account/password", data={"old": "a guess of mine", "new": "six red lamps burn"})
    assert (reply.status_code, problem(reply)) == (422, "That is not your password.")


def test_who_comes_by_a_link_may_set_a_new_password_for_a_while(house: House) -> None:
    name, browser = house.member(email="forgot@example.org")
    browser.post(house.links("forgot@example.org")[0])
    elsewhere = house.browser()
    elsewhere.post("/sign-in/link", data={"email": "forgot@example.org"})
    elsewhere.post(house.links("forgot@example.org")[0])

    assert elsewhere.post("/account/password", data={"new": "six red lamps burn"}).status_code == 303
    house.clock.time += timedelta(minutes=20)
    assert elsewhere.post("/account/password", data={"new": "ten old lamps burn"}).status_code == 422
    assert house.sign_in(name, password="six red lamps burn").status_code == 303


def test_a_session_that_is_not_used_ends(house: House) -> None:
    _, browser = house.member()
    house.clock.time += IDLE / 2
    assert is_signed_in(browser)
    house.clock.time += IDLE * 3 / 4
    assert is_signed_in(browser)
    house.clock.time += IDLE + timedelta(hours=1)

    assert not is_signed_in(browser)


def test_a_token_for_scripts_plays_and_can_be_ended(house: House) -> None:
    _, browser = house.member()
    found = re.search(r"<code>(s\.[\w-]+)</code>", browser.post("/account/tokens").text)
    assert found
    script = TestClient(house.site, headers={"Authorization": f"Bearer {found[1]}"})

    assert script.post("/api/v1/rounds", json={"mode": "boundary"}).status_code == 201
    browser.post("/account/sessions/end-others")
    assert script.get("/api/v1/genres").status_code == 401


@pytest.mark.parametrize(
    "way", ["name", "board", "password", "email", "consents", "tokens", "delete", "sessions/end-others"]
)
def test_a_guest_has_nothing_to_change(house: House, way: str) -> None:
    assert house.guest("stories").post(f"/account/{way}", data={}).status_code == 403


# Names


def test_a_name_can_be_changed_and_the_old_one_stays_reserved(house: House) -> None:
    name, browser = house.member()
    fresh = house.name()
    browser.post("/account/name", data={"handle": fresh})

    assert house.player_id(fresh)
    assert house.browser().get(f"/players/{name}").headers["location"] == f"/players/{fresh}"
    assert house.guest().post("/sign-up", data={"handle": name, "password": PASSWORD}).status_code == 422
    assert browser.post("/account/name", data={"handle": name}).status_code == 303
    assert house.player_id(name)


# Boards


@pytest.mark.parametrize(("board", "shown"), [("named", True), ("anonymous", False), ("off", False)])
def test_others_see_on_boards_what_one_wants_them_to_see(house: House, board: str, *, shown: bool) -> None:
    name, browser = house.member("stories")
    browser.post("/account/board", data={"board": board})

    def lines(reader: TestClient) -> int:
        return reader.get("/leaderboard").text.count('<th scope="row">')

    assert (name in house.browser().get("/leaderboard").text) is shown
    assert f"{name}</a> (you)" in browser.get("/leaderboard").text
    before = lines(house.browser())
    browser.post("/account/board", data={"board": "named"})
    assert lines(house.browser()) - before == (1 if board == "off" else 0)


# Consents, data, leaving


def test_consents_are_given_one_by_one_and_taken_back(house: House) -> None:
    name, browser = house.member()
    browser.post("/account/consents", data={"purpose": ["research", "contact"]})
    browser.post("/account/consents", data={"purpose": "contact"})

    said = rows(
        house.database,
        "SELECT purpose, granted FROM consent WHERE player_id = :id ORDER BY id",
        id=house.player_id(name),
    )
    assert [(one["purpose"], bool(one["granted"])) for one in said] == [
        ("research", True),
        ("contact", True),
        ("research", False),
    ]


def test_the_api_takes_consents_too(house: House) -> None:
    _, browser = house.member()
    found = re.search(r"<code>(s\.[\w-]+)</code>", browser.post("/account/tokens").text)
    assert found
    script = TestClient(house.site, headers={"Authorization": f"Bearer {found[1]}"})

    assert script.post("/api/v1/consents", json={"purpose": "research", "granted": True}).status_code == 201
    assert 'value="research" checked' in browser.get("/account").text
    assert script.post("/api/v1/consents", json={"purpose": "marriage", "granted": True}).status_code == 422
    reply = script.post("/api/v1/consents", json={"purpose": "research", "granted": True, "study": "x"})
    assert (reply.status_code, reply.json()["type"]) == (404, "no-such-study")


def test_one_can_take_everything_along_but_open_answers(house: House) -> None:
    name, browser = house.member("stories", email="export@example.org")
    browser.post("/rounds", data={"mode": "boundary", "genre": "recipes"})

    told = browser.get("/account/data.json").json()
    closed, still_open = sorted(told["rounds"], key=lambda one: one["closed_at"] is None)
    assert told["player"]["handle"] == name
    assert told["account"][0]["email"] == "export@example.org"
    assert closed["moves"][0]["form"] == MACHINE
    assert closed["points"] is not None
    assert not {"passage_id", "boundary"} & set(still_open)
    assert PASSWORD not in json.dumps(told)
    assert "argon2" not in json.dumps(told)


def leave(browser: TestClient, name: str, password: str = PASSWORD) -> Any:
    return browser.post("/account/delete", data={"handle": name, "old": password})


def test_an_account_that_leaves_is_gone_from_every_table(house: House) -> None:
    name, browser = house.member("stories", email="leaving@example.org")
    elsewhere = house.guest("recipes")
    house.sign_in(name, elsewhere)
    browser.post("/account/name", data={"handle": f"{name}-2"})
    ids = [house.player_id(f"{name}-2"), *column(house.database, "SELECT guest_id FROM merger")]
    assert "are deleted too" in browser.get("/account/delete").text

    assert leave(browser, f"{name}-2").headers["location"] == "/?gone=1"
    left = json.dumps(house.everything(), default=str)
    assert [one for one in (*ids[:1], name, "leaving@example.org") if one in left] == []
    assert not is_signed_in(elsewhere)
    assert house.sign_in(f"{name}-2").status_code == 422


def test_rounds_stay_for_research_where_that_was_agreed_to_without_notes(house: House) -> None:
    name, browser = house.member()
    browser.post("/account/consents", data={"purpose": "research"})
    address = browser.post("/rounds", data={"mode": "boundary", "genre": "stories"}).headers["location"]
    move = {"call": "machine", "reasons": ["other"], "note": "my aunt Agatha writes like that"}
    browser.post(f"{address}/moves/0", data=move)
    round_id = address.rpartition("/")[2]
    assert "stays</strong> for research" in browser.get("/account/delete").text
    leave(browser, name)

    kept = rows(
        house.database,
        "SELECT p.handle, r.points FROM round r JOIN player p ON p.id = r.player_id WHERE r.id = :id",
        id=round_id,
    )
    assert kept[0]["points"] is not None
    assert kept[0]["handle"].startswith("gone-")
    left = json.dumps(house.everything(), default=str)
    assert name not in left
    assert "Agatha" not in left


def test_notes_stay_where_that_was_agreed_to_as_well(house: House) -> None:
    name, browser = house.member()
    browser.post("/account/consents", data={"purpose": ["research", "free-text"]})
    address = browser.post("/rounds", data={"mode": "boundary", "genre": "stories"}).headers["location"]
    move = {"call": "machine", "reasons": ["other"], "note": f"by {name}s aunt"}
    browser.post(f"{address}/moves/0", data=move)
    leave(browser, name)

    assert f"by {name}s aunt" in json.dumps(house.everything(), default=str)


@pytest.mark.parametrize("form", [{"handle": "somebody-else"}, {}, {"handle": None, "old": "wrong password"}])
def test_nobody_leaves_by_accident(house: House, form: dict[str, str | None]) -> None:
    name, browser = house.member("stories")
    before = house.everything()

    reply = browser.post(
        "/account/delete", data={key: name if value is None else value for key, value in form.items()}
    )
    assert reply.status_code == 422
    assert house.everything() == before


def test_the_boards_forget_who_leaves(house: House) -> None:
    name, browser = house.member("stories")
    leave(browser, name)

    assert name not in house.browser().get("/leaderboard").text


# From the shell


def test_a_key_from_the_shell_signs_in_and_a_password_can_be_set(house: House) -> None:
    name = house.name()
    with house.database.write() as db:
        key = new_user(db, name, "instructor", now=house.clock())
    browser = house.browser()
    browser.post("/sign-in", data={"key": key})

    assert is_signed_in(browser)
    assert browser.post("/account/password", data={"new": PASSWORD}).status_code == 303
    assert house.sign_in(name).status_code == 303
