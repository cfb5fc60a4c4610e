"""What the manifest beside a passage file says of its conditions: kept, and refused why."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

NO_MANIFEST = "There is no manifest beside it, so what was refused is not known."
OF_OTHERS = "The manifest beside it says nothing of this file, so what was refused is not known."
UNREADABLE = "The manifest beside it cannot be read, so what was refused is not known."
A_DECK = "It is a deck, drawn from candidates; what was refused is in the manifests of those."


class Condition(BaseModel):
    """One condition as a manifest has it; what else it holds is of no interest here."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    genre: str
    generator: str
    name: str | None = None
    model: str | None = None
    decoding: Mapping[str, float | int | str | None] = Field(default_factory=dict)
    wanted: int | None = None
    kept: int
    boundaries: Mapping[str, int] = Field(default_factory=dict)
    refused: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a file's conditions; the note says why there are none."""

    conditions: Sequence[Condition] = ()
    note: str | None = None


def conditions_of(path: Path) -> Told:
    """Read what the manifest beside a passage file says of it."""
    manifest = path.parent / "manifest.json"
    if not manifest.is_file():
        return Told(note=NO_MANIFEST)
    try:
        return _told(json.loads(manifest.read_text(encoding="utf-8")), path)
    except (OSError, ValueError, TypeError, AttributeError, ValidationError):
        return Told(note=UNREADABLE)


def _told(manifest: Mapping[str, Any], path: Path) -> Told:
    if manifest.get("deck") == path.stem:
        return Told(note=A_DECK)
    entry = manifest if manifest.get("file") == path.name else manifest.get("others", {}).get(path.name)
    if entry is None:
        return Told(note=OF_OTHERS)
    return Told([Condition.model_validate(one) for one in entry.get("conditions", [entry])])
