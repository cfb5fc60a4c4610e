import json
from pathlib import Path

import pytest

from generators.conditions import A_DECK, NO_MANIFEST, OF_OTHERS, UNREADABLE, conditions_of

ENTRY = {"genre": "stories", "generator": "fake", "kept": 3, "refused": {"machine: length": 2}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def beside(path: Path, manifest: object) -> None:
    (path.parent / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_file_of_one_condition_has_one(path: Path) -> None:
    beside(path, {"file": "a.jsonl", **ENTRY})
    assert [one.refused for one in conditions_of(path).conditions] == [{"machine: length": 2}]


def test_a_file_is_found_among_the_folders_others(path: Path) -> None:
    beside(path, {"file": "b.jsonl", **ENTRY, "kept": 9, "others": {"a.jsonl": ENTRY}})
    assert [one.kept for one in conditions_of(path).conditions] == [3]


def test_a_plan_has_many(path: Path) -> None:
    conditions = [{"name": "fake, base", **ENTRY}, {"name": "fake, greedy", **ENTRY}]
    beside(path, {"file": "a.jsonl", "kept": 6, "refused": 4, "conditions": conditions})
    assert [one.name for one in conditions_of(path).conditions] == ["fake, base", "fake, greedy"]


@pytest.mark.parametrize(
    ("manifest", "note"),
    [
        ({"deck": "a", "counts": {}}, A_DECK),
        ({"file": "b.jsonl", **ENTRY}, OF_OTHERS),
        ({"file": "a.jsonl", "kept": "many"}, UNREADABLE),
        (["a.jsonl"], UNREADABLE),
    ],
)
def test_what_is_not_known_is_said(path: Path, manifest: object, note: str) -> None:
    beside(path, manifest)
    assert conditions_of(path).note == note


def test_no_manifest_is_said_too(path: Path) -> None:
    assert conditions_of(path).note == NO_MANIFEST
