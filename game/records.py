"""The passage file: where generators and the site meet.

JSON Lines, UTF-8, one `PassageRecord` a line, `manifest.json` beside it. The file
holds sentences either as text or as a pointer (`Ref`) into a document that a package
on the machine supplies.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from game.errors import BadRecordError
from game.passage import LENGTH, Author, Passage, Sentence


class Record(BaseModel):
    """Read once, at the edge, into something that cannot change."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Ref(Record):
    """A pointer into our rendering of a document.

    Attributes:
        document: id of the document, `<corpus>/<name>`.
        sha256: of the rendering the span counts in, as hexadecimal of its UTF-8 bytes.
        span: half-open range of code points.
    """

    document: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    span: tuple[int, int]


class SentenceRecord(Record):
    """One sentence, given as text or as a pointer."""

    text: str | None = None
    ref: Ref | None = None
    author: Author

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.ref is None):
            raise ValueError("a sentence has either a text or a ref")
        return self


class Source(Record):
    """Where human text comes from; `offsets` are half-open ranges of code points."""

    corpus: str
    document: str
    title: str | None = None
    attribution: str | None = None
    url: str | None = None
    licence: str
    offsets: tuple[tuple[int, int], ...]


class GeneratorRecord(Record):
    """What wrote the sentences after the boundary, well enough to write them again."""

    name: str
    model: str | None = None
    revision: str | None = None
    decoding: Mapping[str, float | int | str | None] = Field(default_factory=dict)
    seed: int | None = None
    prompt_template: str | None = None


class PassageRecord(Record):
    """One line of a passage file.

    `other` is the second document of a switched round; `generator` is None when the
    passage is human to the end.
    """

    id: str = Field(pattern="^[0-9a-f]{64}$")
    genre: str = Field(pattern="^[a-z][a-z0-9-]*$")
    mode_data: Mapping[str, Any] | None = None
    sentences: tuple[SentenceRecord, ...] = Field(min_length=LENGTH, max_length=LENGTH)
    source: Source
    other: Source | None = None
    generator: GeneratorRecord | None
    licence: str


Resolve = Callable[[Ref], str]
"""Look a pointer up, or raise `BadRecordError`."""


def passage_of(record: PassageRecord, resolve: Resolve) -> Passage:
    """Return the passage of a record, its pointers resolved and its id verified.

    Raises:
        BadRecordError: a pointer leads nowhere, the authors contradict each other or
            the generator, or the id is not the hash of the content.
    """
    sentences = tuple(
        Sentence(part.text if part.ref is None else resolve(part.ref), part.author)  # type: ignore[arg-type]
        for part in record.sentences
    )
    try:
        passage = Passage(sentences, record.mode_data or {})
    except ValueError as error:
        raise BadRecordError(str(error)) from error
    if (passage.boundary == len(sentences)) != (record.generator is None):
        raise BadRecordError("A passage has a generator exactly when it is not all human.")
    if content_id(sentences, record.generator) != record.id:
        raise BadRecordError("The id is not the sha-256 of the content.")
    return passage


def content_id(sentences: Iterable[Sentence], generator: GeneratorRecord | None) -> str:
    """Return the sha-256 (hexadecimal) over sentences, authors and generator.

    The hashed bytes are canonical JSON: keys sorted, no spaces, UTF-8.
    """
    content = {
        "sentences": [[sentence.text, sentence.author] for sentence in sentences],
        "generator": generator and generator.model_dump(mode="json"),
    }
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
