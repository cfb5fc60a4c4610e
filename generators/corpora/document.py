"""A document in our rendering, the text that pointers count in."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from generators.segment import Unit


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


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents of one origin."""

    name: str
    genre: str
    read: Callable[[], Iterable[Document]]
