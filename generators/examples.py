"""Passages to look at, a few of each condition, drawn by the dice and never chosen."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from random import Random

from game.passage import Author, Sentence
from game.records import PassageRecord, Source, passage_of
from generators.cells import Home
from generators.corpora import resolve

EXAMPLES = 2
"""Passages shown of each condition."""
WRITERS: Mapping[Author, str] = {
    Author.HUMAN: "human",
    Author.MACHINE: "machine",
    Author.OTHER: "another document",
}
_MAY_BE_PASSED_ON = re.compile(r"public domain|cc0|cc[ -]by([ -]sa)?([ -]\d|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of an example; without a text it may not be shown."""

    author: str
    text: str | None
    characters: int


@dataclass(frozen=True, slots=True)
class Example:
    """A passage as it is shown; its sources are said with author and licence."""

    title: str
    sources: Sequence[str]
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Shown:
    """The examples of one condition."""

    name: str
    passages: int
    examples: Sequence[Example]


def may_be_passed_on(licence: str) -> bool:
    """Whether a licence is known to let anyone pass the text on."""
    return _MAY_BE_PASSED_ON.match(licence) is not None


def must_stay(record: PassageRecord) -> bool:
    """Whether a passage holds human sentences that are not known to be free to pass on."""
    return not all(map(may_be_passed_on, _licences(record)))


def heads_of(home: Home) -> tuple[str, str, str]:
    """Return genre, generator and decoding in the words of a table."""
    return home.genre, home.generator or "human to the end", home.decoding or ""


def examples(
    records: Sequence[PassageRecord], homes: Sequence[Home], *, seed: int, all_texts: bool = False
) -> Sequence[Shown]:
    """Draw passages of each condition; of human sentences only those free to pass on, or all.

    Raises:
        BadRecordError: a pointer leads nowhere.
    """
    together: dict[tuple[str, str, str], list[PassageRecord]] = defaultdict(list)
    for record, home in zip(records, homes, strict=True):
        together[heads_of(home)].append(record)
    return [
        Shown(
            " · ".join(filter(None, heads)),
            len(of_condition),
            [_example(one, all_texts=all_texts) for one in _drawn(heads, of_condition, seed)],
        )
        for heads, of_condition in sorted(together.items(), key=itemgetter(0))
    ]


def _drawn(heads: Sequence[str], records: Sequence[PassageRecord], seed: int) -> Iterable[PassageRecord]:
    dice = Random(f"examples {seed} {' '.join(heads)}")  # noqa: S311 - not a secret
    return dice.sample(records, min(EXAMPLES, len(records)))


def _example(record: PassageRecord, *, all_texts: bool) -> Example:
    passage, free = passage_of(record, resolve), all_texts or not must_stay(record)
    return Example(
        title=record.source.title or record.source.document,
        sources=[_said(source) for source in (record.source, record.other) if source],
        lines=[_line(one, shown=free or one.author is Author.MACHINE) for one in passage.sentences],
    )


def _line(one: Sentence, *, shown: bool) -> Line:
    return Line(WRITERS[one.author], one.text if shown else None, len(one.text))


def _said(source: Source) -> str:
    parts = (source.title or source.document, source.attribution, source.url, source.licence)
    return ", ".join(part for part in parts if part)


def _licences(record: PassageRecord) -> Sequence[str]:
    return [source.licence for source in (record.source, record.other) if source]
