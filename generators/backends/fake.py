"""A back end without a model: fixed sentences, chosen by the seed."""

from collections.abc import Sequence

from generators.backends.base import Prompt
from generators.decoding import Decoding

SENTENCES = (
    "The committee will meet again in the first week of March.",
    "She put the letters back into the drawer and closed it.",
    "Nobody had told them that the road ended at the river.",
    "We ask for patience while the new bridge is being built.",
    "Stir the sauce until it becomes smooth and thick.",
    "There were seven lamps in the window of the shop.",
    "He kept his promise although it cost him a good friend.",
    "Every farmer knows how quickly the weather can turn.",
    "Let the dough rest under a cloth for half an hour.",
    "The old clock in the hall struck nine and then stopped.",
    "They walked home slowly because the night was warm.",
    "Our schools deserve better roofs and better books.",
    "I found the key under a stone beside the gate.",
)


class FakeBackend:
    """Continues every prompt with well-formed sentences."""

    name = "fake"
    model = "fake"
    revision = "1"

    def __init__(self, batch: int = 8) -> None:
        """Take prompts in batches of that many."""
        self.batch = batch

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        """Return as many sentences as needed and one more."""
        del decoding
        return [_continuation(prompt, seed) for prompt, seed in zip(prompts, seeds, strict=True)]


def _continuation(prompt: Prompt, seed: int) -> str:
    chosen = [SENTENCES[(seed + step) % len(SENTENCES)] for step in range(prompt.needed + 1)]
    return prompt.unit.join + prompt.unit.join.join(chosen)
