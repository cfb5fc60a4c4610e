"""The contract of whatever continues texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from generators.decoding import Decoding
from generators.segment import Unit


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
    """

    text: str
    unit: Unit
    needed: int
    spoilt: Callable[[str], bool] = _never


class Backend(Protocol):
    """Continues texts; same order out as in.

    Attributes:
        name: of the back end.
        model: the model's id.
        revision: tells one state of the weights from another.
        batch: how many prompts go together.
    """

    name: str
    model: str
    revision: str
    batch: int

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        """Return what comes after each prompt, beginning with the white space between."""
        ...
