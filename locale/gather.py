"""Gathers every sentence of the sources into `roft.pot`, and brings the catalogues of a folder up to date.

Run by `make catalogues`. A sentence that is gone leaves the catalogues; a new one comes in empty.
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SPOKEN_BY = {
    "say": None,
    "unsaid": None,
    "say_plural": (1, 2),
    "_": None,
    "gettext": None,
    "ngettext": (1, 2),
}
"""The functions whose first arguments people read; all others are called with something else."""

READ_IN_DATA = frozenset({"title", "words", "source", "moral", "why"})
"""The keys of a mode's TOML files whose values people read."""

TEMPLATES = {"trimmed": "true", "newstyle_gettext": "true", "trim_blocks": "true", "lstrip_blocks": "true"}
METHODS = {".html": ("jinja2.ext:babel_extract", TEMPLATES), ".py": ("python", {})}
_DATES = re.compile(rb'^"(POT-Creation|PO-Revision)-Date: .*\n', re.MULTILINE)
_WIDTH = 100
_HEADER = "# What people read on the pages of RoFT and in its mails; gathered by `make catalogues`."


def sources() -> Sequence[Path]:
    """Return every file that may hold a sentence, in order."""
    found = (path for folder in ("app", "game", "templates") for path in (ROOT / folder).rglob("*.*"))
    return sorted(path for path in found if path.suffix in {".py", ".html", ".toml"})


def gathered() -> Catalog:
    """Return a catalogue of every sentence there is, untranslated."""
    catalogue = Catalog(project="RoFT", version="1", header_comment=_HEADER, fuzzy=False)
    for path in sources():
        for message in _in_file(path):
            catalogue.add(message, locations=[(path.relative_to(ROOT).as_posix(), 0)])
    return catalogue


def update(folder: Path) -> None:
    """Write the template and every catalogue of a folder."""
    template = gathered()
    _write(folder / "roft.pot", template)
    for path in sorted(folder.glob("*/LC_MESSAGES/roft.po")):
        with path.open("rb") as file:
            catalogue = read_po(file)
        catalogue.update(template, no_fuzzy_matching=True)
        _write(path, catalogue)


def _in_file(path: Path) -> Iterator[Any]:
    if path.suffix == ".toml":
        yield from _in_data(tomllib.loads(path.read_text(encoding="utf-8")))
        return
    method, options = METHODS[path.suffix]
    with path.open("rb") as file:
        for _, message, _, _ in extract(method, file, keywords=SPOKEN_BY, options=options):
            yield message


def _in_data(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _in_data(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _in_data(inner)
    elif key in READ_IN_DATA:
        yield value


def _write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue without dates and line numbers, which would change with everything."""
    file = BytesIO()
    write_po(file, catalogue, width=_WIDTH, ignore_obsolete=True, include_lineno=False)
    path.write_bytes(_DATES.sub(b"", file.getvalue()))


if __name__ == "__main__":
    update(Path(sys.argv[1]))
