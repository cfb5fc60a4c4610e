"""Moves, state and rules of the boundary game (Dugan et al. 2023, section 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from game.errors import BadMoveError, UnfinishedMoveError
from game.language import say, unsaid
from game.mode import Example, Form, PlayedRound, Policy, Practised, Screen, Verdict
from game.modes.boundary.crowd import crowd_screen, opinions
from game.modes.boundary.examples import EXAMPLES
from game.modes.boundary.practice import lessons, practised
from game.modes.boundary.profile import profile_screen
from game.modes.boundary.reasons import OTHER, Call, offered, required
from game.modes.boundary.screens import open_screen, reveal, verdict_data
from game.passage import LENGTH, Passage
from scoring.points import call_is_right, distance_decay

NOTE_LENGTH = 1000


class BoundaryMove(BaseModel):
    """One decision about the sentence shown last."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    call: Call
    reasons: tuple[str, ...] = ()
    note: str | None = Field(default=None, max_length=NOTE_LENGTH)

    @field_validator("reasons", mode="before")
    @classmethod
    def _one_is_a_list_too(cls, value: object) -> object:
        return [value] if isinstance(value, str) else value

    @field_validator("note", mode="before")
    @classmethod
    def _as_it_was_typed(cls, value: object) -> object:
        """Forms send CR LF for a line break, which the browser counts as one character."""
        return (value.replace("\r\n", "\n").strip() or None) if isinstance(value, str) else value

    @field_validator("reasons")
    @classmethod
    def _in_order_and_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(sorted(set(value)))


@dataclass(frozen=True, slots=True)
class BoundaryState:
    """A round so far.

    Attributes:
        shown: sentences on the screen; the last of them is the one to judge.
        guess: zero-based index of the sentence called the first machine one, the
            length for "all human", None while the round is open.
        reasons: given with the guess.
    """

    passage: Passage
    policy: Policy
    shown: int = 2
    guess: int | None = None
    reasons: tuple[str, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the sentence to judge is the last of the passage."""
        return self.shown == len(self.passage.sentences)


class BoundaryMode:
    """Sentences come one at a time; the player says where the machine begins."""

    slug: ClassVar[str] = "boundary"
    title: ClassVar[str] = unsaid("Real or fake?")
    summary: ClassVar[str] = unsaid("A text begins in human hands. Say where a machine takes over.")
    order: ClassVar[int] = 1

    def accepts(self, passage: Passage) -> bool:
        """Say whether the passage has the ten sentences of the game."""
        return len(passage.sentences) == LENGTH

    def start(self, passage: Passage, policy: Policy) -> BoundaryState:
        """Show the opening sentence and the first one to judge."""
        return BoundaryState(passage, policy)

    def read(self, form: Form) -> BoundaryMove:
        """Return the decision that a form holds."""
        try:
            return BoundaryMove.model_validate(form)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"])
            raise BadMoveError(f"“{field}”: {first['msg']}.") from error

    def play(self, state: BoundaryState, move: BoundaryMove) -> BoundaryState:
        """Show one more sentence, or close the round with a guess."""
        if move.call == "human" and not state.is_last:
            if move.reasons or move.note:
                raise BadMoveError(say("Reasons belong to the answer that closes the round."))
            return replace(state, shown=state.shown + 1)
        _check_reasons(move, state.policy)
        last = state.shown - 1
        guess = last if move.call == "machine" else last + 1
        return replace(state, guess=guess, reasons=move.reasons)

    def verdict(self, state: BoundaryState) -> Verdict | None:
        """Return points and reveal once there is a guess."""
        if state.guess is None:
            return None
        boundary = state.passage.boundary
        points = distance_decay(state.guess, boundary)
        return Verdict(
            points,
            state.guess,
            verdict_data(state.passage, state.guess, points),
            is_right=call_is_right(state.guess, boundary, length=len(state.passage.sentences)),
            opinions=opinions(state.guess, state.reasons),
        )

    def screen(self, state: BoundaryState, draft: Form, problem: str | None) -> Screen:
        """Return the sentences shown so far, or the reveal."""
        if state.guess is not None:
            points = distance_decay(state.guess, state.passage.boundary)
            return reveal(state.passage, state.guess, points, shown=state.shown)
        shown = tuple(sentence.text for sentence in state.passage.sentences[: state.shown])
        return open_screen(
            shown, len(state.passage.sentences), policy=state.policy, draft=draft, problem=problem
        )

    def crowd(self, state: BoundaryState, opinions: Mapping[str, int]) -> Screen | None:
        """Return where players said “machine”, and why, where it was true."""
        return crowd_screen(state.passage, opinions)

    def lessons(self) -> Sequence[str]:
        """Return the titles of the lessons."""
        return [lesson.title for lesson in lessons()]

    def lesson(self, number: int, calls: Sequence[str]) -> Practised:
        """Return a lesson after some calls."""
        return practised(lessons()[number], calls)

    def profile(self, rounds: Sequence[PlayedRound]) -> Screen:
        """Return hits and misses, reasons and trophies."""
        return profile_screen(rounds)

    def examples(self) -> Sequence[Example]:
        """Return rounds played out."""
        return EXAMPLES


def _check_reasons(move: BoundaryMove, policy: Policy) -> None:
    codes = {reason.code for reason in offered(move.call, policy)}
    unknown = [reason for reason in move.reasons if reason not in codes]
    if unknown:
        raise BadMoveError(say("“%(reason)s” is no reason for this answer.", reason=unknown[0]))
    if not move.reasons and required(move.call, policy) and codes:
        raise UnfinishedMoveError("reason-missing", say("Pick at least one reason before it counts."))
    if OTHER in move.reasons and not move.note:
        raise UnfinishedMoveError("note-missing", say("Say in the note what else it is."))
