"""What readers of files hand on: documents as found, or the reason why one cannot be used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from generators.corpora.document import Document


class Skip(StrEnum):
    """Why a document is not used; the words stand in what people read."""

    FEW = "fewer than ten units"
    LONG = "too long"
    NOT_TEXT = "not text"
    MARKUP = "markup"
    RIGHT_TO_LEFT = "right-to-left text"
    NO_TEXT = "no text field"
    NOT_JSON = "not JSON"
    NOT_CSV = "not CSV"
    UNREADABLE = "unreadable file"
    SAME_ID = "the same id again"
    SAME = "duplicate"
    ALIKE = "near-duplicate"
    NOT_DRAWN = "not drawn"
    """Nothing is wrong with it; as many as asked for were drawn without it."""

    __hash__ = str.__hash__
    """As quick as a word's; it is asked for with every document."""


class Raw(NamedTuple):
    """A document as found, unchecked.

    Attributes:
        name: unique within the source: a line's number, a file's name.
        fields: `text` and what else is known, by the names of columns.
    """

    name: str
    fields: Mapping[str, object]


Found = Iterable[Raw | Skip]


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a source gave.

    Attributes:
        documents: the chosen ones, in the order of the source.
        skipped: how many others there are, by reason (`Skip`); with the documents they
            add up to all that the source holds.
    """

    documents: Sequence[Document]
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where documents come from and what that says about all of them.

    Attributes:
        shown: how sentences for people name it, such as "corpus /home/ada/mine.csv".
        corpus: the first part of every id.
        licence: of documents that name none themselves.
        whole: whether the source is one file, which is in one encoding.
    """

    shown: str
    corpus: str
    genre: str
    version: str
    licence: str
    whole: bool = True
