from collections.abc import Sequence

import pytest

from generators.checks import is_copied, refusal, unit_refusal
from generators.segment import HEAD_ENDS, Unit
from tests.generators.texts import judges, sentences

pytest.importorskip("nupunkt")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The road ended at the river.", None),
        ("He asked whether the dogs' owners know.", None),
        ("Who knows where the road ends?", "a question or an exclamation"),
        ("Enjoy the road!", "a question or an exclamation"),
        ("The road ended at the caf\u00e9.", "a character beyond ASCII"),
        ("and the road ended there.", "starts in mid-sentence"),
        ("The road ended at the", "ends in mid-sentence"),
        ('She said "no" again.', "quotation"),
        ("The road (the old one ended here.", "a loose bracket"),
        ("The **road** ended here.", "markup"),
        ("1. The road ended here.", "starts in mid-sentence"),
        ("The road , it seems, ended here.", "debris"),
        ("Thank you. (Applause) We go on.", "debris"),
        ("He stood in the stirrups--r we thought so.", "debris"),
        ("They came n and sat down.", "debris"),
        ("It was five o'clock and I don't know why.", None),
        ("THE END OF THE ROAD came here.", "a word in capitals"),
        ("The US ended the road.", "a word in capitals"),
        ("The MI6 road ended here.", "a word in capitals"),
        ("In 1961 I saw the U.S. road.", None),
        ("As an AI language model I cannot know the road.", "assistant talk"),
        ("This revised version of the text is shorter.", "assistant talk"),
        ("Make it a character in your story.", "assistant talk"),
        ("I would like to collaborate with him.", "assistant talk"),
        ("Note that the road ended here.", "assistant talk"),
        ("Question: where did the road end.", "a label"),
        ("So she made love to the river.", "crude words"),
        ("Oh.", "length"),
        ("We go and we go and we go and we go and we go and we go on.", "loops inside"),
    ],
)
def test_a_unit_is_refused_for_a_stated_reason(text: str, reason: str | None) -> None:
    assert unit_refusal(text, Unit.SENTENCE) == reason


@pytest.mark.parametrize("place", [1, 8])
@pytest.mark.parametrize("bad", ["the road ended.", 'He said "no" to it.', "Visit www.example.com today."])
def test_the_same_check_meets_both_sides(place: int, bad: str) -> None:
    parts = sentences(10, 3)
    parts[place] = bad
    assert refusal(parts, Unit.SENTENCE, judges()) == unit_refusal(bad, Unit.SENTENCE)


def test_the_head_of_a_recipe_is_exempt() -> None:
    head = f"Cr\u00eape\nIngredients:\n2 eggs\n{HEAD_ENDS}"
    assert refusal([head, *sentences(9, 3)], Unit.LINE, judges()) is None


@pytest.mark.parametrize(
    "repeated",
    [
        ["The mayor sold the map.", "The mayor sold the map."],
        ["We will fight for the children of this land.", "We will fight for the men of this land."],
        [
            "We must build a good school.",
            "We must build the road.",
            "We must build us a port.",
            "We must build on.",
        ],
    ],
)
def test_loops_are_refused(repeated: Sequence[str]) -> None:
    assert refusal([*sentences(10, 3)[:5], *repeated], Unit.SENTENCE, judges()) == "repetition"


def test_a_sentence_copied_from_the_original_is_noticed() -> None:
    original = "The old clock in the hall struck nine and then it stopped."
    assert is_copied("The old clock in the hall struck nine and then broke.", [original])
    assert not is_copied("The new clock on the stairs struck nine.", [original])
