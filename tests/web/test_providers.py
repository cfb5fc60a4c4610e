"""Another site says who somebody is: a guest keeps their progress by it, comes back, links and unlinks it."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient

from app.mail import FolderPostbox
from app.main import create_app
from app.web.departures import COOKIE, LASTS
from tests.conftest import Clock
from tests.stocking import column, full_deck, rows, settings_for, stocked
from tests.web.openid import Openid, entry_for, serving
from tests.web.test_accounts import PASSWORD, House, is_signed_in, leave, problem

SITE = "http://testserver"
GOOD = ("good", "other", "elliptic", "posted", "wordy", "shared-for-us")
"""Ways of a provider that must be understood."""
AT_THE_START: Mapping[str, tuple[int, str]] = {
    "down": (503, "does not answer"),
    "nobody-there": (503, "does not answer"),
    "huge": (503, "does not answer"),
    "missing": (502, "cannot be trusted"),
    "html": (502, "cannot be trusted"),
    "list": (502, "cannot be trusted"),
    "short": (502, "cannot be trusted"),
    "impostor": (502, "cannot be trusted"),
    "open": (502, "cannot be trusted"),
    "moved": (502, "cannot be trusted"),
    "unheard-of": (404, "no such way in"),
}
"""What somebody is told who cannot even leave."""
UNTRUSTED = (
    *("misled", "mixed-up"),
    *("token-html", "token-null", "unwilling", "bare", "garbled", "surrogate"),
    *("keys-html", "keys-null", "keyless"),
    *("forged", "unknown-key", "tampered", "unsigned", "shared-secret", "public-secret"),
    *("other-issuer", "other-audience", "no-audience", "shared", "for-another"),
    *("expired", "endless", "from-the-future"),
    *("other-nonce", "no-nonce", "listed-nonce"),
    *("nobody", "number", "unprintable", "long-subject"),
)
ON_RETURN: Mapping[str, tuple[int, str]] = {
    "refused": (403, "was not allowed to tell who you are"),
    "broken": (503, "does not answer"),
    "wordless": (422, "sent no answer along"),
    "token-down": (503, "does not answer"),
    "keys-down": (503, "does not answer"),
} | dict.fromkeys(UNTRUSTED, (502, "cannot be trusted"))
"""What somebody is told who comes back with that."""


@dataclass
class Hotel(House):
    """A site whose guests may come in by a provider; of those there is one for each way."""

    openid: Openid = field(kw_only=True)

    def leave_for(self, way: str, browser: TestClient) -> Any:
        """Press the button that leads to a provider and return the reply."""
        return browser.post(f"/sign-in/with/{way}")

    def come_by(self, way: str, browser: TestClient, *, person: str) -> Any:
        """Come in by a provider as somebody and return the reply."""
        return browser.get(answer(self.leave_for(way, browser), person))

    def link(self, way: str, browser: TestClient, *, person: str) -> Any:
        """Link a provider as somebody and return the reply."""
        return browser.get(answer(leave_to_link(way, browser), person))

    def person(self) -> str:
        """Return somebody at a provider who has never been here."""
        return f"somebody-{self.name()}"

    def identities(self, name: str) -> list[tuple[str, str]]:
        """Return who a player is at providers."""
        found = rows(
            self.database,
            "SELECT issuer, subject FROM identity WHERE player_id = :id ORDER BY issuer",
            id=self.player_id(name),
        )
        return [(one["issuer"].rpartition("/")[2], one["subject"]) for one in found]

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Fail if anything is written meanwhile."""
        before = self.everything()
        yield
        assert self.everything() == before


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def hotel(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hotel]:
    """A site on each kind of database, with providers of every way."""
    home = tmp_path_factory.mktemp("hotel")
    clock = Clock()
    with serving(lambda: clock.time) as openid:
        ways = {*GOOD, *AT_THE_START, *ON_RETURN} - {"unheard-of", "nobody-there"}
        issuers = {way: openid.issuer(way) for way in sorted(ways)}
        issuers["nobody-there"] = "http://127.0.0.1:9"
        file = home / "providers.toml"
        file.write_text(
            "\n".join(f"[{way}]\n{entry_for(issuer, f'The {way} one')}" for way, issuer in issuers.items())
        )
        settings = settings_for(home, request.param, request).model_copy(
            update={"providers": str(file), "address": SITE}
        )
        database = stocked(settings, full_deck())
        site = create_app(settings, database, now=clock, rng=Random(7), postbox=FolderPostbox(home / "mail"))
        yield Hotel(site, database, clock, home / "mail", openid=openid)
        database.close()


def way_out(page: Any) -> str:
    """Return where a page leads, by itself and by its link."""
    found = re.search(r'content="0; url=([^"]+)"', page.text)
    assert found, page.text
    assert f'href="{found[1]}"' in page.text
    return unescape(found[1])


def answer(page: Any, person: str) -> str:
    """Go on to a provider as somebody and return where on our site it sends the browser back to."""
    reply = httpx2.get(httpx2.URL(way_out(page)).copy_merge_params({"person": person}))
    assert reply.status_code == 302, reply.text
    return str(reply.headers["location"]).removeprefix(SITE)


def leave_to_link(way: str, browser: TestClient) -> Any:
    """Press the button that links a provider and return the reply."""
    return browser.post(f"/account/providers/{way}/link", data={"old": PASSWORD})


def name_of(browser: TestClient) -> str:
    """Return the name of whoever is signed in."""
    return str(browser.get("/account/data.json").json()["player"]["handle"])


def played(hotel: Hotel, name: str) -> int:
    found = "SELECT count(*) FROM round WHERE player_id = :id"
    return int(column(hotel.database, found, id=hotel.player_id(name))[0])


# The first time


@pytest.mark.parametrize("way", GOOD)
def test_a_guest_becomes_an_account_in_place(hotel: Hotel, way: str) -> None:
    guest, person = hotel.guest("stories", "recipes"), hotel.person()
    name = name_of(guest)

    reply = hotel.come_by(way, guest, person=person)
    assert (reply.status_code, reply.headers["location"]) == (303, "/account?done=kept")
    assert is_signed_in(guest)
    assert name_of(guest) == name
    assert hotel.identities(name) == [(way, person)]
    assert (played(hotel, name), guest.cookies.get(COOKIE)) == (2, None)
    assert "Nothing leads back" not in guest.get("/account").text


def test_somebody_new_can_begin_with_it(hotel: Hotel) -> None:
    browser = hotel.browser()
    hotel.come_by("good", browser, person=hotel.person())

    assert is_signed_in(browser)


def test_nothing_is_asked_for_but_who_somebody_is(hotel: Hotel) -> None:
    browser = hotel.browser()
    asked = dict(parse_qsl(urlsplit(way_out(hotel.leave_for("good", browser))).query))

    assert asked["scope"] == "openid"
    assert asked["redirect_uri"] == f"{SITE}/sign-in/back/good"
    assert set(asked) == {
        *("theme", "response_type", "scope", "client_id", "redirect_uri"),
        *("state", "nonce", "code_challenge", "code_challenge_method"),
    }


def test_an_address_says_nothing_about_who_somebody_is(hotel: Hotel) -> None:
    name, member = hotel.member(email="ada@example.org")  # which is what the provider says of everybody
    member.post(hotel.links("ada@example.org")[0])
    browser = hotel.browser()
    hotel.come_by("good", browser, person=hotel.person())

    assert name_of(browser) != name


# Coming back


def test_whoever_was_here_before_comes_back_and_their_guest_comes_along(hotel: Hotel) -> None:
    first, person = hotel.guest("stories"), hotel.person()
    hotel.come_by("good", first, person=person)
    elsewhere = hotel.guest("recipes", "speeches")

    reply = hotel.come_by("good", elsewhere, person=person)
    assert reply.headers["location"] == "/account?done=merged&rounds=2"
    assert name_of(elsewhere) == name_of(first)
    assert played(hotel, name_of(first)) == 3
    assert "by another site" in elsewhere.get("/account").text


def test_two_providers_may_use_the_same_name_for_two_people(hotel: Hotel) -> None:
    one, other, person = hotel.browser(), hotel.browser(), hotel.person()
    hotel.come_by("good", one, person=person)
    hotel.come_by("other", other, person=person)

    assert name_of(one) != name_of(other)


def test_somebody_else_at_the_provider_ends_the_session_before(hotel: Hotel) -> None:
    person, known = hotel.person(), hotel.browser()
    hotel.come_by("good", known, person=person)
    _, browser = hotel.member("stories")
    before = browser.cookies["roft"]
    hotel.come_by("good", browser, person=person)

    assert name_of(browser) == name_of(known)
    assert not is_signed_in(TestClient(hotel.site, cookies={"roft": before}))


def test_a_stranger_at_the_provider_makes_no_second_account_of_somebody_signed_in(hotel: Hotel) -> None:
    name, browser = hotel.member()
    with hotel.unchanged():
        reply = hotel.come_by("good", browser, person=hotel.person())

    assert (reply.status_code, f"You are signed in as {name}" in problem(reply)) == (409, True)


def test_who_comes_by_a_provider_may_set_a_password(hotel: Hotel) -> None:
    browser = hotel.browser()
    hotel.come_by("good", browser, person=hotel.person())

    assert browser.post("/account/password", data={"new": PASSWORD}).status_code == 303
    assert hotel.sign_in(name_of(browser)).status_code == 303


def test_no_parameter_leads_to_another_site(hotel: Hotel) -> None:
    browser, evil = hotel.browser(), "https://evil.example"
    page = browser.post(f"/sign-in/with/good?next={evil}", data={"next": evil})
    back = f"{answer(page, hotel.person())}&next={evil}&redirect_uri={evil}"

    assert "evil" not in page.text
    assert browser.get(back).headers["location"] == "/account?done=kept"


# What can go wrong


@pytest.mark.parametrize("way", AT_THE_START)
def test_who_cannot_leave_is_told_in_a_sentence(hotel: Hotel, way: str) -> None:
    guest = hotel.guest("stories")
    with hotel.unchanged():
        reply = hotel.leave_for(way, guest)

    status, words = AT_THE_START[way]
    assert (reply.status_code, words in problem(reply)) == (status, True)
    assert COOKIE not in guest.cookies


@pytest.mark.parametrize("way", ON_RETURN)
def test_who_comes_back_with_nothing_good_is_told_in_a_sentence(hotel: Hotel, way: str) -> None:
    guest = hotel.guest("stories")
    back = answer(hotel.leave_for(way, guest), hotel.person())
    with hotel.unchanged():
        reply = guest.get(back)

    status, words = ON_RETURN[way]
    assert (reply.status_code, words in problem(reply)) == (status, True)
    assert not is_signed_in(guest)
    assert "You have played 1 round" in guest.get("/account").text


def test_an_answer_for_another_browser_is_refused(hotel: Hotel) -> None:
    mallory, victim = hotel.browser(), hotel.guest("stories")
    back = answer(hotel.leave_for("good", mallory), hotel.person())
    with hotel.unchanged():
        never_left = victim.get(back)
        hotel.leave_for("good", victim)
        left = victim.get(back)

    for reply in (never_left, left):
        assert (reply.status_code, "is not waiting" in problem(reply)) == (422, True)
    assert not is_signed_in(victim)


@pytest.mark.parametrize(
    "change",
    [
        ("state=", "state=x"),
        ("state=", "other="),
        ("/back/good", "/back/other"),
        ("code=", "other="),
        ("code=", "code=x"),
    ],
    ids=str,
)
def test_an_answer_that_was_changed_on_the_way_is_refused(hotel: Hotel, change: tuple[str, str]) -> None:
    guest = hotel.guest("stories")
    back = answer(hotel.leave_for("good", guest), hotel.person())
    with hotel.unchanged():
        reply = guest.get(back.replace(*change))

    assert (reply.status_code, "please start again" in problem(reply)) == (422, True)


def test_a_departure_that_was_forged_is_none(hotel: Hotel) -> None:
    guest = hotel.guest("stories")
    back = answer(hotel.leave_for("good", guest), hotel.person())
    kept = guest.cookies[COOKIE]
    guest.cookies.clear()
    guest.cookies.set(COOKIE, f"{kept[:-4]}AAAA")

    assert "is not waiting" in problem(guest.get(back))


def test_an_answer_counts_once(hotel: Hotel) -> None:
    browser = hotel.browser()
    back = answer(hotel.leave_for("good", browser), hotel.person())
    kept = browser.cookies[COOKIE]
    browser.get(back)
    thief = hotel.browser()
    thief.cookies.set(COOKIE, kept)

    assert "is not waiting" in problem(thief.get(back))
    assert not is_signed_in(thief)


def test_a_code_that_the_provider_takes_for_used_is_refused(hotel: Hotel) -> None:
    guest = hotel.guest("stories")
    back = answer(hotel.leave_for("good", guest), hotel.person())
    hotel.openid.codes.clear()
    with hotel.unchanged():
        reply = guest.get(back)

    assert (reply.status_code, "used before" in problem(reply)) == (422, True)


def test_who_stays_away_too_long_starts_again(hotel: Hotel) -> None:
    browser = hotel.browser()
    back = answer(hotel.leave_for("good", browser), hotel.person())
    hotel.clock.time += LASTS

    assert "is not waiting" in problem(browser.get(back))


@pytest.mark.parametrize("way", ["/sign-in/with/good", "/account/providers/good/link"])
def test_another_site_sends_nobody_out(hotel: Hotel, way: str) -> None:
    _, browser = hotel.member()

    assert browser.post(way, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_what_a_browser_carries_is_out_of_reach_of_scripts(hotel: Hotel) -> None:
    reply = hotel.leave_for("good", hotel.browser())

    (cookie,) = reply.headers.get_list("set-cookie")
    assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Path=/sign-in", "Max-Age=600"))
    assert "form-action 'self';" in reply.headers["content-security-policy"]


# Linking and unlinking


def test_an_account_is_linked_and_unlinked(hotel: Hotel) -> None:
    name, browser = hotel.member()
    person = hotel.person()

    assert hotel.link("good", browser, person=person).headers["location"] == "/account?done=linked"
    elsewhere = hotel.browser()
    hotel.come_by("good", elsewhere, person=person)
    assert name_of(elsewhere) == name
    assert browser.post("/account/providers/good/unlink").status_code == 303
    assert hotel.identities(name) == []
    hotel.come_by("good", elsewhere := hotel.browser(), person=person)
    assert name_of(elsewhere) != name


def test_linking_twice_changes_nothing(hotel: Hotel) -> None:
    _, browser = hotel.member()
    person = hotel.person()
    hotel.link("good", browser, person=person)
    with hotel.unchanged():
        assert hotel.link("good", browser, person=person).status_code == 303


def test_somebody_who_signs_in_another_account_cannot_be_linked(hotel: Hotel) -> None:
    person = hotel.person()
    hotel.come_by("good", hotel.browser(), person=person)
    _, browser = hotel.member()
    with hotel.unchanged():
        reply = hotel.link("good", browser, person=person)

    assert (reply.status_code, "signs in another account" in problem(reply)) == (409, True)


def test_an_account_has_one_link_to_a_provider(hotel: Hotel) -> None:
    _, browser = hotel.member()
    hotel.link("good", browser, person=hotel.person())
    with hotel.unchanged():
        reply = hotel.link("good", browser, person=hotel.person())

    assert (reply.status_code, "unlink them first" in problem(reply)) == (409, True)


def test_linking_asks_for_the_password(hotel: Hotel) -> None:
    _, browser = hotel.member()

    reply = browser.post("/account/providers/good/link", data={"old": "a guess of mine"})
    assert (reply.status_code, problem(reply)) == (422, "That is not your password.")


def test_linking_ends_with_the_session_it_began_in(hotel: Hotel) -> None:
    _, browser = hotel.member()
    back = answer(leave_to_link("good", browser), hotel.person())
    other, _ = hotel.member()
    hotel.sign_in(other, browser)
    with hotel.unchanged():
        reply = browser.get(back)

    assert (reply.status_code, "not signed in any more" in problem(reply)) == (422, True)


def test_the_last_way_in_stays(hotel: Hotel) -> None:
    browser = hotel.browser()
    hotel.come_by("good", browser, person=hotel.person())
    with hotel.unchanged():
        reply = browser.post("/account/providers/good/unlink")
    assert (reply.status_code, "your only way in" in problem(reply)) == (409, True)

    hotel.link("other", browser, person=hotel.person())
    assert browser.post("/account/providers/good/unlink").status_code == 303
    assert browser.post("/account/providers/other/unlink").status_code == 409
    browser.post("/account/password", data={"new": PASSWORD})
    assert browser.post("/account/providers/other/unlink").status_code == 303
    assert hotel.identities(name_of(browser)) == []


@pytest.mark.parametrize("deed", ["link", "unlink"])
def test_a_guest_has_nothing_to_link(hotel: Hotel, deed: str) -> None:
    assert hotel.guest("stories").post(f"/account/providers/good/{deed}").status_code == 403


# Pages, data, leaving


def test_the_pages_offer_it(hotel: Hotel) -> None:
    _, browser = hotel.member()
    offer = "Go on with The good one</button>"

    assert offer in hotel.browser().get("/sign-in").text
    assert offer in hotel.browser().get("/sign-up").text
    assert offer in browser.get("/account").text
    hotel.link("good", browser, person=hotel.person())
    assert offer not in browser.get("/account").text
    assert "/account/providers/good/unlink" in browser.get("/account").text


def test_own_data_tell_who_somebody_is_elsewhere_and_leaving_forgets_it(hotel: Hotel) -> None:
    browser, person = hotel.guest("stories"), hotel.person()
    hotel.come_by("good", browser, person=person)
    (told,) = browser.get("/account/data.json").json()["identities"]
    assert (told["subject"], told["issuer"].rpartition("/")[2]) == (person, "good")

    assert leave(browser, name_of(browser)).headers["location"] == "/?gone=1"
    assert person not in json.dumps(hotel.everything(), default=str)
    again = hotel.browser()
    assert hotel.come_by("good", again, person=person).headers["location"] == "/account?done=kept"


def test_nothing_of_it_shows_where_there_is_none(
    hotel: Hotel, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    settings = settings_for(tmp_path, hotel.database.engine.dialect.name, request)
    database = stocked(settings, full_deck())
    plain = House(create_app(settings, database, now=Clock(), rng=Random(7)), database, Clock(), tmp_path)
    _, browser = plain.member()

    for page in (browser.get("/account"), plain.browser().get("/sign-in"), plain.browser().get("/sign-up")):
        assert "another site" not in page.text
        assert "Go on with" not in page.text
    assert browser.post("/sign-in/with/good").status_code == 404
    assert browser.get("/sign-in/back/good?code=x&state=x").status_code == 404
    database.close()
