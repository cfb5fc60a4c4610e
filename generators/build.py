"""From documents to a passage file: the whole pipeline on one page.

document -> windows of ten units -> a boundary for each -> the writer's tail -> checks ->
`PassageRecord`. Boundaries stay balanced however many attempts fail: a window takes the
first cell of its own seeded order that still has room, so cells fill evenly, and a rerun
with other checks meets the same prompts again (and finds them in the raw log).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from game.passage import LENGTH, Author, Sentence
from game.records import PassageRecord, content_id
from generators.checks import Runs, Tagger, fingerprint, is_near_duplicate, refusal
from generators.corpora.document import Document
from generators.errors import TooFewPassagesError
from generators.windows import Window, windows
from generators.writers import Attempt, Tail, Writer, human_records, seed_for, source_of

PASSES = 40
"""How often the documents are gone through; each time cut elsewhere."""
SPARE = 2
"""Attempts under way for each passage a cell still lacks."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to build."""

    genre: str
    count: int
    seed: int


@dataclass
class Tally:
    """What was kept so far, and why the rest was not."""

    quotas: Mapping[int, int]
    kept: list[PassageRecord] = field(default_factory=list[PassageRecord])
    filled: Counter[int] = field(default_factory=Counter[int])
    refused: Counter[str] = field(default_factory=Counter[str])
    fingerprints: list[Runs] = field(default_factory=list[Runs])

    def lacks(self, boundary: int) -> int:
        """Return how many passages the cell has room for."""
        return self.quotas[boundary] - self.filled[boundary]

    @property
    def is_full(self) -> bool:
        """Whether every cell is."""
        return all(self.lacks(boundary) <= 0 for boundary in self.quotas)


def build(
    documents: Sequence[Document],
    plan: Plan,
    writer: Writer,
    tagger: Tagger,
    *,
    watch: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Return the passages, boundaries balanced, and the refusals by reason.

    Raises:
        TooFewPassagesError: the documents do not yield as many.
    """
    tally = Tally(_quotas(plan.count, writer.boundaries))
    for attempts in _pools(documents, plan, writer, tally, tagger):
        for attempt, tail in zip(attempts, writer.tails(attempts), strict=True):
            _settle(attempt, tail, tally, tagger, plan)
        watch(tally)
    if not tally.is_full:
        raise TooFewPassagesError(
            f"Only {len(tally.kept)} of {plan.count} passages could be made; "
            f"refused were {dict(tally.refused.most_common())}."
        )
    return tally


def _quotas(count: int, boundaries: Sequence[int]) -> dict[int, int]:
    each, more = divmod(count, len(boundaries))
    return {boundary: each + (place < more) for place, boundary in enumerate(boundaries)}


def _pools(
    documents: Sequence[Document], plan: Plan, writer: Writer, tally: Tally, tagger: Tagger
) -> Iterator[list[Attempt]]:
    """Gather attempts into pools of fixed size; the fate of one pool decides on the next."""
    found = _Cuts(documents)
    pending: Counter[int] = Counter()
    pool: list[Attempt] = []
    for number in range(PASSES):
        for window in _shuffled(found[number * 3 % LENGTH], plan, number):
            boundary = _cell(window, number, tally, pending)
            if boundary is None:
                continue
            seed = seed_for(plan.seed, window.id, boundary, number)
            attempt = Attempt(window, boundary, seed)
            if reason := refusal(attempt.human, window.document.unit, tagger):
                tally.refused[f"human: {reason}"] += 1
                continue
            pool.append(attempt)
            pending[boundary] += 1
            if len(pool) == writer.pool:
                yield pool
                pool, pending = [], Counter()
            if tally.is_full:
                return
        if pool:
            yield pool
            pool, pending = [], Counter()


class _Cuts(dict[int, list[Window]]):
    """The windows of all documents by where the cutting begins, made when first asked for."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._documents = documents

    def __missing__(self, shift: int) -> list[Window]:
        self[shift] = [one for document in self._documents for one in windows(document, shift=shift)]
        return self[shift]


def _shuffled(found: Sequence[Window], plan: Plan, number: int) -> Sequence[Window]:
    dice = Random(f"{plan.seed} {number}")  # noqa: S311 - not a secret
    return dice.sample(found, len(found))


def _cell(window: Window, number: int, tally: Tally, pending: Counter[int]) -> int | None:
    order = list(tally.quotas)
    Random(f"{window.id} {number}").shuffle(order)  # noqa: S311 - not a secret
    for boundary in order:
        room = tally.lacks(boundary) * SPARE - pending[boundary]
        if boundary <= window.reach and room > 0:
            return boundary
    return None


def _settle(attempt: Attempt, tail: Tail, tally: Tally, tagger: Tagger, plan: Plan) -> None:
    runs = fingerprint(tail.texts or attempt.human)
    reason = _reason(attempt, tail, tally, tagger, runs)
    if reason:
        tally.refused[reason] += 1
        return
    tally.kept.append(_record(attempt, tail, plan))
    tally.filled[attempt.boundary] += 1
    tally.fingerprints.append(runs)


def _reason(
    attempt: Attempt,
    tail: Tail,
    tally: Tally,
    tagger: Tagger,
    runs: Runs,
) -> str | None:
    side = "machine" if attempt.missing else "human"
    if tail.refused:
        return f"{side}: {tail.refused}"
    parts = (*attempt.human, *tail.texts)
    if reason := refusal(parts, attempt.window.document.unit, tagger):
        return f"{side}: {reason}"
    if is_near_duplicate(runs, tally.fingerprints):
        return f"{side}: near-duplicate"
    return "surplus" if tally.lacks(attempt.boundary) <= 0 else None


def _record(attempt: Attempt, tail: Tail, plan: Plan) -> PassageRecord:
    document = attempt.window.document
    spans = attempt.window.spans[: attempt.boundary]
    sentences = (*human_records(document, spans, Author.HUMAN), *tail.sentences)
    texts = (*attempt.human, *tail.texts)
    shown = [Sentence(text, part.author) for text, part in zip(texts, sentences, strict=True)]
    return PassageRecord(
        id=content_id(shown, tail.generator),
        genre=plan.genre,
        sentences=sentences,
        source=source_of(document, spans),
        other=tail.other,
        generator=tail.generator,
        licence=document.licence,
    )
