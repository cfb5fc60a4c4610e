"""The deck in the repository: drawn from the candidates beside it, and fit to be shown."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from game.passage import Author, Passage
from game.records import PassageRecord, passage_of
from generators.checks import refusal
from generators.corpora import resolve
from generators.deck import Wanted, draw
from generators.judges import installed_judges
from generators.passage_files import read_records
from generators.segment import Unit

pytest.importorskip("spacy")
pytest.importorskip("profanity_check")
pytest.importorskip("py3langid")

DECKS = Path(__file__).parents[2] / "decks"
GENRES = ("speeches", "recipes", "stories")


@pytest.fixture(scope="module")
def deck() -> Sequence[PassageRecord]:
    """The records."""
    return list(read_records(DECKS / "starter.jsonl"))


@pytest.fixture(scope="module")
def passages(deck: Sequence[PassageRecord]) -> Sequence[tuple[str, Passage]]:
    """Genre and text, with every pointer followed."""
    return [(record.genre, passage_of(record, resolve)) for record in deck]


def test_the_deck_is_a_draw_from_the_candidates(deck: Sequence[PassageRecord]) -> None:
    files = [
        DECKS / "candidates" / genre / f"{genre}{end}.jsonl" for genre in GENRES for end in ("", "-splice")
    ]
    candidates = [record for path in files for record in read_records(path)]

    assert draw(candidates, Wanted(3, 3), seed=1) == deck


def test_in_each_genre_every_boundary_stands_equally_often(deck: Sequence[PassageRecord]) -> None:
    assert len(deck) >= 96
    for genre in GENRES:
        chosen = [record for record in deck if record.genre == genre]
        spliced = [record for record in chosen if record.generator and record.generator.name == "splice"]
        found = Counter(
            sum(part.author is Author.HUMAN for part in record.sentences)
            for record in chosen
            if record not in spliced
        )
        assert found == dict.fromkeys(range(1, 11), 3)
        assert len(spliced) == 3


def test_human_text_is_a_pointer_and_machine_text_is_there(deck: Sequence[PassageRecord]) -> None:
    for record in deck:
        for part in record.sentences:
            assert (part.text is None) == (part.author is not Author.MACHINE)


def test_what_is_shown_passes_todays_checks(passages: Sequence[tuple[str, Passage]]) -> None:
    judges = installed_judges()
    for genre, passage in passages:
        unit = Unit.LINE if genre == "recipes" else Unit.SENTENCE
        texts = tuple(sentence.text for sentence in passage.sentences)
        assert refusal(texts, unit, judges) is None, texts
