"""`roft passages import`: passage files into the database."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from app.services.importing import ImportCount, import_passages
from app.settings import Settings
from cli.errors import Failure
from cli.opening import migrated_database
from generators.corpora import resolve

Files = Annotated[
    list[Path], typer.Argument(help="Passage files.", exists=True, dir_okay=False, readable=True)
]
Deck = Annotated[
    str | None,
    typer.Option(
        help="Open deck to put them in, or “daily” for the daily round; without one nobody is served them."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def import_files(files: Files, deck: Deck = None, as_json: AsJson = False) -> None:
    """Import passage files; importing one twice adds nothing.

    Example: roft passages import decks/starter.jsonl --deck starter
    """
    total = ImportCount()
    database = migrated_database(Settings())
    try:
        with database.write() as db:
            for file in files:
                count = import_passages(db, _lines(file), resolve=resolve, deck=deck, now=datetime.now(UTC))
                total = _sum(total, count)
    finally:
        database.close()
    print(_as_json(total) if as_json else _as_text(total))
    if total.read and not total.new + total.present:
        raise Failure("No line was a passage of this machine; nothing was imported.")


def _lines(file: Path) -> Iterator[str]:
    try:
        with file.open(encoding="utf-8") as lines:
            yield from lines
    except UnicodeDecodeError as error:
        raise Failure(f"{file} is not UTF-8 text; nothing was imported.") from error


def _sum(one: ImportCount, other: ImportCount) -> ImportCount:
    skipped: Counter[str] = one.skipped + other.skipped
    return ImportCount(one.read + other.read, one.new + other.new, one.present + other.present, skipped)


def _as_json(count: ImportCount) -> str:
    return json.dumps(
        {"read": count.read, "new": count.new, "present": count.present, "skipped": dict(count.skipped)}
    )


def _as_text(count: ImportCount) -> str:
    skipped = "".join(f"\n  skipped {times}: {reason}" for reason, times in count.skipped.most_common())
    return f"{count.read} read, {count.new} new, {count.present} already there{skipped}"
