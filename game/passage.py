"""What is played: a passage is ten sentences and who wrote each."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Any

LENGTH = 10
"""Sentences in a passage (Dugan et al. 2023, section 4)."""


class Author(StrEnum):
    """Who wrote a sentence."""

    HUMAN = "human"
    MACHINE = "machine"
    OTHER = "other"
    """A person too, but of another document: the switched rounds."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One displayed unit; a recipe step counts as one."""

    text: str
    author: Author


@dataclass(frozen=True, slots=True)
class Passage:
    """Ten sentences; human first, and once someone else takes over they stay.

    `mode_data` is what a mode may need besides (sources, for instance).
    """

    sentences: tuple[Sentence, ...]
    mode_data: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        """Refuse what no round could be played on."""
        authors = [sentence.author for sentence in self.sentences]
        if not authors or authors[0] is not Author.HUMAN:
            raise ValueError("The first sentence of a passage is human.")
        if any(not sentence.text.strip() for sentence in self.sentences):
            raise ValueError("A sentence of the passage is empty.")
        changes = sum(before is not after for before, after in pairwise(authors))
        if changes > 1:
            raise ValueError("The author of a passage changes at most once, and for good.")

    @property
    def boundary(self) -> int:
        """Zero-based index of the first sentence that is not human; the length if none is."""
        authors = (sentence.author for sentence in self.sentences)
        return next(
            (index for index, author in enumerate(authors) if author is not Author.HUMAN),
            len(self.sentences),
        )
