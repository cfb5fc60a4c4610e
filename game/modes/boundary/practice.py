"""Rounds to practise on: after every sentence the player hears who wrote it, and how one could tell."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from game.errors import BadMoveError
from game.language import say
from game.mode import Practised, Screen
from game.modes.boundary.reasons import Call
from game.passage import Author, Passage, Sentence
from scoring.points import distance_decay

_LESSONS = Path(__file__).with_name("practice.toml")
_CALLS = TypeAdapter(tuple[Call, ...])


class LessonSentence(BaseModel):
    """A sentence, who wrote it, and how one can tell."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    author: Author
    text: str
    why: str


class Lesson(BaseModel):
    """A passage with explanations; its answer is public, so no deck may hold it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    source: str
    moral: str
    sentences: tuple[LessonSentence, ...]

    @property
    def passage(self) -> Passage:
        """The passage that is explained."""
        return Passage(tuple(Sentence(one.text, one.author) for one in self.sentences))


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A sentence on the screen, explained once it was judged; `is_right` is None where nobody was asked."""

    number: int
    rows: tuple[str, ...]
    author: str | None
    why: str | None
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class LessonView:
    """A lesson so far; `outcome` and `moral` come at its end."""

    title: str
    source: str
    lines: tuple[LessonLine, ...]
    length: int
    calls: tuple[Call, ...]
    outcome: str | None
    moral: str | None


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lessons in the order they are taught."""
    return tuple(Lesson.model_validate(one) for one in tomllib.loads(_LESSONS.read_text())["lessons"])


def practised(lesson: Lesson, calls: Sequence[str]) -> Practised:
    """Return a lesson after some calls on its second sentence and those that follow.

    It is over with the first machine sentence: from there on everything is explained.

    Raises:
        BadMoveError: a call is none, or there are more than the lesson asks for.
    """
    boundary = lesson.passage.boundary
    if len(calls) > boundary or any(call not in {"human", "machine"} for call in calls):
        raise BadMoveError(say("A lesson is answered with “human” or “machine”, sentence by sentence."))
    made = _CALLS.validate_python(tuple(calls))
    is_over = len(made) == boundary
    length = len(lesson.sentences)
    shown = length if is_over else len(made) + 2
    explained = length if is_over else len(made) + 1
    view = LessonView(
        title=say(lesson.title),
        source=say(lesson.source),
        lines=tuple(_line(lesson, index, made, is_explained=index < explained) for index in range(shown)),
        length=length,
        calls=made,
        outcome=_outcome(made, boundary) if is_over else None,
        moral=say(lesson.moral) if is_over else None,
    )
    shown_texts = [sentence.text for sentence in lesson.sentences[:shown]]
    return Practised(Screen("lesson.html", view, {"shown": shown_texts, "length": length}), is_over)


def _line(lesson: Lesson, index: int, calls: Sequence[Call], *, is_explained: bool) -> LessonLine:
    sentence = lesson.sentences[index]
    call = calls[index - 1] if 1 <= index <= len(calls) else None
    return LessonLine(
        number=index + 1,
        rows=tuple(sentence.text.splitlines()),
        author=sentence.author.value if is_explained else None,
        why=say(sentence.why) if is_explained else None,
        is_right=None if call is None else call == sentence.author,
    )


def _outcome(calls: Sequence[Call], boundary: int) -> str:
    """Say what the first call of “machine” would have earned."""
    if "machine" not in calls:
        return say(
            "You read past sentence %(number)s; at the next one 4 points would be left.", number=boundary + 1
        )
    guess = calls.index("machine") + 1
    if guess < boundary:
        return say(
            "In a round your “machine” at sentence %(number)s would have been too early: no points.",
            number=guess + 1,
        )
    points = distance_decay(guess, boundary)
    return say("In a round this would have been exact: %(points)s points.", points=points)
