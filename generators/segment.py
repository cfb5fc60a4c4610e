"""Text into displayed units; the same rule for what people and what models wrote."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

from generators.errors import BackendMissingError
from generators.typography import plain, unnumbered

Span = tuple[int, int]

HEAD_ENDS = "Directions:"
"""The last line of a recipe's first unit."""

_CLOSING = re.compile(r"""["')\]]+""")
_CONTINUES = re.compile(r"""["')\]]*[a-z,;:]""")
_SHORT = "vs|cf|ca|ed|vol|pp|fig|dept|approx|oz|lbs?|tbsp|tsp|ft|pt|qt|gal|min|hr|etc|viz|inc|max"
_OPENERS = "If|But|And|The|He|She|It|We|They|So"
_MISSED = re.compile(
    rf"(?:(?<![\w.&'])(?!(?:{_SHORT})\.)[a-z]{{2,}}|[A-Z][a-z]{{4,}}|\bI(?=\.\s+(?:{_OPENERS})\b))"
    r"""[.!?]["')]*\s+(?=["'A-Z])"""
)
_NO_STOP = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Messrs|Gen|Sen|Rep|Gov|Lt|Col|Capt|St|No|Prof|Rev|Hon)\.$")


class Unit(StrEnum):
    """What a passage shows at a time."""

    SENTENCE = "sentence"
    LINE = "line"
    """A recipe: name and ingredients down to the line "Directions:", then a step a line."""

    @property
    def gap(self) -> str:
        """The white space between two units."""
        return " " if self is Unit.SENTENCE else "\n"


def spans(text: str, unit: Unit) -> tuple[Span, ...]:
    """Return where the units of a text lie, without the white space around them."""
    return tuple(_line_spans(text) if unit is Unit.LINE else _sentence_spans(text))


def units(text: str, unit: Unit) -> tuple[str, ...]:
    """Return the units of a text."""
    return tuple(text[start:end] for start, end in spans(text, unit))


def clean(text: str, unit: Unit) -> str:
    """Write a text in the plain typography that documents have, steps without numbers."""
    if unit is Unit.LINE:
        return "\n".join(unnumbered(line) for line in plain(text).split("\n"))
    return plain(text)


def body(text: str, unit: Unit) -> tuple[str, ...]:
    """Return the units of a text that goes on after a first block."""
    if unit is Unit.LINE:
        return tuple(line.strip() for line in text.split("\n") if line.strip())
    return units(text, unit)


def joined(parts: Sequence[str], unit: Unit) -> str:
    """Write units as one text, the way documents are written and models are prompted."""
    return unit.gap.join(parts)


def splits_again(parts: Sequence[str], unit: Unit) -> bool:
    """Whether the joined units fall into the same units once more."""
    return units(joined(parts, unit), unit) == tuple(parts)


def _line_spans(text: str) -> Iterable[Span]:
    start, search = 0, text.find(f"\n{HEAD_ENDS}") + 1
    while start < len(text):
        end = text.find("\n", search)
        end = len(text) if end < 0 else end
        yield from _trimmed(text, start, end)
        start = search = end + 1


def _sentence_spans(text: str) -> Iterable[Span]:
    start = 0
    for paragraph in text.split("\n"):
        yield from _repaired(text, _raw_spans(text, start, start + len(paragraph)))
        start += len(paragraph) + 1


def _raw_spans(text: str, start: int, end: int) -> Iterable[Span]:
    if not text[start:end].strip():
        return
    for first, last in _segmenter()(text[start:end]):
        begin = start + first
        for missed in _MISSED.finditer(text, begin, start + last):
            yield from _trimmed(text, begin, missed.end())
            begin = missed.end()
        yield from _trimmed(text, begin, start + last)


def _repaired(text: str, raw: Iterable[Span]) -> Iterable[Span]:
    """Glue what was cut inside a sentence: closing quotes, lower-case starts, titles."""
    pending: Span | None = None
    for span in raw:
        if pending is not None and _belongs(text[slice(*pending)], text[slice(*span)]):
            pending = (pending[0], span[1])
            continue
        if pending is not None:
            yield pending
        pending = span
    if pending is not None:
        yield pending


def _belongs(before: str, after: str) -> bool:
    return bool(_CLOSING.fullmatch(after) or _CONTINUES.match(after) or _NO_STOP.search(before))


def _trimmed(text: str, start: int, end: int) -> Iterable[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


@cache
def _segmenter() -> Any:
    try:
        from nupunkt import sent_spans
    except ImportError as error:
        raise BackendMissingError(
            "Cutting text into sentences needs the package nupunkt; `make install-all` installs it."
        ) from error
    return sent_spans
