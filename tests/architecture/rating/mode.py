"""Two turns: a rating from one to five, then whether one would read on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from game.errors import BadMoveError
from game.mode import Data, Example, Form, PlayedRound, Policy, Practised, Screen, Verdict
from game.passage import Passage

from .examples import EXAMPLES


class RatingMove(BaseModel):
    """A rating, or a wish for more."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rating: int | None = Field(default=None, ge=1, le=5)
    again: Literal["yes", "no"] | None = None


@dataclass(frozen=True, slots=True)
class RatingState:
    """A round so far."""

    passage: Passage
    rating: int | None = None
    again: str | None = None


@dataclass(frozen=True, slots=True)
class RatingView:
    """What the player sees: the text, never who wrote it, until the end."""

    texts: tuple[str, ...]
    rating: int | None
    authors: tuple[str, ...]


class RatingMode:
    """Nobody knows the truth about taste: there are no points."""

    slug: ClassVar[str] = "rating"
    title: ClassVar[str] = "How good is it?"
    summary: ClassVar[str] = "Read a whole text and rate it."
    order: ClassVar[int] = 9

    def accepts(self, passage: Passage) -> bool:
        """Take every passage."""
        return bool(passage.sentences)

    def start(self, passage: Passage, policy: Policy) -> RatingState:  # noqa: ARG002
        """Show the text."""
        return RatingState(passage)

    def read(self, form: Form) -> RatingMove:
        """Return the rating or the wish that a form holds."""
        try:
            move = RatingMove.model_validate(form)
        except ValidationError as error:
            raise BadMoveError("That is no rating.") from error
        if (move.rating is None) == (move.again is None):
            raise BadMoveError("A turn holds a rating, or whether you would read on.")
        return move

    def play(self, state: RatingState, move: RatingMove) -> RatingState:
        """Take the rating first, then the wish."""
        if (state.rating is None) != (move.again is None):
            raise BadMoveError("First the rating, then whether you would read on.")
        if move.rating is not None:
            return replace(state, rating=move.rating)
        return replace(state, again=move.again)

    def verdict(self, state: RatingState) -> Verdict | None:
        """Return the answers once both are there."""
        if state.again is None:
            return None
        data = {"rating": state.rating, "again": state.again, "authors": _authors(state)}
        return Verdict(points=None, guess=None, data=data)

    def screen(self, state: RatingState, draft: Form, problem: str | None) -> Screen:  # noqa: ARG002
        """Return the whole text and the question that is due."""
        texts = tuple(sentence.text for sentence in state.passage.sentences)
        authors = () if state.again is None else _authors(state)
        data: Data = {"shown": list(texts), "rating": state.rating}
        return Screen("rate.html", RatingView(texts, state.rating, authors), data)

    def crowd(self, state: RatingState, opinions: Mapping[str, int]) -> Screen | None:  # noqa: ARG002
        """Return nothing: taste is nobody's teacher."""
        return None

    def lessons(self) -> Sequence[str]:
        """Return none."""
        return []

    def lesson(self, number: int, calls: Sequence[str]) -> Practised:  # noqa: ARG002
        """Refuse: there is none."""
        raise BadMoveError("There is nothing to practise.")

    def profile(self, rounds: Sequence[PlayedRound]) -> Screen | None:  # noqa: ARG002
        """Return nothing: nobody is good or bad at taste."""
        return None

    def examples(self) -> Sequence[Example]:
        """Return rounds played out."""
        return EXAMPLES


def _authors(state: RatingState) -> tuple[str, ...]:
    return tuple(sentence.author.value for sentence in state.passage.sentences)
