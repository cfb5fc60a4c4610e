"""From documents to passages: the whole pipeline on one page.

document -> windows of ten units -> a boundary for each -> the writer's tail -> checks ->
`PassageRecord`. A condition is a genre, a writer and a count; its boundaries are its
cells. Whatever fails, the condition that lags most goes on, and in it the cells fill
evenly: a window takes the first cell of its own seeded order that still has room. A rerun
with other checks meets the same prompts again (and finds them in the raw log).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from game.passage import LENGTH, Author, Sentence
from game.records import PassageRecord, content_id
from generators.checks import refusal
from generators.corpora.document import Document
from generators.errors import TooFewPassagesError
from generators.fingerprints import Fingerprints
from generators.judges import Judges
from generators.plan import Wanted
from generators.windows import Window, windows
from generators.writers import Attempt, Tail, Writer, human_records, seed_for, source_of

PASSES = 40
"""How often a genre's documents are gone through for each condition; each time cut elsewhere."""
SPARE = 2
"""Attempts under way for each passage a cell still lacks."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How many passages to build of a genre with one writer, over all its boundaries."""

    genre: str
    writer: Writer
    count: int


@dataclass
class Tally:
    """What a condition kept so far, and why the rest was not."""

    quotas: Mapping[int, int]
    kept: list[PassageRecord] = field(default_factory=list[PassageRecord])
    filled: Counter[int] = field(default_factory=Counter[int])
    refused: Counter[str] = field(default_factory=Counter[str])
    is_exhausted: bool = False

    def lacks(self, boundary: int) -> int:
        """Return how many passages the cell has room for."""
        return self.quotas[boundary] - self.filled[boundary]

    @property
    def is_full(self) -> bool:
        """Whether every cell is."""
        return all(self.lacks(boundary) <= 0 for boundary in self.quotas)

    @property
    def share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return len(self.kept) / max(1, sum(self.quotas.values()))


class Builder:
    """Builds the conditions of a plan from the same documents; no two passages repeat each other."""

    def __init__(self, documents: Mapping[str, Sequence[Document]], seed: int, judges: Judges) -> None:
        """Take documents by genre, the seed of everything, and who judges sentences."""
        self._seed, self._judges = seed, judges
        self._streams = {genre: _Stream(texts, seed) for genre, texts in documents.items()}
        self._shown = {genre: Fingerprints() for genre in documents}

    def fill(
        self, conditions: Sequence[Condition], *, watch: Callable[[Sequence[Tally]], None] = lambda _: None
    ) -> Sequence[Tally]:
        """Return a tally for each condition, in order; the documents may end before all are full.

        The condition that lags most always goes on, so that what there is is balanced; in what
        room its call has left go those that share its writer, the next most lagging first.
        """
        tallies = [Tally(_quotas(one.count, one.writer.boundaries)) for one in conditions]
        for condition in conditions:
            self._streams[condition.genre].passes += PASSES
        while going := [at for at, one in enumerate(tallies) if not (one.is_full or one.is_exhausted)]:
            lagging = sorted(going, key=lambda place: tallies[place].share)
            writer = conditions[lagging[0]].writer
            together = [at for at in lagging if conditions[at].writer is writer]
            self._go_on(writer, [(conditions[at].genre, tallies[at]) for at in together])
            watch(tallies)
        return tallies

    def _go_on(self, writer: Writer, parts: Sequence[tuple[str, Tally]]) -> None:
        """Let a writer go on in one call; its size is fixed, and the fate of one decides on the next."""
        pool: list[tuple[Attempt, Tally, str]] = []
        for genre, tally in parts:
            pool += [(one, tally, genre) for one in self._gathered(genre, tally, writer.pool - len(pool))]
        tails = writer.tails([attempt for attempt, _, _ in pool]) if pool else ()
        for (attempt, tally, genre), tail in zip(pool, tails, strict=True):
            self._settle(attempt, tail, tally, genre)

    def _gathered(self, genre: str, tally: Tally, room: int) -> list[Attempt]:
        """Gather attempts for a condition, as many as it lacks and there is room for."""
        stream = self._streams[genre]
        pending: Counter[int] = Counter()
        pool: list[Attempt] = []
        while len(pool) < room:
            window = stream.next_window()
            if window is None:  # once through
                tally.is_exhausted = stream.has_ended
                break
            boundary = _cell(window, stream.number, tally, pending)
            if boundary is None:
                continue
            seed = seed_for(self._seed, window.id, boundary, stream.number)
            attempt = Attempt(window, boundary, seed)
            if reason := refusal(attempt.human, window.document.unit, self._judges):
                tally.refused[f"human: {reason}"] += 1
                continue
            pool.append(attempt)
            pending[boundary] += 1
        return pool

    def _settle(self, attempt: Attempt, tail: Tail, tally: Tally, genre: str) -> None:
        shown = " ".join(tail.texts or attempt.human)
        if reason := self._reason(attempt, tail, tally, self._shown[genre].repeats(shown)):
            tally.refused[reason] += 1
            return
        tally.kept.append(_record(attempt, tail, genre))
        tally.filled[attempt.boundary] += 1
        self._shown[genre].add(shown)

    def _reason(self, attempt: Attempt, tail: Tail, tally: Tally, is_repeated: bool) -> str | None:  # noqa: FBT001
        side = "machine" if attempt.missing else "human"
        if tail.refused:
            return f"{side}: {tail.refused}"
        parts = (*attempt.human, *tail.texts)
        if reason := refusal(parts, attempt.window.document.unit, self._judges):
            return f"{side}: {reason}"
        if is_repeated:
            return f"{side}: near-duplicate"
        return "surplus" if tally.lacks(attempt.boundary) <= 0 else None


def whole(wanted: Wanted, tally: Tally) -> Tally:
    """Return the tally of a condition that was filled.

    Raises:
        TooFewPassagesError: the documents did not yield as many.
    """
    if not tally.is_full:
        raise TooFewPassagesError(
            f"Only {len(tally.kept)} of {wanted.count} passages could be made of {wanted.genre} by "
            f"{wanted.name}; refused were {dict(tally.refused.most_common())}."
        )
    return tally


def _quotas(count: int, boundaries: Sequence[int]) -> dict[int, int]:
    each, more = divmod(count, len(boundaries))
    return {boundary: each + (place < more) for place, boundary in enumerate(boundaries)}


class _Stream:
    """The windows of a genre, pass after pass, each window to one taker a pass.

    Attributes:
        passes: how many there may be.
        number: of the current pass, or of the last one.
    """

    def __init__(self, documents: Sequence[Document], seed: int) -> None:
        self._documents, self._seed = documents, seed
        self._cuts: dict[int, list[Window]] = {}
        self._left: Iterator[Window] | None = None
        self.passes, self.number = 0, -1

    @property
    def has_ended(self) -> bool:
        """Whether the last pass is over."""
        return self._left is None and self.number + 1 >= self.passes

    def next_window(self) -> Window | None:
        """Return the next window; None at the end of each pass."""
        if self.has_ended:
            return None
        if self._left is None:
            self._left = self._cut_again()
        found = next(self._left, None)
        if found is None:
            self._left = None
        return found

    def _cut_again(self) -> Iterator[Window]:
        """Begin another pass: the documents cut elsewhere, in another order."""
        self.number += 1
        shift = self.number * 3 % LENGTH
        if shift not in self._cuts:
            self._cuts[shift] = [one for text in self._documents for one in windows(text, shift=shift)]
        dice = Random(f"{self._seed} {self.number}")  # noqa: S311 - not a secret
        return iter(dice.sample(self._cuts[shift], len(self._cuts[shift])))


def _cell(window: Window, number: int, tally: Tally, pending: Counter[int]) -> int | None:
    order = list(tally.quotas)
    Random(f"{window.id} {number}").shuffle(order)  # noqa: S311 - not a secret
    for boundary in order:
        room = tally.lacks(boundary) * SPARE - pending[boundary]
        if boundary <= window.reach and room > 0:
            return boundary
    return None


def _record(attempt: Attempt, tail: Tail, genre: str) -> PassageRecord:
    document = attempt.window.document
    spans = attempt.window.spans[: attempt.boundary]
    sentences = (*human_records(document, spans, Author.HUMAN), *tail.sentences)
    texts = (*attempt.human, *tail.texts)
    shown = [Sentence(text, part.author) for text, part in zip(texts, sentences, strict=True)]
    return PassageRecord(
        id=content_id(shown, tail.generator),
        genre=genre,
        sentences=sentences,
        source=source_of(document, spans),
        other=tail.other,
        generator=tail.generator,
        licence=document.licence,
    )
