"""What comes after the boundary: a model's sentences, or another document's."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from game.passage import LENGTH, Author
from game.records import GeneratorRecord, Ref, SentenceRecord, Source
from generators import segment
from generators.backends.base import Backend, Prompt
from generators.checks import CHARACTERS, is_copied, unit_refusal
from generators.corpora.document import Document
from generators.decoding import Decoding
from generators.raw import Calls
from generators.segment import Span, Unit
from generators.windows import Window

ENDLESS = 2
"""How many times too long an unfinished unit is when a back end need not go on."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A window and where its author is to change."""

    window: Window
    boundary: int
    seed: int

    @property
    def human(self) -> tuple[str, ...]:
        """The units before the boundary."""
        return self.window.texts()[: self.boundary]

    @property
    def rest(self) -> tuple[str, ...]:
        """The units that really follow."""
        return self.window.texts()[self.boundary :]

    @property
    def missing(self) -> int:
        """How many units somebody else has to write."""
        return LENGTH - self.boundary


@dataclass(frozen=True, slots=True)
class Tail:
    """The sentences from the boundary on; `refused` says why there are none."""

    texts: tuple[str, ...] = ()
    sentences: tuple[SentenceRecord, ...] = ()
    generator: GeneratorRecord | None = None
    other: Source | None = None
    refused: str | None = None


class Writer(Protocol):
    """Writes the tails of passages.

    Attributes:
        name: of the generator.
        boundaries: where it can take over; ten is never.
        pool: how many attempts go together.
    """

    name: str
    boundaries: Sequence[int]
    pool: int

    def tails(self, attempts: Sequence[Attempt]) -> Sequence[Tail]:
        """Return a tail for each attempt, in order."""
        ...


class HumanWriter:
    """Leaves the passage to the one who began it."""

    name = "human"
    boundaries: Sequence[int] = (LENGTH,)
    pool = 64

    def tails(self, attempts: Sequence[Attempt]) -> Sequence[Tail]:
        """Return empty tails."""
        return [Tail() for _ in attempts]


class ModelWriter:
    """Lets a language model go on, and cuts what it wrote by the rule for human text."""

    boundaries: Sequence[int] = range(1, LENGTH + 1)

    def __init__(
        self, backend: Backend, decoding: Decoding, calls: Calls, controls: Sequence[str] = ()
    ) -> None:
        """Write with that back end and remember everything in the log.

        `controls` are control codes (Keskar et al. 2019): one of them, drawn for each
        passage, stands before the prompt, where no player sees it.
        """
        self._controls = tuple(controls)
        self.name = backend.name
        self.pool = backend.batch
        self._backend, self._decoding, self._calls = backend, decoding, calls

    def tails(self, attempts: Sequence[Attempt]) -> Sequence[Tail]:
        """Return the model's units; all-human passages have none."""
        asked = [attempt for attempt in attempts if attempt.missing]
        texts = self._calls.continuations(
            self._backend,
            [prompt_of(attempt, self._control(attempt)) for attempt in asked],
            self._decoding,
            seeds=[attempt.seed for attempt in asked],
        )
        written = dict(zip(map(id, asked), texts, strict=True))
        return [
            self._tail(attempt, written[id(attempt)]) if attempt.missing else Tail() for attempt in attempts
        ]

    def _control(self, attempt: Attempt) -> str | None:
        if not self._controls:
            return None
        return Random(f"control {attempt.seed}").choice(self._controls)  # noqa: S311 - not a secret

    def _tail(self, attempt: Attempt, continuation: str) -> Tail:
        texts = machine_units(attempt, continuation)
        if isinstance(texts, str):
            return Tail(refused=texts)
        if any(is_copied(text, attempt.rest) for text in texts):
            return Tail(refused="too close to the original")
        record = GeneratorRecord(
            name=self._backend.name,
            model=self._backend.model,
            revision=self._backend.revision,
            decoding=self._recorded(attempt),
            seed=attempt.seed,
            prompt_template=self._backend.template,
        )
        sentences = tuple(SentenceRecord(text=text, author=Author.MACHINE) for text in texts)
        return Tail(texts, sentences, record)

    def _recorded(self, attempt: Attempt) -> dict[str, float | int | str | None]:
        control = self._control(attempt)
        return self._backend.applied(self._decoding).record() | (
            {} if control is None else {"control_code": control}
        )


class SpliceWriter:
    """Goes on with another person's document: what a reader of sense must notice."""

    name = "splice"
    boundaries: Sequence[int] = range(1, LENGTH)
    pool = 64

    def __init__(self, windows: Sequence[Window]) -> None:
        """Take the units from these windows, never from the beginning of a document."""
        self._windows = [window for window in windows if _is_inside(window)]

    def tails(self, attempts: Sequence[Attempt]) -> Sequence[Tail]:
        """Return units of another document for each attempt."""
        return [self._tail(attempt) for attempt in attempts]

    def _tail(self, attempt: Attempt) -> Tail:
        fitting = [window for window in self._windows if _fits(window, attempt)]
        if not fitting:
            return Tail(refused="no other document fits")
        other = Random(f"splice {attempt.seed}").choice(fitting)  # noqa: S311 - not a secret
        spans = _second_part(other, attempt)
        texts = tuple(other.document.text[start:end] for start, end in spans)
        sentences = human_records(other.document, spans, Author.OTHER)
        generator = GeneratorRecord(name=self.name, seed=attempt.seed)
        return Tail(texts, sentences, generator, source_of(other.document, spans))


def prompt_of(attempt: Attempt, control: str | None = None) -> Prompt:
    """Ask for the missing units after what the player has seen, and nothing but a control code."""
    unit = attempt.window.document.unit

    def spoilt(text: str) -> bool:
        return unit_refusal(segment.clean(text, unit).strip(), unit) is not None

    seen = segment.joined(attempt.human, unit)
    prompt = f"{control} {seen}" if control else seen
    return Prompt(prompt, unit, attempt.missing, spoilt, ENDLESS * CHARACTERS[unit][1])


def machine_units(attempt: Attempt, continuation: str) -> tuple[str, ...] | str:
    """Cut prompt and continuation as one text; return the units after the seam, or why not."""
    unit = attempt.window.document.unit
    text = segment.clean(continuation, unit)
    if not text.strip():
        return "too few units"
    if not text[:1].isspace():
        return "seam"
    found = segment.units(segment.joined(attempt.human, unit) + text, unit)
    if found[: attempt.boundary] != attempt.human:
        return "seam"
    texts = found[attempt.boundary : LENGTH]
    for part in texts:
        if reason := unit_refusal(part, unit):
            return reason
    return texts if len(texts) == attempt.missing else "too few units"


def human_records(document: Document, spans: Sequence[Span], author: Author) -> tuple[SentenceRecord, ...]:
    """Return units of a document as pointers, or as text where no one else has the document."""
    return tuple(_human_record(document, span, author) for span in spans)


def source_of(document: Document, spans: Sequence[Span]) -> Source:
    """Return where units of a document come from."""
    return Source(
        corpus=document.corpus,
        document=document.id,
        title=document.title,
        attribution=document.attribution,
        url=document.url,
        licence=document.licence,
        offsets=tuple(spans),
    )


def seed_for(*parts: object) -> int:
    """Return a seed of 32 bits that only these parts decide."""
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _human_record(document: Document, span: Span, author: Author) -> SentenceRecord:
    if not document.resolvable:
        return SentenceRecord(text=document.text[slice(*span)], author=author)
    ref = Ref(document=document.id, sha256=document.sha256, span=span)
    return SentenceRecord(ref=ref, author=author)


def _is_inside(window: Window) -> bool:
    return window.document.unit is Unit.LINE or window.start >= LENGTH


def _fits(other: Window, attempt: Attempt) -> bool:
    if other.document.id == attempt.window.document.id:
        return False
    if other.document.unit is Unit.LINE:
        return other.reach == LENGTH
    return other.reach >= attempt.missing


def _second_part(other: Window, attempt: Attempt) -> Sequence[Span]:
    """Recipes go on at the same step; prose anywhere but at a beginning."""
    if other.document.unit is Unit.LINE:
        return other.spans[attempt.boundary :]
    return other.spans[: attempt.missing]
