"""A deck drawn at random from candidates, balanced; it never looks at the audit."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from game.passage import LENGTH, Author
from game.records import PassageRecord, Resolve, Source, passage_of
from generators.checks import reading_refusal
from generators.errors import TooFewPassagesError
from generators.judges import Judges
from generators.segment import unit_for

SPLICE = "splice"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How much to draw from each genre.

    Attributes:
        each: passages for every boundary from one to ten.
        splices: passages switched to another document, besides.
    """

    each: int
    splices: int


@dataclass
class _Taken:
    """What was drawn, and the stretches of text it shows."""

    records: list[PassageRecord] = field(default_factory=list[PassageRecord])
    shown: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    def shows(self, record: PassageRecord) -> bool:
        """Whether some of the record's human text is shown already."""
        return any(
            start < last and first < end
            for source in _sources(record)
            for start, end in source.offsets
            for first, last in self.shown[source.document]
        )

    def take(self, record: PassageRecord) -> None:
        """Add a record."""
        self.records.append(record)
        self.hide(record)

    def hide(self, record: PassageRecord) -> None:
        """Count the human text of a record as shown."""
        for source in _sources(record):
            self.shown[source.document].extend(source.offsets)


def sift(
    records: Sequence[PassageRecord], resolve: Resolve, judges: Judges
) -> tuple[list[PassageRecord], Counter[str]]:
    """Part candidates from those that today's checks refuse, for older builds knew fewer.

    Returns:
        The candidates that pass, in order, and how many do not, by reason.
    """
    kept: list[PassageRecord] = []
    refused: Counter[str] = Counter()
    for record in records:
        texts = [sentence.text for sentence in passage_of(record, resolve).sentences]
        reason = reading_refusal(texts, unit_for(record.genre), judges)
        if reason is None:
            kept.append(record)
        else:
            refused[reason] += 1
    return kept, refused


def draw(
    candidates: Sequence[PassageRecord],
    wanted: Wanted,
    *,
    seed: int,
    without: Sequence[PassageRecord] = (),
) -> list[PassageRecord]:
    """Return a deck: in each genre every boundary equally often, and some splices.

    No stretch of human text is in it twice, or also in `without`, the passages of other decks.

    Raises:
        TooFewPassagesError: the candidates of a cell do not suffice.
    """
    taken = _Taken()
    for record in without:
        taken.hide(record)
    for genre in sorted({record.genre for record in candidates}):
        of_genre = [record for record in candidates if record.genre == genre]
        # the longest human parts first: they are the hardest to fit in without overlap
        for boundary in range(LENGTH, 0, -1):
            cell = [
                record for record in of_genre if not _is_splice(record) and boundary_of(record) == boundary
            ]
            _fill(taken, cell, wanted.each, f"{seed} {genre} {boundary}")
        splices = [record for record in of_genre if _is_splice(record)]
        _fill(taken, splices, wanted.splices, f"{seed} {genre} {SPLICE}")
    Random(seed).shuffle(taken.records)  # noqa: S311 - not a secret
    return taken.records


def boundary_of(record: PassageRecord) -> int:
    """Return the index of the first sentence that is not human."""
    authors = [sentence.author for sentence in record.sentences]
    return sum(author is Author.HUMAN for author in authors)


def _is_splice(record: PassageRecord) -> bool:
    return record.generator is not None and record.generator.name == SPLICE


def _fill(taken: _Taken, cell: Sequence[PassageRecord], number: int, salt: str) -> None:
    drawn = 0
    for record in Random(salt).sample(list(cell), len(cell)):  # noqa: S311 - not a secret
        if drawn < number and not taken.shows(record):
            taken.take(record)
            drawn += 1
    if drawn < number:
        raise TooFewPassagesError(
            f"Only {drawn} of {number} passages could be drawn for {salt.partition(' ')[2]}."
        )


def _sources(record: PassageRecord) -> Sequence[Source]:
    return [record.source, *([record.other] if record.other else [])]


def counts(records: Sequence[PassageRecord]) -> Mapping[str, Mapping[str, int]]:
    """Count a deck by genre and boundary; splices stand apart."""
    table: dict[str, dict[str, int]] = {}
    for record in sorted(records, key=lambda one: (one.genre, boundary_of(one))):
        row = table.setdefault(record.genre, {})
        key = SPLICE if _is_splice(record) else str(boundary_of(record))
        row[key] = row.get(key, 0) + 1
    return table
