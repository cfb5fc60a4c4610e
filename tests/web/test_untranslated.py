"""In another language nothing on the pages is left in English, but for what is English everywhere."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from random import Random

import pytest
from starlette.testclient import TestClient

from app.mail import FolderPostbox
from app.main import create_app
from app.services.building import Condition
from app.services.importing import import_passages
from app.services.reporting import annul
from app.services.signing_in import new_user
from app.store.database import Database
from app.web.languages import COOKIE, Languages
from game.days import DAILY
from tests.app.seasons import publish_made_up
from tests.conftest import Clock
from tests.factories import no_pointers, record
from tests.stocking import column, full_deck, settings_for, stocked
from tests.web.reading import CODE, untranslated, write_brackets

PASSWORD = "five blue lamps burn"
MACHINE = {"call": "machine", "reasons": ["generic"], "confidence": "80"}
ALL_HUMAN = {"call": "human", "reasons": ["voice"]}


@dataclass
class House:
    """A site whose other language is made of brackets."""

    site: object
    database: Database
    clock: Clock

    def browser(self) -> TestClient:
        """Return a browser that has never been here and reads brackets."""
        return TestClient(self.site, cookies={COOKIE: CODE})  # type: ignore[arg-type]

    def start(self, genre: str, browser: TestClient | None = None) -> tuple[TestClient, str]:
        """Return a browser with a new round, and the address of the round."""
        browser = browser or self.browser()
        reply = browser.post("/rounds", data={"mode": "boundary", "genre": genre})
        return browser, reply.url.path

    def finish(self, genre: str, browser: TestClient | None = None) -> TestClient:
        """Return the browser of somebody who has finished a round."""
        browser, address = self.start(genre, browser)
        browser.post(f"{address}/moves/0", data=MACHINE)
        return browser

    def member(self) -> TestClient:
        """Return the browser of somebody with an account and ten finished rounds."""
        browser = self.browser()
        for _ in range(10):
            self.finish("recipes", browser)
        name = f"reader-{'abcdefghijklmnop'[len(self._members())]}"
        browser.post("/sign-up", data={"handle": name, "password": PASSWORD, "email": f"{name}@example.org"})
        return browser

    def _members(self) -> list[str]:
        return column(self.database, "SELECT player_id FROM account")


@pytest.fixture(scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A site with three genres, a text that many play, and some days."""
    home = tmp_path_factory.mktemp("brackets")
    write_brackets(home / "locale")
    deck = [*full_deck(), record(boundary=4, genre="news", salt="gazette", after="O")]
    database, clock = stocked(settings_for(home, "sqlite", request), deck), Clock()
    texts = [record(boundary=1, salt=f"day {number}").model_dump_json() for number in range(4)]
    with database.write() as db:
        import_passages(db, texts, resolve=no_pointers, deck=DAILY, now=clock())
    publish_made_up(database)
    site = create_app(
        settings_for(home, "sqlite", request),
        database,
        now=clock,
        rng=Random(7),
        postbox=FolderPostbox(home / "mail"),
        languages=Languages(home / "locale"),
        read_plan=lambda _: [Condition("speeches", "smollm2", 10)],
    )
    yield House(site, database, clock)
    database.close()


def open_round(house: House) -> str:
    browser, address = house.start("speeches")
    return browser.post(f"{address}/moves/0", data={"call": "human"}).text


def chips(house: House) -> str:
    browser, address = house.start("speeches")
    return browser.get(address, params={"call": "machine"}).text


def question_for_a_reason(house: House) -> str:
    browser, address = house.start("speeches")
    return browser.post(f"{address}/moves/0", data={"call": "machine"}).text


def turn_played_before(house: House) -> str:
    browser, address = house.start("speeches")
    browser.post(f"{address}/moves/0", data={"call": "human"})
    return browser.post(f"{address}/moves/0", data=MACHINE).text


def reveal_with_crowd(house: House) -> str:
    for _ in range(5):
        house.finish("news")
    browser, address = house.start("news")
    for turn in range(3):
        browser.post(f"{address}/moves/{turn}", data={"call": "human"})
    return browser.post(f"{address}/moves/3", data=MACHINE).text


def read_to_the_end(house: House) -> str:
    browser, address = house.start("stories")
    for turn in range(8):
        browser.post(f"{address}/moves/{turn}", data={"call": "human"})
    last = browser.get(address, params={"call": "human"}).text
    return last + browser.post(f"{address}/moves/8", data=ALL_HUMAN).text


def finished_genre(house: House) -> str:
    browser = house.finish("news")
    return browser.post("/rounds", data={"mode": "boundary", "genre": "news"}).text


def run_of_answers(house: House) -> str:
    browser, address = house.browser(), ""
    for _ in range(6):
        browser, address = house.start("speeches", browser)
        browser.post(f"{address}/moves/0", data=MACHINE)
    return browser.get(address).text


def day_played(house: House) -> str:
    browser = house.browser()
    address = browser.post(f"/daily/{house.clock().date()}").url.path
    browser.post(f"{address}/moves/0", data=MACHINE)
    return browser.get(address).text + browser.get("/daily").text


def days_gone_by(house: House) -> str:
    browser = house.browser()
    day_played(house)
    house.clock.time += timedelta(days=1)
    page = browser.get("/daily/archive").text
    house.clock.time -= timedelta(days=1)
    return page


def report(house: House) -> str:
    browser, address = house.start("speeches")
    thanks = browser.post(f"{address}/report", data={"kind": "broken"}).text
    passage = column(house.database, "SELECT passage_id FROM report")[-1]
    with house.database.write() as db:
        annul(db, passage, now=house.clock())
    return thanks + browser.get("/play").text


def profile(house: House) -> str:
    browser = house.member()
    handle = column(house.database, "SELECT handle FROM player JOIN account ON id = player_id")[-1]
    stranger = house.browser()
    return browser.get(f"/players/{handle}").text + stranger.get(f"/players/{handle}").text


def refused_sign_up(house: House) -> str:
    browser = house.finish("speeches")
    form = {"handle": "admin", "password": PASSWORD}
    wrong = browser.post("/sign-up", data=form).text
    return wrong + browser.post("/sign-up", data={**form, "handle": "ada-x", "password": "short"}).text


def refused_sign_in(house: House) -> str:
    browser = house.browser()
    wrong = browser.post("/sign-in", data={"name": "nobody-here", "password": PASSWORD}).text
    return wrong + browser.post("/sign-in/link", data={"email": "no address"}).text


def lesson(house: House) -> str:
    browser = house.browser()
    begun = browser.get("/practice/boundary/1", params={"call": "human"}).text
    said = ["human"] * 5 + ["machine"]
    return begun + browser.get("/practice/boundary/1", params={"said": said}).text


def builds(house: House) -> str:
    with house.database.write() as db:
        key = new_user(db, "ruth", "researcher", now=house.clock())
    browser = house.browser()
    browser.post("/sign-in", data={"key": key})
    refused = browser.post("/studies/builds", data={"title": "", "plan": "…"}).text
    begun = browser.post("/studies/builds", data={"title": "1", "plan": "…"})
    return refused + begun.text + browser.get("/studies/builds").text


def at(address: str) -> Callable[[House], str]:
    return lambda house: house.browser().get(address).text


def mine(address: str) -> Callable[[House], str]:
    return lambda house: house.member().get(address).text


PAGES: Mapping[str, Callable[[House], str]] = {
    "the front page": at("/"),
    "the menu": at("/play"),
    "the guide": at("/guide"),
    "practice": lesson,
    "an open round": open_round,
    "the chips": chips,
    "the question for a reason": question_for_a_reason,
    "a turn that was played before": turn_played_before,
    "a reveal with what everybody said": reveal_with_crowd,
    "a round read to its end": read_to_the_end,
    "a run of answers": run_of_answers,
    "a finished genre": finished_genre,
    "the day before it is played": at("/daily"),
    "the day after it is played": day_played,
    "a day without a text": at("/daily/2020-01-01"),
    "a day to come": at("/daily/2030-01-01"),
    "the archive": days_gone_by,
    "the board": at("/leaderboard"),
    "the board of a month": at("/leaderboard?genre=recipes&window=month"),
    "the board for somebody on it": mine("/leaderboard"),
    "a profile": profile,
    "the sign-up": at("/sign-up"),
    "a sign-up that is refused": refused_sign_up,
    "the sign-in": at("/sign-in"),
    "a sign-in that is refused": refused_sign_in,
    "the account of a guest": at("/account"),
    "an account": mine("/account?done=merged&rounds=3"),
    "the way out": mine("/account/delete"),
    "a link that does not work": lambda house: house.browser().post(f"/links/{'x' * 20}").text,
    "a report and what came of it": report,
    "the machines": at("/generators"),
    "no connection": at("/offline"),
    "an address that leads nowhere": at("/nowhere"),
    "a page for researchers": at("/studies/builds"),
    "the builds": builds,
    "a name that nobody has": at("/players/nobody-here"),
    "the description of the API": at("/docs"),
}


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_left_in_english_on(page: str, house: House) -> None:
    html = PAGES[page](house)

    assert "⟦" in html
    assert untranslated(html) == []


def test_what_is_left_in_english_is_found() -> None:
    page = '<p>⟦All of⟧ <b>this</b> <i lang="en">or that</i> ⟦is⟧ 5 %<img alt="a cat"><img alt="⟦a dog⟧"></p>'

    assert untranslated(page) == ["this", "a cat"]


def test_mails_are_written_in_the_language_of_whoever_asked(house: House) -> None:
    house.member()
    page = house.browser().get("/mailbox").text

    assert "⟦Is this your address?⟧" in page


def test_what_the_browser_calls_the_app_is_translated(house: House) -> None:
    told = house.browser().get("/manifest.webmanifest").json()

    assert told["lang"] == CODE
    assert told["name"].startswith("⟦")
    assert told["description"].startswith("⟦")
