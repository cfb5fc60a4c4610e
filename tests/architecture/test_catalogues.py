"""Every sentence has its translations, and they fit."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from app.settings import ROOT

FOLDER = ROOT / "locale"
CATALOGUES = sorted(FOLDER.glob("*/LC_MESSAGES/roft.po"))
PLACEHOLDER = re.compile(r"%\(\w+\)s|%%|\{\w+\}")
TAG = re.compile(r"<[^>]*>")


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def messages(path: Path) -> Iterator[Message]:
    """Return every message of a catalogue, without its header."""
    return (message for message in read(path) if message.id)


def forms(told: object) -> tuple[str, ...]:
    """Return a sentence in all its forms: one, or those for numbers."""
    return (told,) if isinstance(told, str) else tuple(told) if isinstance(told, list | tuple) else ()


def pairs(message: Message) -> Iterator[tuple[str, str]]:
    """Return what stands for what: the first form for the singular, each other one for the plural."""
    english = forms(message.id)
    for at, said in enumerate(forms(message.string)):
        yield english[min(at, len(english) - 1)], said


@pytest.fixture(params=CATALOGUES, ids=lambda path: path.parent.parent.name)
def path(request: pytest.FixtureRequest) -> Path:
    """The catalogue of each language."""
    return Path(request.param)


def test_there_is_german() -> None:
    assert FOLDER / "de" / "LC_MESSAGES" / "roft.po" in CATALOGUES


def test_the_catalogues_hold_what_the_sources_say_and_nothing_else(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "locale")
    subprocess.run([sys.executable, FOLDER / "gather.py", tmp_path / "locale"], check=True)

    for path in (FOLDER / "roft.pot", *CATALOGUES):
        gathered = tmp_path / "locale" / path.relative_to(FOLDER)
        assert gathered.read_text(encoding="utf-8") == path.read_text(encoding="utf-8"), "make catalogues"


def test_everything_is_translated_for_sure(path: Path) -> None:
    left = [one.id for one in messages(path) if one.fuzzy or not all(said for _, said in pairs(one))]

    assert left == []


def test_every_number_has_its_form(path: Path) -> None:
    wanted = read(path).num_plurals
    plurals = [one for one in messages(path) if isinstance(one.id, tuple)]

    assert [one.id for one in plurals if len(forms(one.string)) != wanted] == []


@pytest.mark.parametrize("part", [PLACEHOLDER, TAG], ids=["placeholders", "tags"])
def test_a_translation_keeps_what_is_filled_in_and_the_markup(path: Path, part: re.Pattern[str]) -> None:
    changed = [
        english
        for message in messages(path)
        for english, said in pairs(message)
        if sorted(part.findall(english)) != sorted(part.findall(said))
    ]

    assert changed == []


def test_a_translation_begins_and_ends_like_its_sentence(path: Path) -> None:
    odd = [
        english
        for message in messages(path)
        for english, said in pairs(message)
        if (english[:1].isspace(), english[-1:].isspace()) != (said[:1].isspace(), said[-1:].isspace())
    ]

    assert odd == []
