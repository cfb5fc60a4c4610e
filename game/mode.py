"""The contract of a mode: a round is a small state machine.

A mode is one folder in `game/modes/`. It is pure: the same passage, policy and moves
give the same state, so that nothing but the moves needs to be stored.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict

from game.passage import Passage

State = TypeVar("State")
Move = TypeVar("Move", bound=BaseModel)

Form = Mapping[str, Any]
"""What a player sent: strings, and lists of strings where a field may come often."""

Data = Mapping[str, Any]
"""What goes out as JSON."""


class Policy(BaseModel):
    """The rules of a round that a study may choose; stored with the round.

    Attributes:
        version: raised whenever the meaning of a field changes.
        reasons: the chips on offer: ours, or the set of the paper for replications.
        required: which answers ask for a reason before they count.
        confidence: whether an answer asks how sure one is, and whether it counts only with that.
        teaches: whether guide, practice, and what others said are there to learn from; an arm
            of a study may be without.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    reasons: Literal["ours", "paper"] = "ours"
    required: Literal["closing", "machine", "none"] = "closing"
    confidence: Literal["off", "optional", "required"] = "off"
    teaches: bool = True


SITE = Policy(confidence="optional")
"""Open play: every answer that closes a round costs a reason, and may say how sure it is."""

REPLICATION = Policy(reasons="paper", required="machine")
"""Dugan et al. 2023, section 4.1: the paper's reasons, asked for after "machine" only."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a round ended.

    Attributes:
        points: None where nobody knows the truth (yet).
        guess: the answer as one number, in modes that have one; runs of identical
            guesses are marked.
        data: the reveal, as the API tells it.
        is_right: whether the answer that closed the round was true; None where nobody knows.
        opinions: what to count of this answer for those who finish the passage after; each is
            a short string that the mode understands.
    """

    points: int | None
    guess: int | None
    data: Data
    is_right: bool | None = None
    opinions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Screen:
    """What to draw.

    Attributes:
        template: file in the mode's own `templates/`.
        view: the one object that the template reads; while the round is open it has no
            place for an answer.
        data: the same for the API.
    """

    template: str
    view: object
    data: Data


@dataclass(frozen=True, slots=True)
class Practised:
    """A round to practise on, as far as it got; `is_over` once everything is told."""

    screen: Screen
    is_over: bool


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A finished round that gave points, for a profile.

    Attributes:
        genre: of the passage.
        generator: what took over, in a word: a model, another human document, or nobody.
        boundary: index of the first sentence that is not the human's; `length` if there is none.
        length: sentences of the passage.
        guess: the answer, in the same numbers.
        points: what it earned.
        is_in_streak: whether it lies in a run of identical guesses.
        confidence: how sure the player was, 50 to 100; None if nobody asked.
        last_form: the move that closed it.
    """

    genre: str
    generator: str
    boundary: int
    length: int
    guess: int
    points: int
    is_in_streak: bool
    confidence: int | None
    last_form: Form


@dataclass(frozen=True, slots=True)
class Example:
    """A round played out: documentation, bot and test in one.

    Attributes:
        name: what it shows.
        passage: the text.
        forms: the moves, in order.
        points: what they earn.
        hidden: strings that no open screen may contain.
    """

    name: str
    passage: Passage
    forms: Sequence[Form]
    points: int | None
    hidden: Sequence[str] = ()


class Mode(Protocol[State, Move]):
    """A way to read a passage.

    Attributes:
        slug: name in addresses, tables and exports; the name of the folder.
        title: name in menus.
        summary: one sentence for menus.
        order: place in menus; the lowest is what the front page starts.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    order: ClassVar[int]

    def accepts(self, passage: Passage) -> bool:
        """Say whether a round can be played on this passage."""
        ...

    def start(self, passage: Passage, policy: Policy) -> State:
        """Return the state before the first move."""
        ...

    def read(self, form: Form) -> Move:
        """Return the move of a form; an old form stays readable.

        Raises:
            BadMoveError: it holds no move of this mode.
        """
        ...

    def play(self, state: State, move: Move) -> State:
        """Return the state after a move.

        Raises:
            BadMoveError: the move makes no sense here.
            UnfinishedMoveError: it lacks something the player can still give.
        """
        ...

    def verdict(self, state: State) -> Verdict | None:
        """Return how the round ended; None while it is open."""
        ...

    def screen(self, state: State, draft: Form, problem: str | None) -> Screen:
        """Return what to draw.

        Args:
            state: of the round.
            draft: a half-made move to go on with; empty for none.
            problem: what the draft lacks, for the player.
        """
        ...

    def crowd(self, state: State, opinions: Mapping[str, int]) -> Screen | None:
        """Return what all players said about a passage; None if there is nothing to learn from it.

        Args:
            state: of a closed round.
            opinions: how often each opinion was counted.
        """
        ...

    def lessons(self) -> Sequence[str]:
        """Return the titles of rounds to practise on, in order."""
        ...

    def lesson(self, number: int, calls: Sequence[str]) -> Practised:
        """Return a round to practise on after some answers; `number` counts from zero.

        Raises:
            BadMoveError: an answer is none.
        """
        ...

    def profile(self, rounds: Sequence[PlayedRound]) -> Screen | None:
        """Return what a player's rounds add up to; None for a mode without points.

        Args:
            rounds: in the order of closing.
        """
        ...

    def examples(self) -> Sequence[Example]:
        """Return rounds played out."""
        ...


def replay(mode: Mode[State, Move], passage: Passage, policy: Policy, forms: Iterable[Form]) -> State:
    """Return the state after the given moves."""
    state = mode.start(passage, policy)
    for form in forms:
        state = mode.play(state, mode.read(form))
    return state
