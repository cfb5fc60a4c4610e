"""What the player sees: an open round has no place for an answer, a closed one tells all."""

from dataclasses import dataclass
from itertools import pairwise

from game.mode import Data, Form, Policy, Screen
from game.modes.boundary.reasons import Call, Reason, offered
from game.passage import Author, Passage

_AUTHORS = {
    Author.HUMAN: "human",
    Author.MACHINE: "machine",
    Author.OTHER: "another document",
}
_TAKES_OVER = {
    Author.MACHINE: "the machine took over at sentence {}",
    Author.OTHER: "the text switched to another human document at sentence {}",
}


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence on the screen; `number` counts from one, as people do."""

    number: int
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """The chips that an answer asks for before it counts, and whether it asks how `sure` one is."""

    call: Call
    chips: tuple[Reason, ...]
    chosen: frozenset[str]
    note: str
    confidence: str
    sure: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class OpenView:
    """What a player may know now."""

    lines: tuple[Line, ...]
    length: int
    is_last: bool
    panel: Panel | None


@dataclass(frozen=True, slots=True)
class RevealedLine:
    """A sentence after the end, with who wrote it."""

    number: int
    rows: tuple[str, ...]
    author: str
    author_words: str
    is_guess: bool
    takes_over: bool


@dataclass(frozen=True, slots=True)
class RevealView:
    """The round after the end."""

    lines: tuple[RevealedLine, ...]
    headline: str
    explanation: str
    guessed_human: bool


def open_screen(
    shown: tuple[str, ...], length: int, *, policy: Policy, draft: Form, problem: str | None
) -> Screen:
    """Return the screen of an open round; it is given nothing that it must not tell."""
    is_last = len(shown) == length
    lines = tuple(Line(number, _rows(text)) for number, text in enumerate(shown, start=1))
    view = OpenView(lines, length, is_last, _panel(policy, draft, problem, is_last=is_last))
    return Screen("open.html", view, _shown_data(shown, length))


def verdict_data(passage: Passage, guess: int, points: int) -> Data:
    """Return the reveal as the API tells it."""
    return {
        "guess": guess,
        "boundary": passage.boundary,
        "points": points,
        "authors": [sentence.author.value for sentence in passage.sentences],
        "sentences": [sentence.text for sentence in passage.sentences],
    }


def reveal(passage: Passage, guess: int, points: int, *, shown: int) -> Screen:
    """Return the screen of a closed round; `shown` sentences had been read."""
    boundary = passage.boundary
    lines = tuple(
        RevealedLine(
            number=index + 1,
            rows=_rows(sentence.text),
            author=sentence.author,
            author_words=_AUTHORS[sentence.author],
            is_guess=index == guess,
            takes_over=index == boundary,
        )
        for index, sentence in enumerate(passage.sentences)
    )
    view = RevealView(
        lines=lines,
        headline=_headline(guess, boundary, points),
        explanation=_explanation(passage, guess),
        guessed_human=guess == len(passage.sentences),
    )
    texts = tuple(sentence.text for sentence in passage.sentences)
    return Screen("reveal.html", view, _shown_data(texts[:shown], len(texts)))


def _shown_data(shown: tuple[str, ...], length: int) -> Data:
    return {"shown": list(shown), "length": length, "is_last": len(shown) == length}


def _rows(text: str) -> tuple[str, ...]:
    return tuple(text.splitlines())


def _panel(policy: Policy, draft: Form, problem: str | None, *, is_last: bool) -> Panel | None:
    call: Call
    if draft.get("call") == "machine":
        call = "machine"
    elif draft.get("call") == "human" and is_last:
        call = "human"
    else:
        return None
    chosen = draft.get("reasons", ())
    return Panel(
        call=call,
        chips=offered(call, policy),
        chosen=frozenset([chosen] if isinstance(chosen, str) else chosen),
        note=str(draft.get("note", "")),
        confidence=policy.confidence,
        sure=str(draft.get("confidence", "")),
        problem=problem,
    )


def _headline(guess: int, boundary: int, points: int) -> str:
    if guess == boundary:
        return "Exactly right: 5 points."
    if guess < boundary:
        return "Too early: 0 points."
    late = guess - boundary
    sentences = "1 sentence" if late == 1 else f"{late} sentences"
    earned = "1 point" if points == 1 else f"{points} points"
    return f"{sentences} late: {earned}."


def _explanation(passage: Passage, guess: int) -> str:
    authors = [sentence.author for sentence in passage.sentences]
    length, boundary = len(authors), passage.boundary
    said = "You said all of it was human" if guess == length else f"You said sentence {guess + 1}"
    if boundary == length:
        return f"{said}; all of it was human." if guess < length else "All of it was human, as you said."
    change = next(after for before, after in pairwise(authors) if before is not after)
    truth = _TAKES_OVER[change].format(boundary + 1)
    return f"{said}, and {truth}." if guess == boundary else f"{said}; {truth}."
