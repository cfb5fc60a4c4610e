"""A back end without a model: plain sentences put together by the dice."""

from collections.abc import Sequence
from random import Random

from generators.backends.base import PLAIN_TEMPLATE, Prompt
from generators.decoding import Decoding

WHO = (
    "The baker", "A young doctor", "My sister", "The committee", "Nobody", "An old sailor", "The mayor",
    "Our teacher", "The farmer", "A stranger", "Her brother", "The painter", "Every child", "The clerk",
)  # fmt: skip
DID = (
    "carried", "forgot", "painted", "sold", "repaired", "admired", "hid", "measured", "bought", "dropped",
    "counted", "opened", "kept", "described", "missed", "borrowed",
)  # fmt: skip
WHAT = (
    "seven lamps", "the wooden bridge", "two letters", "a heavy coat", "the last map", "fresh bread",
    "an iron key", "the broken clock", "three apples", "a silver spoon", "the blue door", "many books",
    "the small boat", "a pair of gloves", "her garden", "an empty bottle",
)  # fmt: skip
WHERE = (
    "near the river", "behind the school", "at the market", "in the old hall", "under the stairs",
    "on the hill", "beside the well", "across the square", "above the shop", "inside the tower",
    "along the coast", "between two walls",
)  # fmt: skip
WHEN = (
    "before dawn", "last winter", "on a quiet Sunday", "after the storm", "during the long war",
    "without a word", "for the second time", "to please a friend", "in great haste", "with some regret",
    "until it grew dark", "as the bells rang",
)  # fmt: skip


class FakeBackend:
    """Continues every prompt with well-formed sentences; the same seed writes the same."""

    name = "fake"
    model = "fake"
    revision = "1"
    engine = "dice"
    template = PLAIN_TEMPLATE

    def __init__(self, batch: int = 8) -> None:
        self.batch, self.written = batch, 0

    def applied(self, decoding: Decoding) -> Decoding:
        """Return the settings as they are; there is nothing to be untrue to."""
        return decoding

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        """Return as many sentences as needed and one more."""
        del decoding
        texts = [_continuation(prompt, seed) for prompt, seed in zip(prompts, seeds, strict=True)]
        self.written += sum(len(text.split()) for text in texts)
        return texts


def _continuation(prompt: Prompt, seed: int) -> str:
    dice = Random(seed)  # noqa: S311 - not a secret
    chosen = [_sentence(dice) for _ in range(prompt.needed + 1)]
    return prompt.unit.gap + prompt.unit.gap.join(chosen)


def _sentence(dice: Random) -> str:
    return " ".join(dice.choice(words) for words in (WHO, DID, WHAT, WHERE, WHEN)) + "."
