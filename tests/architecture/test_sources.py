"""Rules about our own sources."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from app.settings import ROOT
from game.modes import modes
from tests.architecture.sources import modules, nodes, place, texts

LONGEST_FUNCTION = 50
LONGEST_MODULE = 400

DOMAIN_WORDS = {
    ("boundary", "app/store/passages.py"): "the column of a passage, not the mode",
    ("boundary", "migrations/versions/20261130_first_tables.py"): "the column of a passage, not the mode",
}
"""Where a mode's name stands in quotes outside its folder, and why that is no leak."""

BANNED_WORDS = {"annotator", "annotators", "chunk", "chunks", "pred", "preds", "prediction", "predictions"}
"""The glossary says player, sentence and guess instead."""


def leaks() -> Iterator[tuple[str, str]]:
    """Return every mode and file outside its folder that names it in quotes."""
    for slug in modes():
        home = ROOT / "game" / "modes" / slug
        named = re.compile(rf"""(["']){re.escape(slug)}\1""")
        for path in texts():
            if not path.is_relative_to(home) and named.search(path.read_text(encoding="utf-8")):
                yield slug, place(path)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Return the functions of a module with their lengths in lines."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def identifiers(path: Path) -> Iterator[str]:
    """Return the names that a module gives."""
    for node in nodes(path):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg


def words(identifier: str) -> set[str]:
    """Return the words of an identifier: `BadPrediction` and `bad_prediction` have the same."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower().split("_"))


def test_a_mode_is_named_in_its_own_folder_only() -> None:
    assert set(leaks()) == set(DOMAIN_WORDS)


def test_only_the_database_commits() -> None:
    commits = [
        place(path) for path in modules("app") if re.search(r"\bcommit\(", path.read_text(encoding="utf-8"))
    ]

    assert commits == []


def test_a_function_fits_on_a_screen() -> None:
    lengths = {f"{place(path)}: {name}": lines for path in modules() for name, lines in functions(path)}

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FUNCTION} == {}


def test_a_module_is_not_where_everything_ends_up() -> None:
    lengths = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules()}

    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE} == {}


def test_one_word_for_one_thing() -> None:
    names = {(place(path), name) for path in modules() for name in identifiers(path)}

    assert [(where, name) for where, name in names if words(name) & BANNED_WORDS] == []
