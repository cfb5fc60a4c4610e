"""The reasons a player may tick, and which of them a policy offers."""

from dataclasses import dataclass
from typing import Literal

from game.language import say, unsaid
from game.mode import Policy

Call = Literal["human", "machine"]

FEELING = "feeling"
OTHER = "other"


@dataclass(frozen=True, slots=True)
class Reason:
    """A chip: the code that is stored, the words on the chip, in English until they are said."""

    code: str
    words: str


_PAPER = (
    Reason("grammar", unsaid("is not grammatical")),
    Reason("repetition", unsaid("repeats what was said")),
    Reason("irrelevant", unsaid("has nothing to do with the text")),
    Reason("contradicts_sentence", unsaid("contradicts an earlier sentence")),
    Reason("contradicts_knowledge", unsaid("gets the world wrong")),
    Reason("common_sense", unsaid("goes against common sense")),
    Reason("coreference", unsaid("mixes up who or what is meant")),
    Reason("generic", unsaid("says nothing in particular")),
)
"""Dugan et al. 2023, table 2, in our words; `other` is theirs as well."""

_HUMAN = (
    Reason("voice", unsaid("it has a voice of its own")),
    Reason("detail", unsaid("the details are right")),
    Reason("consistent", unsaid("it hangs together to the end")),
)
_OTHER = Reason(OTHER, unsaid("something else"))
_FEELING = Reason(FEELING, unsaid("just a feeling"))


def offered(call: Call, policy: Policy) -> tuple[Reason, ...]:
    """Return the chips for an answer that closes the round."""
    if policy.reasons == "paper":
        return (*_PAPER, _OTHER) if call == "machine" else ()
    return (*(_PAPER if call == "machine" else _HUMAN), _OTHER, _FEELING)


def words_of(code: str, call: Call) -> str:
    """Return the words on a chip; the code itself for one that is offered no more."""
    chips = (*(_PAPER if call == "machine" else _HUMAN), _OTHER, _FEELING)
    return next((say(chip.words) for chip in chips if chip.code == code), code)


def required(call: Call, policy: Policy) -> bool:
    """Say whether that answer counts only with a reason."""
    return policy.required in {"closing", call}
