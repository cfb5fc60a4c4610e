"""A document in our rendering, the text that pointers count in."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from generators.segment import Segmenter, Span, Unit, spans


@dataclass(frozen=True)
class Document:
    """A text and where it comes from.

    Attributes:
        id: `<corpus>/<name>`.
        text: our rendering: plain typography, a paragraph (or a recipe step) a line.
        version: of the package and of the rendering.
        date: of the text, as ISO 8601 or a year.
        resolvable: whether every installation can look the text up again; if not,
            passages carry the text instead of pointers.
    """

    id: str
    genre: str
    text: str
    corpus: str
    version: str
    licence: str
    title: str | None = None
    attribution: str | None = None
    url: str | None = None
    date: str | None = None
    unit: Unit = Unit.SENTENCE
    resolvable: bool = True

    @cached_property
    def sha256(self) -> str:
        """The hash of the rendering, as pointers name it."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """Where its units lie."""
        return spans(self.text, self.unit)

    def cut_by(self, segmenter: Segmenter) -> Self:
        """Return the document with its prose in the sentences that the segmenter finds."""
        unit = segmenter.unit_of(self.unit)
        return self if unit is self.unit else replace(self, unit=unit)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of one origin."""

    name: str
    genre: str
    read: Callable[[], Iterable[Document]]
