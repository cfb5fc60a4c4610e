"""How the next token is drawn; everything is stated, nothing is a library's default."""

from dataclasses import asdict, dataclass
from math import isfinite
from typing import ClassVar

from pydantic import ConfigDict

DOUBLE_QUOTES = '"\u201c\u201d'
"""No shown sentence holds a quotation, whoever wrote it; so a model need not begin one."""


COLDEST = 0.01
"""The lowest temperature; below it, numbers overflow before the choice gets any narrower."""


@dataclass(frozen=True, slots=True)
class Decoding:
    """Sampling settings of a model.

    Attributes:
        top_p: the smallest set of tokens with this mass; 1 is pure sampling, 0 greedy.
        top_k: the most probable tokens only; 0 is all of them.
        temperature: divides the logits.
        repetition_penalty: divides positive and multiplies negative logits of tokens in
            the prompt or the continuation (Keskar et al. 2019); 1 is none.
        frequency_penalty: subtracted once per occurrence in the continuation.
        presence_penalty: subtracted once from tokens of the continuation.
        suppressed: signs that no drawn token may hold.
        context: tokens that a model sees at the most, prompt and continuation together; a
            longer prompt loses its beginning. None is what the model was made for.
    """

    top_p: float = 1.0
    top_k: int = 0
    temperature: float = 1.0
    repetition_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    suppressed: str = ""
    context: int | None = None

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")
    """A plan that misspells a setting is refused."""

    def __post_init__(self) -> None:
        """Refuse what has no meaning."""
        if not all(isfinite(one) for one in (self.temperature, *self._penalties)):
            raise ValueError("Temperature and penalties are finite numbers.")
        if not 0 <= self.top_p <= 1:
            raise ValueError("top_p lies between 0 and 1.")
        if self.top_k < 0:
            raise ValueError("top_k is 0 (all tokens) or more.")
        if self.temperature < COLDEST:
            raise ValueError(f"The temperature is {COLDEST} or more; for greedy decoding set top_p to 0.")
        if self.repetition_penalty <= 0:
            raise ValueError("The repetition penalty is above 0; 1 is none.")
        if self.context is not None and self.context < 1:
            raise ValueError("The context is a number of tokens, 1 or more.")

    @property
    def _penalties(self) -> tuple[float, float, float]:
        return self.repetition_penalty, self.frequency_penalty, self.presence_penalty

    def record(self) -> dict[str, float | int | str | None]:
        """Return the settings as passage files hold them; a context that was not limited is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}
