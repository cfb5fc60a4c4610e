"""A provider is asked with patience that ends, believed for an hour, and written down in a file."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from pydantic import SecretStr

from app.errors import ProviderDownError, ProvidersError
from app.providers.entries import Entry
from app.providers.provider import KEPT, Provider, depart, providers_of
from app.settings import Settings
from tests.conftest import Clock
from tests.web.openid import CLIENT, SECRET, Openid, entry_for, serving

BACK = "https://roft.example/sign-in/back/good"
ISSUER = "https://accounts.example.org"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def openid(clock: Clock) -> Iterator[Openid]:
    with serving(lambda: clock.time) as one:
        yield one


def provider(openid: Openid, way: str, *, patience: float = 5) -> Provider:
    """Return our side of a provider."""
    secret = SecretStr(SECRET)
    entry = Entry(name="The one", issuer=openid.issuer(way), client_id=CLIENT, client_secret=secret)
    return Provider(way, entry, patience=patience)


def subject_at(one: Provider, clock: Clock) -> str:
    """Go to a provider and come back as whoever it says."""
    departure = depart(one.slug, None, now=clock())
    reply = httpx2.get(one.address_for(departure, BACK, now=clock()))
    code = parse_qs(urlsplit(reply.headers["location"]).query)["code"][0]
    return one.subject_of(code, departure, BACK, now=clock())


@pytest.mark.parametrize("way", ["silent", "dripping"])
def test_patience_ends(openid: Openid, clock: Clock, way: str) -> None:
    one = provider(openid, way, patience=0.3)

    with pytest.raises(ProviderDownError, match="The one does not answer"):
        one.address_for(depart(way, None, now=clock()), BACK, now=clock())


def test_what_is_known_of_a_provider_is_kept_for_a_while(openid: Openid, clock: Clock) -> None:
    one = provider(openid, "good")
    assert {subject_at(one, clock) for _ in range(3)} == {"ada"}
    assert (openid.asked["good", "description"], openid.asked["good", "keys"]) == (1, 1)
    clock.time += KEPT + timedelta(seconds=1)

    subject_at(one, clock)
    assert (openid.asked["good", "description"], openid.asked["good", "keys"]) == (2, 2)


def test_a_new_key_is_fetched_when_it_is_needed(openid: Openid, clock: Clock) -> None:
    one = provider(openid, "good")
    subject_at(one, clock)
    openid.turn_key()

    assert subject_at(one, clock) == "ada"
    assert openid.asked["good", "keys"] == 2


def test_a_provider_that_was_down_is_asked_again(openid: Openid, clock: Clock) -> None:
    one = provider(openid, "down")
    for _ in range(2):
        with pytest.raises(ProviderDownError):
            one.address_for(depart("down", None, now=clock()), BACK, now=clock())

    assert openid.asked["down", "description"] == 2


def test_two_departures_have_nothing_in_common(clock: Clock) -> None:
    departures = [depart("good", None, now=clock()) for _ in range(2)]

    assert len({value for one in departures for value in (one.state, one.nonce, one.verifier)}) == 6


# The file


def written(folder: Path, text: str) -> Settings:
    """Return the settings of a site with that file."""
    file = folder / "providers.toml"
    file.write_text(text)
    return Settings(providers=str(file), address="https://roft.example")


def test_providers_are_written_down_in_a_file(tmp_path: Path) -> None:
    text = f"[uni]\n{entry_for(ISSUER, 'The University')}\n[lab]\n{entry_for('http://localhost:8080', 'Lab')}"

    found = providers_of(written(tmp_path, text))
    assert [(slug, one.name, one.issuer) for slug, one in found.items()] == [
        ("uni", "The University", ISSUER),
        ("lab", "Lab", "http://localhost:8080"),
    ]
    assert providers_of(Settings()) == providers_of(written(tmp_path, "")) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[uni", "is not TOML"),
        ("name = 'x'", "wrong at name"),
        ("[uni]\nname = 'x'", "wrong at uni.issuer"),
        (f"[Uni]\n{entry_for(ISSUER, 'x')}", "wrong at Uni"),
        (f"[uni]\n{entry_for(ISSUER, '')}", "wrong at uni.name"),
        (f"[uni]\n{entry_for(ISSUER, 'x')}secret = 'x'", "wrong at uni.secret"),
        (f"[uni]\n{entry_for('http://accounts.example.org', 'x')}", "begins with https://"),
        (f"[uni]\n{entry_for('accounts.example.org', 'x')}", "begins with https://"),
        (f"[uni]\n{entry_for('https://x:port', 'x')}", "that is no address"),
        (f"[uni]\n{entry_for(ISSUER, 'x')}[lab]\n{entry_for(ISSUER, 'y')}", f"names {ISSUER} twice"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_in_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(ProvidersError, match="ROFT_PROVIDERS") as error:
        providers_of(written(tmp_path, text))

    assert said in str(error.value)
    assert SECRET not in str(error.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ProvidersError, match="cannot be read"):
        providers_of(Settings(providers=str(tmp_path / "none.toml"), address="https://roft.example"))


def test_providers_need_to_know_where_the_site_is(tmp_path: Path) -> None:
    settings = written(tmp_path, "").model_copy(update={"address": ""})

    with pytest.raises(ProvidersError, match="ROFT_ADDRESS"):
        providers_of(settings)
