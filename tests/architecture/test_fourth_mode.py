"""One more mode is one more folder: nothing else changes."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from app.settings import ROOT
from tests.factories import record
from tests.journeys.server import Server, serving

pytestmark = pytest.mark.xdist_group("fourth mode")

MODE = Path(__file__).parent / "rating"
CODE = ("app", "cli", "game", "generators", "scoring", "templates", "migrations")
TESTS = (
    "__init__.py",
    "conftest.py",
    "factories.py",
    "stocking.py",
    "game/__init__.py",
    "game/test_every_mode.py",
)
LEFT_OUT = shutil.ignore_patterns("__pycache__")
WISHES = ({"rating": "4"}, {"again": "no"})


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with one more folder."""
    root = tmp_path_factory.mktemp("tree")
    for name in CODE:
        shutil.copytree(ROOT / name, root / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", *(f"tests/{name}" for name in TESTS)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    shutil.copytree(MODE, root / "game" / "modes" / "rating", ignore=LEFT_OUT)
    return root


@pytest.fixture(scope="module")
def server(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The site of that tree, with three texts."""
    deck = [record(boundary=boundary, salt=str(boundary)) for boundary in (3, 5, 10)]
    with serving(tmp_path_factory.mktemp("home"), deck, root=tree) as one:
        yield one


@pytest.fixture
def api(server: Server) -> Iterator[httpx2.Client]:
    """A guest over the API."""
    with httpx2.Client(base_url=f"{server.address}/api/v1") as client:
        client.headers["Authorization"] = f"Bearer {client.post('/guests').json()['token']}"
        yield client


@pytest.fixture
def pages(server: Server) -> Iterator[httpx2.Client]:
    """A guest on the pages, without script."""
    with httpx2.Client(base_url=server.address, follow_redirects=True) as client:
        yield client


def start(api: httpx2.Client) -> str:
    return str(api.post("/rounds", json={"mode": "rating"}).raise_for_status().json()["id"])


def test_the_shared_tests_play_it(tree: Path) -> None:
    command = (
        sys.executable,
        "-m",
        "pytest",
        "tests/game/test_every_mode.py",
        "-rp",
        "-p",
        "no:cacheprovider",
    )
    ran = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout
    assert "PASSED tests/game/test_every_mode.py::test_the_points_of_an_example_come_out[rating" in ran.stdout


def test_it_is_on_the_lists(api: httpx2.Client, pages: httpx2.Client) -> None:
    assert [mode["mode"] for mode in api.get("/modes").json()][-1] == "rating"
    assert "How good is it?" in pages.get("/play").text
    assert "How to rate" in pages.get("/guide").text


def test_a_round_over_the_api_is_played_stored_and_replayed(api: httpx2.Client, server: Server) -> None:
    round_id = start(api)
    for turn, wish in enumerate(WISHES):
        played = api.post(f"/rounds/{round_id}/moves/{turn}", json=wish).json()

    assert played["status"] == "closed"
    assert played["verdict"] | {"authors": None} == {"rating": 4, "again": "no", "authors": None}
    assert api.get(f"/rounds/{round_id}").json() == played
    assert [json.loads(row["form"]) for row in server.moves(round_id)] == [{"rating": 4}, {"again": "no"}]


def test_a_round_on_the_pages_is_played_with_plain_forms(pages: httpx2.Client, server: Server) -> None:
    shown = pages.post("/rounds", data={"mode": "rating"})
    round_id = shown.url.path.rpartition("/")[2]
    for turn, wish in enumerate(WISHES):
        (field,) = wish
        assert f'name="{field}"' in shown.text
        shown = pages.post(f"/rounds/{round_id}/moves/{turn}", data=wish)

    assert "Next round" in shown.text
    assert " in all ·" not in shown.text
    assert server.value("SELECT mode FROM round WHERE id = :id", id=round_id) == "rating"


def test_nobody_earns_points_and_no_board_changes(api: httpx2.Client, server: Server) -> None:
    round_id = start(api)
    for turn, wish in enumerate(WISHES):
        api.post(f"/rounds/{round_id}/moves/{turn}", json=wish).raise_for_status()

    (row,) = server.rows("SELECT points, guess, closed_at FROM round WHERE id = :id", id=round_id)
    assert (row["points"], row["guess"]) == (None, None)
    assert row["closed_at"] is not None
    assert api.get("/leaderboard").json() == []


def test_the_next_round_has_another_text(api: httpx2.Client, server: Server) -> None:
    first = start(api)
    assert start(api) == first
    for turn, wish in enumerate(WISHES):
        api.post(f"/rounds/{first}/moves/{turn}", json=wish)

    second = start(api)

    texts = "SELECT COUNT(DISTINCT passage_id) FROM round WHERE id IN (:first, :second)"
    assert server.value(texts, first=first, second=second) == 2
