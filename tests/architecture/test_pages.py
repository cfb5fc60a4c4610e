"""A part has one file, and a page asks for nothing that is not there."""

import re
from typing import Any

import pytest

from app.services.playing import Turn
from app.services.standings import Progress
from app.settings import ROOT
from app.store.passages import Provenance
from app.web.pages import STATIC, Pages
from app.web.views import ErrorView, RoundView, round_view
from game.mode import SITE, Example, Mode, replay
from game.modes import modes, template_folders
from tests.architecture.sources import texts

SOURCE = {
    "document": "toy",
    "title": "Toy",
    "attribution": None,
    "url": "https://toy.example",
    "licence": "CC0",
}
PROVENANCE = Provenance("0" * 64, SOURCE, None, None, "CC0")
PLAYED = [
    pytest.param(mode, example, id=f"{slug}: {example.name}")
    for slug, mode in modes().items()
    for example in mode.examples()
]
ASSET = re.compile(r"""asset\(['"]([^'"]+)['"]\)""")


def view_after(mode: Mode[Any, Any], example: Example, played: int) -> RoundView:
    """Return what a player sees after some moves, the next one half made."""
    state = replay(mode, example.passage, SITE, example.forms[:played])
    draft = example.forms[played] if played < len(example.forms) else {}
    verdict = mode.verdict(state)
    screen = mode.screen(state, draft, None)
    turn = Turn(
        round_id="0" * 32,
        mode=mode.slug,
        genre="speeches",
        asked_genre=None,
        number=played,
        screen=screen,
        verdict=verdict,
        provenance=PROVENANCE if verdict else None,
    )
    return round_view(turn, Progress(1, 5, 5.0, 1, is_guest=True) if verdict else None, notice="Look!")


def html(name: str, view: object, *, part: bool) -> str:
    return bytes(Pages().page_or_part(name, view, part=part).body).decode()


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_a_round_is_the_same_in_its_page_and_alone(mode: Mode[Any, Any], example: Example) -> None:
    for played in range(len(example.forms) + 1):
        view = view_after(mode, example, played)

        assert html("round", view, part=True) in html("round", view, part=False)


def test_a_problem_is_the_same_in_its_page_and_alone() -> None:
    view = ErrorView("No", "Not here.", "/play", "To the game")
    part = Pages().error(view, status=404, part=True).body
    page = Pages().error(view, status=404, part=False).body

    assert bytes(part) in bytes(page)


def test_every_asset_that_is_named_is_there_and_every_file_is_named() -> None:
    ours = (path for path in texts() if path.suffix in {".html", ".py"})
    named = {name for path in ours for name in ASSET.findall(path.read_text(encoding="utf-8"))}

    assert named == {path.name for path in STATIC.iterdir()}


def test_the_stylesheet_asks_for_nothing_else() -> None:
    assert not re.search(r"url\(|@import", (STATIC / "site.css").read_text(encoding="utf-8"))


def test_every_template_loads() -> None:
    names = [path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.html")]
    for slug, folder in template_folders().items():
        names += [f"{slug}/{path.name}" for path in folder.glob("*.html")]

    for name in names:
        assert Pages()._environment.get_template(name)
