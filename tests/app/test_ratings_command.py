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
from tests.app.stocking import column, settings_for, stocked

ROFT = "from cli.main import main; main()"
WITHOUT_SCIPY = f"import sys; sys.modules['scipy'] = None; {ROFT}"


@dataclass
class Shell:
    """A shell in which the settings of a site are set."""

    settings: Settings
    database: Database

    def begin(self, *arguments: str, code: str = ROFT) -> subprocess.Popen[str]:
        """Start a command."""
        environment = {
            **os.environ,
            "ROFT_HOME": str(self.settings.home),
            "ROFT_DATABASE_URL": self.settings.database_url,
        }
        command = (sys.executable, "-c", code, "ratings", *arguments)
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )

    def run(self, *arguments: str, code: str = ROFT, status: int = 0) -> str:
        """Run a command to its end; return what it said."""
        ran = self.begin(*arguments, code=code)
        said, complaint = ran.communicate(timeout=120)
        assert ran.returncode == status, complaint
        return said if status == 0 else complaint


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
    said = shell.run("publish", status=1)

    assert "it takes 200 rounds by 10 players" in said
    assert said.count("\n") == 1
    assert "Nothing is published yet" in shell.run("show")


@ON_SQLITE
def test_an_install_without_scipy_is_told_how_to_get_it(shell: Shell) -> None:
    said = shell.run("publish", code=WITHOUT_SCIPY, status=1)

    assert said == "Published ratings need NumPy and SciPy; `make install-all` installs them.\n"


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
    told = [json.loads(one.communicate(timeout=120)[0])["runs"][0] for one in both]
    assert sorted(one.pop("is_new") for one in told) == [False, True]
    assert told[0] == told[1]
    assert column(shell.database, "SELECT count(*) FROM estimate WHERE kind = 'player'") == [len(NAMES)]
