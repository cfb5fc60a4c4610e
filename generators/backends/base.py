"""The contract of whatever continues texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from generators.decoding import Decoding
from generators.segment import Unit

PLAIN_TEMPLATE = "the human units as the player sees them, joined as in the document; no chat template"
"""What a back end that continues plain text says of its prompts."""


def _never(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text to go on with.

    Attributes:
        text: what the player has read, without white space at its end.
        unit: what is counted.
        needed: units to write; a continuation may hold more, and less if the model ends.
        spoilt: says of a whole unit that the passage is lost with it, so that a back end
            need not go on.
        longest: characters after which a unit is lost, finished or not; None is no limit.
    """

    text: str
    unit: Unit
    needed: int
    spoilt: Callable[[str], bool] = _never
    longest: int | None = None


class Backend(Protocol):
    """Continues texts; same order out as in.

    Attributes:
        name: of the back end.
        model: the model's id.
        revision: tells one state of the weights from another.
        engine: what runs the model, with its version or its address; no record tells it.
        batch: how many prompts go together.
        written: tokens so far, as far as they are known.
        template: how a prompt is put to the model, as passage files say it.
    """

    name: str
    model: str
    revision: str
    engine: str
    batch: int
    written: int
    template: str

    def applied(self, decoding: Decoding) -> Decoding:
        """Return what of the settings the back end puts into effect; this is what is recorded."""
        ...

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str | None]:
        """Return what comes after each prompt, beginning with the white space between.

        None stands for a request that failed; what a model left empty is empty.
        """
        ...
