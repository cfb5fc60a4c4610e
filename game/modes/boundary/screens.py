"""What the player sees: an open round has no place for an answer, a closed one tells all."""

from dataclasses import dataclass, replace
from itertools import pairwise

from game.language import say, say_plural, unsaid
from game.mode import Data, Form, Policy, Screen
from game.modes.boundary.reasons import Call, Reason, offered
from game.passage import Author, Passage

_AUTHORS = {
    Author.HUMAN: unsaid("human"),
    Author.MACHINE: unsaid("machine"),
    Author.OTHER: unsaid("another document"),
}
_EXACT = {
    Author.MACHINE: unsaid(
        "You said sentence %(guess)s, and the machine took over at sentence %(boundary)s."
    ),
    Author.OTHER: unsaid(
        "You said sentence %(guess)s, and the text switched to another human document at sentence"
        " %(boundary)s."
    ),
}
_MISSED = {
    Author.MACHINE: unsaid("You said sentence %(guess)s; the machine took over at sentence %(boundary)s."),
    Author.OTHER: unsaid(
        "You said sentence %(guess)s; the text switched to another human document at sentence %(boundary)s."
    ),
}
_UNNOTICED = {
    Author.MACHINE: unsaid("You said all of it was human; the machine took over at sentence %(boundary)s."),
    Author.OTHER: unsaid(
        "You said all of it was human; the text switched to another human document at sentence %(boundary)s."
    ),
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
            author_words=say(_AUTHORS[sentence.author]),
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
        chips=tuple(replace(chip, words=say(chip.words)) for chip in offered(call, policy)),
        chosen=frozenset([chosen] if isinstance(chosen, str) else chosen),
        note=str(draft.get("note", "")),
        confidence=policy.confidence,
        sure=str(draft.get("confidence", "")),
        problem=problem,
    )


def _headline(guess: int, boundary: int, points: int) -> str:
    if guess == boundary:
        return say("Exactly right: 5 points.")
    if guess < boundary:
        return say("Too early: 0 points.")
    late = guess - boundary
    if points == 1:
        return say("%(late)s sentences late: 1 point.", late=late)
    return say_plural(
        "%(num)s sentence late: %(points)s points.",
        "%(num)s sentences late: %(points)s points.",
        late,
        points=points,
    )


def _explanation(passage: Passage, guess: int) -> str:
    authors = [sentence.author for sentence in passage.sentences]
    length, boundary = len(authors), passage.boundary
    if guess == boundary == length:
        return say("All of it was human, as you said.")
    if boundary == length:
        return say("You said sentence %(guess)s; all of it was human.", guess=guess + 1)
    change = next(after for before, after in pairwise(authors) if before is not after)
    sentences = _EXACT if guess == boundary else _UNNOTICED if guess == length else _MISSED
    return say(sentences[change], guess=guess + 1, boundary=boundary + 1)
