"""The decks in the repository: drawn from the candidates beside them, and fit to be shown."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from game.modes import template_folders
from game.modes.boundary.practice import lessons
from game.passage import Author, Passage
from game.records import PassageRecord, passage_of
from generators.checks import reading_refusal
from generators.corpora import resolve
from generators.deck import Wanted, draw, sift
from generators.judges import installed_judges
from generators.passage_files import read_records
from generators.segment import unit_for

pytest.importorskip("spacy")
pytest.importorskip("profanity_check")
pytest.importorskip("py3langid")

DECKS = Path(__file__).parents[2] / "decks"
TEMPLATES = next(iter(template_folders().values()))
GENRES = ("speeches", "recipes", "stories")


@pytest.fixture(scope="module")
def deck() -> Sequence[PassageRecord]:
    """The starter deck."""
    return list(read_records(DECKS / "starter.jsonl"))


@pytest.fixture(scope="module")
def days() -> Sequence[PassageRecord]:
    """The deck of the daily round."""
    return list(read_records(DECKS / "daily" / "daily.jsonl"))


@pytest.fixture(scope="module")
def withheld() -> Sequence[PassageRecord]:
    """Passages that no deck may show: the guide quotes them, or somebody thought better of them."""
    return list(read_records(DECKS / "withheld.jsonl"))


@pytest.fixture(scope="module")
def passages(deck: Sequence[PassageRecord], days: Sequence[PassageRecord]) -> Sequence[tuple[str, Passage]]:
    """Genre and text, with every pointer followed."""
    return [(record.genre, passage_of(record, resolve)) for record in (*deck, *days)]


def test_the_decks_are_draws_from_the_candidates(
    deck: Sequence[PassageRecord], days: Sequence[PassageRecord], withheld: Sequence[PassageRecord]
) -> None:
    genre = "stories"  # each genre is drawn by itself
    files = [DECKS / "candidates" / genre / f"{genre}{end}.jsonl" for end in ("", "-splice")]
    read_in = [record for path in files for record in read_records(path)]
    candidates, _ = sift(read_in, resolve, installed_judges())

    def of_genre(records: Sequence[PassageRecord]) -> set[str]:
        return {record.id for record in records if record.genre == genre}

    first = draw(candidates, Wanted(3, 3), seed=1, without=withheld)
    second = draw(candidates, Wanted(10, 0), seed=1, without=(*withheld, *deck))
    assert of_genre(first) == of_genre(deck)
    assert of_genre(second) == of_genre(days)


def test_no_deck_shows_what_another_shows_or_what_is_taught(
    deck: Sequence[PassageRecord], days: Sequence[PassageRecord], withheld: Sequence[PassageRecord]
) -> None:
    shown = [
        (source.document, start)
        for record in (*deck, *days, *withheld)
        for source in (record.source, record.other)
        if source
        for start, _ in source.offsets
    ]
    assert Counter(shown).most_common(1)[0][1] == 1


def test_what_guide_and_practice_quote_is_withheld(withheld: Sequence[PassageRecord]) -> None:
    texts = {sentence.text for record in withheld for sentence in passage_of(record, resolve).sentences}
    guide = (TEMPLATES / "guide.html").read_text(encoding="utf-8")
    quoted = re.findall(r'^  \(\d+, "(?:human|machine)", "(.*)"\),$', guide, re.MULTILINE)
    practised = [sentence.text for lesson in lessons() for sentence in lesson.sentences]

    assert len(quoted) > 20
    assert [text for text in (*quoted, *practised) if text not in texts] == []


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


def test_human_text_is_a_pointer_and_machine_text_is_there(
    deck: Sequence[PassageRecord], days: Sequence[PassageRecord]
) -> None:
    for record in (*deck, *days):
        for part in record.sentences:
            assert (part.text is None) == (part.author is not Author.MACHINE)


def test_what_is_shown_passes_todays_checks(passages: Sequence[tuple[str, Passage]]) -> None:
    judges = installed_judges()
    for genre, passage in passages:
        texts = tuple(sentence.text for sentence in passage.sentences)
        assert reading_refusal(texts, unit_for(genre), judges) is None, texts
