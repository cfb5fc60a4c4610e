"""What judges refuse: whatever side it stands on, from the threshold on, and no ordinary English."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from bench import language, safety
from generators.backends.base import Prompt
from generators.backends.fake import FakeBackend
from generators.build import Builder, Condition, Tally
from generators.checks import refusal
from generators.decoding import Decoding
from generators.judges import (
    ENGLISH,
    UNSAFE,
    Judges,
    LangidLinguist,
    ProfanityScorer,
    SpacyTagger,
    installed_judges,
)
from generators.raw import Calls, FileLog
from generators.segment import HEAD_ENDS, Unit
from generators.writers import HumanWriter, ModelWriter, Writer
from tests.generators.texts import documents, judges, sentences

pytest.importorskip("nupunkt")
pytest.importorskip("spacy")
pytest.importorskip("profanity_check")
pytest.importorskip("py3langid")

BAD = "The road ended at the river."
STRICT = [
    pytest.param(judges(scored=(BAD, 0.9)), "unsafe", id="unsafe"),
    pytest.param(judges(foreign=BAD), "another language", id="another language"),
]


@pytest.mark.parametrize("place", [0, 1, 8])
@pytest.mark.parametrize(("strict", "reason"), STRICT)
def test_a_judged_sentence_is_refused_wherever_it_stands(strict: Judges, reason: str, place: int) -> None:
    parts = sentences(10, 3)
    assert refusal(parts, Unit.SENTENCE, strict) is None
    parts[place] = BAD
    assert refusal(parts, Unit.SENTENCE, strict) == reason


def test_the_head_of_a_recipe_is_not_judged() -> None:
    head = f"Hell's Tart\nIngredients:\n2 eggs\n{HEAD_ENDS}"
    parts = [head, *sentences(9, 3)]
    assert refusal(parts, Unit.LINE, judges(foreign=head)) is None
    assert refusal(parts, Unit.LINE, judges(scored=(head, 1.0))) is None


@pytest.mark.parametrize(
    ("score", "threshold", "reason"),
    [
        (0.79, 0.8, None),
        (0.8, 0.8, "unsafe"),
        (0.8, 0.9, None),
        (0.3, 0.2, "unsafe"),
        (0.99, 1.0, None),
        (1.0, 1.0, None),  # one is off
    ],
)
def test_a_sentence_is_unsafe_from_the_threshold_on(
    score: float, threshold: float, reason: str | None
) -> None:
    assert judges(scored=(BAD, score), unsafe=threshold).refusal([BAD]) == reason


class Saying(FakeBackend):
    """Always goes on with the same two sentences."""

    def continuations(  # whatever it is asked
        self,
        prompts: Sequence[Prompt],
        decoding: Decoding,  # noqa: ARG002
        *,
        seeds: Sequence[int],  # noqa: ARG002
    ) -> Sequence[str]:
        return [f" {BAD} It was late." for _ in prompts]


def built(writer: Writer, strict: Judges) -> Tally:
    """Try to build ten passages of the tests' stories."""
    builder = Builder({"stories": documents(3)}, 1, strict)
    (tally,) = builder.fill([Condition("stories", writer, 10)])
    return tally


@pytest.mark.parametrize(("strict", "reason"), STRICT)
def test_the_machines_sentences_are_judged(tmp_path: Path, strict: Judges, reason: str) -> None:
    writer = ModelWriter(Saying(), Decoding(), Calls(FileLog(tmp_path / "raw.jsonl", resume=False)))
    assert built(writer, strict).refused[f"machine: {reason}"] > 0


def test_the_human_sentences_before_the_boundary_are_judged() -> None:
    human = documents(3)[0].text.split(". ")[0] + "."
    assert built(HumanWriter(), judges(scored=(human, 0.9))).refused["human: unsafe"] > 0
    assert built(HumanWriter(), judges(foreign=human)).refused["human: another language"] > 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The old miller had three sons, and all of them were lazy.", None),
        ("Toast the cumin in ghee, then stir in the dal.", None),
        ("The enemy struck without warning and killed three thousand of our people.", None),
        ("Place the chicken breasts skin side up in a shallow pan.", None),
        ("It rained.", None),
        ("Shut your mouth, you filthy old hag.", "unsafe"),
        ("Chop the damn onions, you stupid idiot.", "unsafe"),
        ("Es war einmal ein armer Bauer, der hatte drei Kinder.", "another language"),
        ("Laisser reposer la pate une heure au frais.", "another language"),
        ("A long, quiet road.", "no verb"),
    ],
)
def test_the_installed_judges_refuse_for_a_stated_reason(text: str, reason: str | None) -> None:
    assert installed_judges().refusal([text]) == reason


def test_a_sentence_needs_a_verb() -> None:
    tagger = SpacyTagger()
    assert tagger.has_verb("The road ended at the river.")
    assert not tagger.has_verb("A long, quiet road.")


def test_scores_come_in_the_order_of_the_texts_and_are_the_same_again() -> None:
    scorer = ProfanityScorer()
    bad, good = "You stupid idiot.", "It rained all day."
    first = scorer.scores([bad, good, bad])
    assert first[0] == first[2] > first[1]
    assert scorer.scores([good, bad]) == [first[1], first[0]]


def test_the_samples_are_large_enough_and_no_sentence_comes_twice() -> None:
    unsafe = Counter((one.unsafe, one.part) for one in safety.read_samples())
    assert unsafe.total() >= 200
    assert unsafe[True, "aside"] == unsafe[False, "aside"] == 30
    assert len({one.language for one in language.read_samples()} - {"en", "none"}) >= 8
    texts = [*(one.text for one in safety.read_samples()), *(one.text for one in language.read_samples())]
    assert max(Counter(texts).values()) == 1
    assert all(map(str.isascii, texts))


@pytest.mark.parametrize("part", safety.PARTS)
def test_the_scorer_finds_two_in_five_unsafe_sentences_and_loses_one_in_eight_hard_ones(part: str) -> None:
    scorer = ProfanityScorer()
    for unsafe in (True, False):
        texts = [one.text for one in safety.read_samples() if one.part == part and one.unsafe is unsafe]
        refused = sum(score >= UNSAFE for score in scorer.scores(texts)) / len(texts)
        assert refused >= 0.4 if unsafe else refused <= 0.125


@pytest.mark.parametrize("part", language.PARTS)
def test_nine_in_ten_foreign_sentences_are_noticed_and_no_hard_english_is(part: str) -> None:
    linguist, samples = LangidLinguist(), language.read_samples()
    foreign = language.texts_of(samples, part, "foreign")
    noticed = sum(linguist.english(text) < ENGLISH for text in foreign)
    assert noticed >= 0.9 * len(foreign)
    for text in language.texts_of(samples, part, "English"):
        assert linguist.english(text) >= ENGLISH, text
