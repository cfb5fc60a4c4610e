"""Telling that a passage was shown before, however many there are."""

from collections import Counter, defaultdict

from generators.checks import TOO_CLOSE, Run, runs


class Fingerprints:
    """The five-word runs of texts, each run leading to the texts that hold it."""

    def __init__(self) -> None:
        """Begin with no text."""
        self._holding: dict[Run, list[int]] = defaultdict(list)
        self._sizes: list[int] = []

    def add(self, text: str) -> None:
        """Remember a text."""
        found = runs(text)
        for run in found:
            self._holding[run].append(len(self._sizes))
        self._sizes.append(len(found))

    def repeats(self, text: str) -> bool:
        """Whether a remembered text and this one share half the runs of the shorter."""
        found = runs(text)
        shared = Counter(number for run in found for number in self._holding.get(run, ()))
        return any(
            many >= TOO_CLOSE * min(len(found), self._sizes[number]) for number, many in shared.items()
        )
