"""What the tests of this folder read: our own sources."""

import ast
from collections.abc import Iterator
from pathlib import Path

from app.settings import ROOT

PACKAGES = ("app", "cli", "game", "generators", "scoring")
OTHERS = ("templates", "migrations")


def modules(*packages: str) -> list[Path]:
    """Return the Python files of some packages; of all without a name."""
    return sorted(path for name in packages or PACKAGES for path in (ROOT / name).rglob("*.py"))


def texts() -> list[Path]:
    """Return everything that is written by hand and runs: code, templates, migrations."""
    files = (path for name in (*PACKAGES, *OTHERS) for path in (ROOT / name).rglob("*.*"))
    return sorted(path for path in files if path.suffix in {".py", ".html", ".js", ".css", ".mako"})


def place(path: Path) -> str:
    """Return a path as people write it in this repository."""
    return path.relative_to(ROOT).as_posix()


def nodes(path: Path) -> Iterator[ast.AST]:
    """Return the syntax of a module, node by node."""
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))
