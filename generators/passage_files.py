"""Passage files: JSON Lines, one record a line, and the manifest beside them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from game.records import PassageRecord
from generators.errors import PassageFileError


def read_records(path: Path) -> Sequence[PassageRecord]:
    """Read a passage file.

    Raises:
        PassageFileError: a line is not a passage; the text names the file and the line.
    """
    records: list[PassageRecord] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise PassageFileError(f"The file {path} cannot be read as UTF-8 text.") from error
    for number, line in enumerate(lines, start=1):
        try:
            records.append(PassageRecord.model_validate_json(line))
        except ValidationError as error:
            raise PassageFileError(f"Line {number} of {path} is not a passage.") from error
    return records


def write_records(path: Path, records: Iterable[PassageRecord]) -> None:
    """Write a passage file."""
    write_text(path, "".join(_line(record) for record in records))


def _line(record: PassageRecord) -> str:
    """Leave out what is empty, except that no generator is said aloud."""
    content = record.model_dump(mode="json", exclude_none=True)
    return json.dumps({"generator": None, **content}, ensure_ascii=False) + "\n"


def write_manifest(path: Path, manifest: Mapping[str, Any]) -> None:
    """Write a manifest."""
    write_text(path, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file; a reader sees the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
