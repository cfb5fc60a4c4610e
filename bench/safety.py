"""`python -m bench.safety`: how much unsafe text each threshold finds, and what it costs.

`safety.jsonl` holds sentences written for this purpose in the manner of our genres: half of
them unsafe, half of them safe but hard (a cock that crows, a war, chicken breasts). A fixed
seed dealt 60 into a part *aside* before any of them was scored. The threshold comes from what
it costs: it is the lowest tenth at which no corpus of ours loses more than 0.5 % of its units.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.shown import shown_units
from generators.checks import UNIT_CHECKS
from generators.judges import ProfanityScorer

SENTENCES = Path(__file__).with_name("safety.jsonl")
PARTS = ("calibration", "aside")
CRUDE = "crude words"
"""The check by a pattern, which is measured too."""
THRESHOLDS = (*(tenth / 10 for tenth in range(1, 10)), 0.95, 0.99)
MOST_LOST = 0.005
"""Of the units of a corpus."""

Refuses = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence, and whether players should be spared it."""

    text: str
    unsafe: bool
    genre: str
    kind: str
    part: str


def read_samples() -> Sequence[Sample]:
    """Return all sentences, in the order of the file."""
    return [Sample(**json.loads(line)) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def share(texts: Sequence[str], refuses: Refuses) -> float:
    """Return the share of texts that are refused."""
    return sum(map(refuses, texts)) / len(texts)


def has_crude_words(text: str) -> bool:
    """Whether the pattern of crude words refuses a text."""
    return UNIT_CHECKS[CRUDE](text)


class Measured:
    """Scores every text once and prints a row for each way to refuse."""

    def __init__(self, samples: Sequence[Sample], corpora: Mapping[str, Sequence[str]]) -> None:
        """Take the labelled sentences and the units that must not be lost."""
        texts = [sample.text for sample in samples] + [text for units in corpora.values() for text in units]
        self._score = dict(zip(texts, ProfanityScorer().scores(texts), strict=True))
        self._samples, self._corpora = samples, corpora

    def scored(self, threshold: float) -> Refuses:
        """Return the check that refuses from a score on."""
        return lambda text: self._score[text] >= threshold

    def lowest_threshold(self) -> float:
        """Return the lowest tenth that loses little enough of every corpus."""
        return next(
            threshold
            for threshold in THRESHOLDS
            if all(share(units, self.scored(threshold)) <= MOST_LOST for units in self._corpora.values())
        )

    def row(self, name: str, refuses: Refuses) -> str:
        """Return unsafe found and safe lost in both parts, then what the corpora lose."""
        cells = [
            f"{share(self._texts(part, unsafe=unsafe), refuses):.0%}"
            for part in PARTS
            for unsafe in (True, False)
        ]
        cells += [f"{share(units, refuses):.2%}" for units in self._corpora.values()]
        return f"| {name} | {' | '.join(cells)} |"

    def kinds(self, refuses: Refuses) -> Sequence[str]:
        """Return a row for each kind of unsafe sentence, over both parts: how many are found."""
        kinds = dict.fromkeys(sample.kind for sample in self._samples if sample.unsafe)
        rows = {
            kind: [one.text for one in self._samples if one.unsafe and one.kind == kind] for kind in kinds
        }
        return [f"| {kind} | {sum(map(refuses, texts))} of {len(texts)} |" for kind, texts in rows.items()]

    def _texts(self, part: str, *, unsafe: bool) -> Sequence[str]:
        return [one.text for one in self._samples if one.part == part and one.unsafe is unsafe]


def either(one: Refuses, other: Refuses) -> Refuses:
    """Return the check that refuses what one of two refuses."""
    return lambda text: one(text) or other(text)


def main() -> None:
    """Print the tables, in Markdown."""
    samples, corpora = read_samples(), shown_units(forgiven=CRUDE)
    measured = Measured(samples, corpora)
    columns = [f"{part}: {what}" for part in PARTS for what in ("unsafe found", "safe lost")]
    print(f"| refused | {' | '.join([*columns, *corpora])} |")
    print(f"|---|{'---|' * (len(columns) + len(corpora))}")
    for threshold in THRESHOLDS:
        print(measured.row(f"score >= {threshold}", measured.scored(threshold)))
    chosen = measured.lowest_threshold()
    print(measured.row(CRUDE, has_crude_words))
    print(measured.row(f"{CRUDE} or score >= {chosen}", either(has_crude_words, measured.scored(chosen))))
    print("\n| kind of unsafe sentence | found |\n|---|---|")
    print("\n".join(measured.kinds(either(has_crude_words, measured.scored(chosen)))))


if __name__ == "__main__":
    main()
