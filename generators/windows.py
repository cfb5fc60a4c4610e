"""Stretches of human units that a passage can begin with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from game.passage import LENGTH
from generators.checks import unit_refusal
from generators.corpora.document import Document
from generators.segment import Span, Unit


@dataclass(frozen=True, slots=True)
class Window:
    """A place in a document and how many units from there can be shown.

    Attributes:
        spans: of the units from there on, at most ten, shown or not.
        reach: the leading ones that pass the checks; no boundary lies beyond.
        start: how many units of the document lie before.
    """

    document: Document
    spans: tuple[Span, ...]
    reach: int
    start: int

    @property
    def id(self) -> str:
        """A name that seeds can be made from."""
        return f"{self.document.id}:{self.spans[0][0]}"

    def texts(self) -> tuple[str, ...]:
        """Return the units."""
        return tuple(self.document.text[start:end] for start, end in self.spans)


def windows(document: Document, *, shift: int = 0) -> Iterator[Window]:
    """Cut a document into windows that do not overlap; another shift gives other cuts."""
    places = document.spans
    if len(places) < LENGTH:
        return
    good = [unit_refusal(document.text[start:end], document.unit) is None for start, end in places]
    if document.unit is Unit.LINE:
        yield _window(document, places, [True, *good[1:]], 0)
        return
    start = shift
    while start <= len(places) - LENGTH:
        window = _window(document, places, good, start)
        if window.reach:
            yield window
        start += max(1, window.reach)


def _window(document: Document, places: Sequence[Span], good: Sequence[bool], start: int) -> Window:
    ahead = good[start : start + LENGTH]
    reach = ahead.index(False) if False in ahead else len(ahead)
    return Window(document, tuple(places[start : start + LENGTH]), reach, start)
