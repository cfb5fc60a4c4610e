from collections.abc import Callable
from random import Random

import pytest

from game.passage import Author, Sentence
from game.records import GeneratorRecord, PassageRecord, SentenceRecord, Source, content_id
from generators.audit import Audited, TooSmall, auc_at_equal_places, audit
from tests.generators.texts import sentences

np = pytest.importorskip("numpy")
pytest.importorskip("sklearn")


def passages(spoil: Callable[[str], str], *, number: int = 100) -> list[PassageRecord]:
    dice = Random(5)
    return [passage(at, 1 + at % 10, spoil if dice.random() < 0.8 else str) for at in range(number)]


def passage(at: int, boundary: int, spoil: Callable[[str], str]) -> PassageRecord:
    texts = sentences(10, at)
    shown = [
        Sentence(
            text if place < boundary else spoil(text), Author.HUMAN if place < boundary else Author.MACHINE
        )
        for place, text in enumerate(texts)
    ]
    generator = GeneratorRecord(name="fake") if boundary < 10 else None
    document = f"tests/{at % 25}"
    return PassageRecord(
        id=content_id(shown, generator),
        genre="stories",
        sentences=tuple(SentenceRecord(text=one.text, author=one.author) for one in shown),
        source=Source(corpus="tests", document=document, licence="none", offsets=()),
        generator=generator,
        licence="none",
    )


def layout(records: list[PassageRecord], permutations: int = 199) -> Audited:
    found = next(audit(records, kinds=["layout"], permutations=permutations))
    assert isinstance(found, Audited)
    return found


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text + " ",
        lambda text: text.replace("the", "\u201cthe\u201d", 1).replace("a ", "\u201ca\u201d ", 1),
        lambda text: text[0].lower() + text[1:],
    ],
    ids=["a trailing space", "a curly quote", "a lower-case start"],
)
def test_the_audit_sees_a_planted_cue(spoil: Callable[[str], str]) -> None:
    found = layout(passages(spoil))
    assert found.auc > 0.7
    assert found.p <= 0.01


def test_the_audit_finds_nothing_where_there_is_nothing() -> None:
    found = layout(passages(str), permutations=39)
    assert found.auc == pytest.approx(0.5, abs=0.06)
    assert found.p > 0.05


def test_only_sentences_at_the_same_place_are_compared() -> None:
    scores, places = np.array([1.0, 1.0, 2.0, 2.0]), np.array([1, 1, 2, 2])
    truth = np.array([True, False, True, False])
    assert auc_at_equal_places(scores, truth, places) == 0.5


def test_the_first_sentence_is_left_out() -> None:
    found = layout(passages(str, number=50), permutations=1)
    assert found.machine_sentences + found.human_sentences == 50 * 9


def test_a_generator_of_too_few_documents_is_named_not_guessed_at() -> None:
    assert list(audit([passage(1, 5, str), passage(2, 10, str)])) == [TooSmall("stories", "fake", 2, 2)]
