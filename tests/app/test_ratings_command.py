"""`roft ratings` over both databases, as it is typed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.settings import Settings
from app.store.database import Database
from tests.app.seasons import NAMES, season, season_deck
from tests.shell import Ran, Running, begin, variables_of
from tests.stocking import column, settings_for, stocked

WITHOUT_SCIPY = "import sys; sys.modules['scipy'] = None; from cli.main import main; main()"


@dataclass
class Shell:
    """A shell in which the settings of a site are set."""

    settings: Settings
    database: Database

    def begin(self, *words: str) -> Running:
        """Start a command."""
        return begin("ratings", *words, variables=variables_of(self.settings))

    def refused(self, *words: str) -> str:
        """Run a command that fails; return what it complained about."""
        ran = self.begin(*words).wait()
        assert ran.returncode == 1
        return ran.stderr

    def run(self, *words: str) -> str:
        """Run a command to its good end; return what it said."""
        return _said(self.begin(*words).wait())


def _said(ran: Ran) -> str:
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(params=["sqlite", "postgresql"])
def shell(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shell]:
    """A site on which nobody has played."""
    settings = settings_for(tmp_path, request.param, request)
    database = stocked(settings, season_deck())
    yield Shell(settings, database)
    database.close()


ON_SQLITE = pytest.mark.parametrize("shell", ["sqlite"], indirect=True)


@ON_SQLITE
def test_a_site_without_rounds_is_told_what_it_takes(shell: Shell) -> None:
    complaint = shell.refused("publish")

    assert "it takes 200 rounds by 10 players" in complaint
    assert complaint.count("\n") == 1
    assert "Nothing is published yet" in shell.run("show")


@ON_SQLITE
def test_an_install_without_scipy_is_told_how_to_get_it(shell: Shell) -> None:
    ran = subprocess.run(
        (sys.executable, "-c", WITHOUT_SCIPY, "ratings", "publish"),
        capture_output=True,
        text=True,
        env={**os.environ, **variables_of(shell.settings)},
        check=False,
        timeout=120,
    )

    assert ran.returncode == 1
    assert ran.stderr == "Published ratings need NumPy and SciPy; `make install-all` installs them.\n"


def test_a_night_publishes_once_and_shows_it_to_people_and_programs(shell: Shell) -> None:
    season(shell.database)

    said = shell.run("publish")
    (again,) = json.loads(shell.run("publish", "--json"))["runs"]
    (told,) = json.loads(shell.run("show", "--json"))["runs"]
    assert said.startswith("boundary: 408 rounds of 12 players on 34 passages; mean ")
    assert (said.count("\n"), "published now" in said) == (1, True)
    (generator,) = told.pop("generators")
    assert again == {**told, "is_new": False}
    assert told["interval"][0] < told["estimate"] < told["interval"][1]
    assert (generator["name"], generator["model"], generator["rounds"]) == ("transformers", "toy-model", 324)
    assert shell.run("show").splitlines()[1].startswith("  transformers toy-model")


def test_two_nights_at_once_publish_one(shell: Shell) -> None:
    season(shell.database)

    both = [shell.begin("publish", "--json") for _ in range(2)]
    told = [json.loads(_said(one.wait()))["runs"][0] for one in both]
    assert sorted(one.pop("is_new") for one in told) == [False, True]
    assert told[0] == told[1]
    assert column(shell.database, "SELECT count(*) FROM estimate WHERE kind = 'player'") == [len(NAMES)]
