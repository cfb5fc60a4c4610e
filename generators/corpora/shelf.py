"""A bounded draw from any number of documents, met once and in any order.

Every document has a rank, a hash of seed and id. Kept are the documents with the smallest
ranks: as many as asked for, `MANY` at most, with at most `ROOM` characters of text. A
document that cannot be kept any more is never rendered or cut into units.
"""

import hashlib
import heapq
import re
import zlib
from bisect import bisect_left, insort
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from game.passage import LENGTH
from generators.corpora.document import Document
from generators.corpora.reading import Reading, Skip
from generators.segment import Unit, spans

MANY = 100_000
"""Documents of a draw."""
ROOM = 200_000_000
"""Characters of all documents of a draw."""
ENOUGH = 2000
"""Characters in which ten sentences mostly end; only if they do not is the rest cut, too."""

HEAD = 20_000
"""Characters at the beginning of a document by which near-duplicates are told."""
RUN = 5
"""Words in a row."""
SKETCH = 64
"""Runs of a document, those with the smallest hashes, that stand for all of them."""
INDEX = 1_000_000
"""Runs of all documents of a draw; in a large draw fewer stand for each."""
ALIKE = 0.5
"""Shared runs over those of the smaller sketch."""
CROWD = 10
"""Documents remembered for a run; boilerplate stands in more and tells nothing."""

_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?")


class _Kept(NamedTuple):
    met: int
    document: Document


class Shelf:
    """The documents drawn so far."""

    def __init__(self, *, seed: int, most: int, room: int = ROOM) -> None:
        self.skipped: Counter[str] = Counter()
        self._seed, self._most, self._room = seed, min(most, MANY), room
        self._kept: dict[int, _Kept] = {}
        self._ranks: list[int] = []
        self._by_text: dict[str, int] = {}
        self._used = self._met = 0
        self._ceiling = 1 << 64 if most > 0 else 0

    def offer(self, key: str, make: Callable[[], Document]) -> None:
        """Keep a document if the draw falls on it; `make` is called only then."""
        self._met += 1
        rank = _rank(self._seed, key)
        if rank in self._kept:
            self.skipped[Skip.SAME_ID] += 1
        elif rank >= self._ceiling:
            self.skipped[Skip.NOT_DRAWN] += 1
        else:
            self._weigh(rank, make())

    def reading(self) -> Reading:
        """Return the draw in the order of the source, near-duplicates met once.

        Of several that are alike the one with the smallest rank stays, so the order of the
        source decides nothing; what goes is not replaced by documents passed over before.
        """
        chosen = sorted(_told_apart([self._kept[rank] for rank in self._ranks]))
        skipped = self.skipped + Counter({Skip.ALIKE: len(self._kept) - len(chosen)})
        return Reading(
            tuple(one.document for one in chosen), {str(reason): many for reason, many in skipped.items()}
        )

    def _weigh(self, rank: int, document: Document) -> None:
        twin = self._by_text.get(document.sha256)
        if twin is not None:
            self.skipped[Skip.SAME] += 1
            if twin < rank:
                return
            self._remove(twin)
        elif not _has_ten(document):
            self.skipped[Skip.FEW] += 1
            return
        self._add(rank, document)

    def _add(self, rank: int, document: Document) -> None:
        self._kept[rank] = _Kept(self._met, document)
        self._by_text[document.sha256] = rank
        self._used += len(document.text)
        insort(self._ranks, rank)
        while len(self._ranks) > self._most or self._used > self._room:
            self._ceiling = self._ranks[-1]
            self._remove(self._ceiling)
            self.skipped[Skip.NOT_DRAWN] += 1
        if len(self._ranks) == self._most:
            self._ceiling = min(self._ceiling, self._ranks[-1])

    def _remove(self, rank: int) -> None:
        document = self._kept.pop(rank).document
        del self._by_text[document.sha256]
        del self._ranks[bisect_left(self._ranks, rank)]
        self._used -= len(document.text)


def _has_ten(document: Document) -> bool:
    text, unit = document.text, document.unit
    if unit is Unit.SENTENCE and len(text) > ENOUGH and len(spans(text[:ENOUGH], unit)) > LENGTH:
        return True
    return len(spans(text, unit)) >= LENGTH


def sketch(text: str, size: int = SKETCH) -> frozenset[int]:
    """Return hashes of word runs that stand for a text, to tell near-duplicates by."""
    words = _WORD.findall(text[:HEAD].lower())
    runs = (" ".join(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
    return frozenset(heapq.nsmallest(size, {zlib.crc32(run.encode()) for run in runs}))


def _told_apart(kept: Sequence[_Kept]) -> Iterable[_Kept]:
    """Leave out what is like one before; at most `CROWD` documents are looked up by a run."""
    holders: defaultdict[int, list[int]] = defaultdict(list)
    sizes: list[int] = []
    size = min(SKETCH, INDEX // max(1, len(kept)))
    for one in kept:
        runs = sketch(one.document.text, size)
        shared = Counter(holder for run in runs for holder in holders[run])
        if any(many >= ALIKE * min(len(runs), sizes[holder]) for holder, many in shared.items()):
            continue
        for run in runs:
            if len(holders[run]) < CROWD:
                holders[run].append(len(sizes))
        sizes.append(len(runs))
        yield one


def _rank(seed: int, key: str) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed} {key}".encode(), digest_size=8).digest(), "big")
