"""One text a day for everybody: drawn once, rated once, played again only for fun."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from app.main import create_app
from app.services.importing import import_passages
from app.services.reporting import annul
from app.store.daily import count_fresh
from game.days import DAILY
from scoring.vigilance import UNRATED_RULE
from tests.app.recounting import stored_books
from tests.conftest import Clock
from tests.factories import no_pointers, record
from tests.stocking import column, full_deck, rows, settings_for, stocked
from tests.web.test_accounts import PASSWORD, House

TODAY = date(2026, 12, 1)
TOMORROW = TODAY + timedelta(days=1)
MACHINE = {"call": "machine", "reasons": "generic"}
HUMAN = {"call": "human"}


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A site with a deck for some days."""
    home = tmp_path_factory.mktemp("days")
    settings = settings_for(home, request.param, request)
    database, clock = stocked(settings, full_deck(genres=["speeches"])), Clock()
    texts = [record(boundary=1, salt=f"day {number}").model_dump_json() for number in range(4)]
    with database.write() as db:
        import_passages(db, texts, resolve=no_pointers, deck=DAILY, now=clock())
    yield House(create_app(settings, database, now=clock, rng=Random(7)), database, clock, home)
    database.close()


def start(browser: TestClient, day: date = TODAY) -> str:
    """Start the round of a day and return its address."""
    reply = browser.post(f"/daily/{day}")
    assert reply.status_code == 303
    return str(reply.headers["location"])


def play(browser: TestClient, day: date = TODAY) -> str:
    """Play a day to its end, exactly right, and return the address of the round."""
    address = start(browser, day)
    assert browser.post(f"{address}/moves/0", data=MACHINE).status_code == 303
    return address


def marked(house: House) -> list[str]:
    """Return the rounds that do not count, as addresses."""
    found = column(house.database, "SELECT round_id FROM mark WHERE rule = :rule", rule=UNRATED_RULE)
    return [f"/rounds/{round_id}" for round_id in found]


def first_sentence(browser: TestClient, address: str) -> str:
    found = re.search(r'class="line-text">([^<]+)<', browser.get(address).text)
    assert found
    return found[1]


# One text for everybody


def test_everybody_gets_the_same_text_on_a_day_and_another_on_the_next(house: House) -> None:
    one, other = house.browser(), house.browser()
    texts = [first_sentence(browser, start(browser)) for browser in (one, other)]
    assert texts[0] == texts[1]

    house.clock.time = datetime(2026, 12, 2, 0, 0, 1, tzinfo=UTC)
    late = house.browser()
    assert first_sentence(late, start(late, TOMORROW)) != texts[0]


def test_the_day_changes_at_midnight_utc(house: House) -> None:
    browser = house.browser()
    house.clock.time = datetime(2026, 12, 1, 23, 59, 50, tzinfo=UTC)
    assert "1 December 2026" in browser.get("/daily").text
    house.clock.time = datetime(2026, 12, 2, 0, 0, 0, tzinfo=UTC)
    assert "2 December 2026" in browser.get("/daily").text


def test_a_text_is_drawn_for_one_day_only_and_served_in_no_other_round(house: House) -> None:
    member = house.member()[1]
    for ahead in range(4):
        house.clock.time = datetime(2026, 12, 1 + ahead, 9, tzinfo=UTC)
        play(member, TODAY + timedelta(days=ahead))
    assert len(set(column(house.database, "SELECT passage_id FROM daily"))) == 4
    assert len(re.findall("texts are new", member.get("/play").text)) == 1  # speeches, and nothing daily


def test_a_deck_that_has_run_out_is_a_friendly_page(house: House) -> None:
    with house.database.write() as db:
        for passage_id in column(house.database, "SELECT passage_id FROM deck_passage WHERE genre = 'daily'"):
            annul(db, passage_id, now=house.clock())
    page = house.browser().get("/daily")
    assert page.status_code == 200
    assert "There is no text for this day" in page.text
    assert house.browser().post(f"/daily/{TODAY}").status_code == 404


def test_a_text_taken_out_is_drawn_for_no_day(house: House) -> None:
    with house.database.write() as db:
        annul(
            db,
            column(house.database, "SELECT passage_id FROM deck_passage WHERE genre = 'daily'")[0],
            now=house.clock(),
        )
    with house.database.read() as db:
        assert count_fresh(db, DAILY) == 3


@pytest.mark.parametrize("day", ["2026-12-02", "2026-11-30", "yesterday", "2026-13-01"])
def test_a_day_without_a_text_cannot_be_begun(house: House, day: str) -> None:
    assert house.browser().post(f"/daily/{day}").status_code == 404
    assert column(house.database, "SELECT day FROM daily") == []


def test_pressing_play_again_leads_back_to_the_same_round(house: House) -> None:
    member = house.member()[1]
    assert start(member) == start(member)
    address = play(member)
    assert start(member) == address
    assert member.post(f"{address}/moves/0", data=HUMAN).status_code == 409


def test_another_days_open_round_is_finished_first(house: House) -> None:
    member = house.member()[1]
    yesterdays = start(member)
    house.clock.time += timedelta(days=1)
    assert start(member, TOMORROW) == yesterdays
    play(member)
    assert start(member, TOMORROW) != yesterdays


# What counts


def test_an_account_that_plays_on_the_day_is_rated(house: House) -> None:
    name, member = house.member()
    play(member)
    assert marked(house) == []
    lines = [
        line
        for key, line in stored_books(house.database).standings.items()
        if key[1:4] == ("rated", "boundary", "")
    ]
    assert {line.points for line in lines} == {5}
    assert "It counts for your rating" in member.get("/daily").text
    assert column(
        house.database, "SELECT rounds FROM rating WHERE subject_id = :id", id=house.player_id(name)
    ) == [1]


def test_rated_days_have_a_board_of_their_own(house: House) -> None:
    name, member = house.member()
    play(member)
    assert "(you)" in member.get("/leaderboard?genre=daily").text
    assert "(you)" not in member.get("/leaderboard").text
    assert 'href="/leaderboard?genre=daily"' in member.get("/leaderboard").text
    lines = member.get("/api/v1/leaderboard?genre=daily").json()
    assert [(line["handle"], line["points"]) for line in lines] == [(name, 5)]


def test_a_guest_plays_for_fun(house: House) -> None:
    guest = house.browser()
    address = play(guest)
    assert marked(house) == [address]
    assert stored_books(house.database).standings == {}
    assert "it counts nowhere" in guest.get("/daily").text


def test_a_guest_who_looked_first_spoils_the_day_for_accounts_on_the_device(house: House) -> None:
    name = house.member()[0]
    device = house.browser()
    start(device)  # sees two sentences, and leaves
    device.cookies.delete("roft")
    house.sign_in(name, device)

    assert "Somebody has begun today’s text on this device" in device.get("/daily").text
    address = play(device)
    assert marked(house) == [address]


def test_the_guest_who_becomes_an_account_after_looking_is_not_rated(house: House) -> None:
    browser = house.browser()
    address = start(browser)
    browser.post("/sign-up", data={"handle": house.name(), "password": PASSWORD})
    browser.post(f"{address}/moves/0", data=MACHINE)
    assert marked(house) == [address]


def test_what_a_guest_played_stays_for_fun_when_an_account_takes_it_over(house: House) -> None:
    name, member = house.member()
    guest = house.browser()
    address = play(guest)
    house.sign_in(name, guest)

    assert guest.get("/daily").text.count("it counts nowhere") == 1
    assert marked(house) == [address]
    assert start(member) == address  # one try is one try


def test_two_accounts_on_one_device_are_rated_once(house: House) -> None:
    first, second = house.member()[1], house.member()[0]
    play(first)
    first.post("/sign-out")
    house.sign_in(second, first)
    address = play(first)
    assert marked(house) == [address]


def test_another_device_is_not_spoilt(house: House) -> None:
    play(house.browser())
    play(house.member()[1])
    assert len(marked(house)) == 1


@pytest.mark.parametrize(("minute", "counts"), [(10, True), (20, False)])
def test_a_round_begun_before_midnight_counts_if_it_ends_soon_after(
    house: House, minute: int, *, counts: bool
) -> None:
    house.clock.time = datetime(2026, 12, 1, 23, 58, tzinfo=UTC)
    member = house.member()[1]
    address = start(member)
    house.clock.time = datetime(2026, 12, 2, 0, minute, tzinfo=UTC)
    member.post(f"{address}/moves/0", data=MACHINE)
    assert marked(house) == ([] if counts else [address])
    assert ("It counts" in member.get(f"/daily/{TODAY}").text) is counts


def test_the_archive_is_played_for_fun(house: House) -> None:
    play(house.member()[1])
    house.clock.time += timedelta(days=1)
    member = house.member()[1]
    assert "1 December 2026" in member.get("/daily/archive").text
    address = play(member, TODAY)
    assert marked(house) == [address]
    assert "5 of 5 points" in member.get("/daily/archive").text


def test_a_streak_leaves_what_never_counted_alone(house: House) -> None:
    guest = house.browser()
    play(guest)
    for _ in range(5):
        address = guest.post("/rounds", data={"mode": "boundary"}).headers["location"]
        guest.post(f"{address}/moves/0", data=MACHINE)
    books = stored_books(house.database).standings
    assert {key[1] for key in books} == {"open"}
    assert {line.counts[0] for line in books.values()} == {5}


# Days, and what is told


def test_days_are_counted_on_the_server_and_survive_a_pause(house: House) -> None:
    member = house.member()[1]
    for day in (1, 2, 3, 6):
        house.clock.time = datetime(2026, 12, day, 9, tzinfo=UTC)
        address = member.post("/rounds", data={"mode": "boundary"}).headers["location"]
        member.post(f"{address}/moves/0", data=MACHINE)
    page = member.get("/daily").text
    assert "<strong>4</strong> of the last 30 days" in page
    assert "Most in a row so far: 3." in page


def test_days_come_along_in_a_merger_and_go_with_the_account(house: House) -> None:
    name, member = house.member("speeches")
    guest = house.browser()
    house.clock.time += timedelta(days=1)
    play(guest, TOMORROW)
    house.sign_in(name, guest)
    assert [str(day) for day in column(house.database, "SELECT day FROM presence ORDER BY day")] == [
        "2026-12-01",
        "2026-12-02",
    ]
    member.post("/account/delete", data={"handle": name, "old": PASSWORD})
    assert column(house.database, "SELECT day FROM presence") == []
    assert column(house.database, "SELECT round_id FROM daily_play") == []


def test_what_is_passed_on_is_prose_and_spoils_nothing(house: House) -> None:
    member = house.member()[1]
    address = play(member)
    shared = re.search(r"<textarea[^>]*>([^<]+)</textarea>", member.get("/daily").text)
    assert shared
    text = shared[1]
    assert text.startswith("Where does the human stop and the machine begin? I got 5 of 5 points")
    assert "1 December 2026" in text
    assert first_sentence(member, address) not in text
    assert not re.search(r"sentence|boundary|■|●|⬛|🟩", text)


def test_the_picture_says_what_its_words_say(house: House) -> None:
    member = house.member()[1]
    address = play(member)
    page = member.get("/daily").text
    assert 'alt="RoFT, 1 December 2026: 5 of 5 points."' in page

    reply = member.get(f"/daily/{TODAY}/card.png")
    assert reply.headers["content-type"] == "image/png"
    assert Image.open(BytesIO(reply.content)).size == (1200, 630)
    assert address not in page.partition('id="share"')[2].partition("</textarea>")[0]


def test_there_is_no_picture_before_the_round_is_over(house: House) -> None:
    member = house.member()[1]
    start(member)
    assert member.get(f"/daily/{TODAY}/card.png").status_code == 404
    assert house.browser().get(f"/daily/{TODAY}/card.png").status_code == 404


def test_only_a_hash_of_the_device_is_kept(house: House) -> None:
    browser: Any = house.browser()
    start(browser)
    kept = rows(house.database, "SELECT device FROM daily_play")[0]["device"]
    assert len(kept) == 64
    assert browser.cookies["roft-device"] != kept


def test_a_form_from_another_site_begins_no_day(house: House) -> None:
    reply = house.browser().post(f"/daily/{TODAY}", headers={"Sec-Fetch-Site": "cross-site"})
    assert reply.status_code == 403
    assert column(house.database, "SELECT day FROM daily") == []


@pytest.mark.parametrize("consents", [False, True])
def test_leaving_takes_days_devices_and_readings_along_but_for_what_research_was_promised(
    house: House, *, consents: bool
) -> None:
    name, member = house.member()
    stamp = member.get("/guide").text.partition('data-reading="')[2].partition('"')[0]
    member.post("/guide/readings", data={"opened": stamp, "visible_ms": "500"})
    play(member)
    if consents:
        member.post("/account/consents", data={"purpose": "research"})
    assert "opened_at" in member.get("/account/data.json").text
    assert member.post("/account/delete", data={"handle": name, "old": PASSWORD}).status_code == 303

    assert column(house.database, "SELECT day FROM presence") == []
    assert column(house.database, "SELECT device FROM daily_play") == ([""] if consents else [])
    assert len(column(house.database, "SELECT id FROM guide_reading")) == consents
    assert column(house.database, "SELECT players FROM opinion WHERE answer = '1'") == [1]
