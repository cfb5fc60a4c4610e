import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from game.records import PassageRecord
from generators.audit import Audited, TooSmall
from generators.conditions import NO_MANIFEST
from generators.examples import may_be_passed_on
from generators.passage_files import write_records
from generators.sheet import Asked, drawn, sheet_of, verdict
from tests.generators.records import record, switched

FREE = "Public domain"
ASKED = Asked(permutations=199, seed=1)


class Tags(HTMLParser):
    """The tags of a page, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def audited(kind: str, auc: float, p: float) -> Audited:
    return Audited(
        "stories", "fake", None, kind, auc, (auc - 0.1, auc + 0.1), p, "boosting", 3, 9, 9, {"words": 0.6}
    )


def page(
    folder: Path,
    records: Sequence[PassageRecord],
    cells: Sequence[Audited | TooSmall] = (),
    asked: Asked = ASKED,
) -> str:
    path = folder / "a.jsonl"
    write_records(path, records)
    return drawn(sheet_of({path: records}, cells, asked))


def some() -> list[PassageRecord]:
    return [record(1, 5, licence=FREE), record(2, 10, licence=FREE), switched(3, 5)]


def test_the_sheet_names_why_passages_were_refused(tmp_path: Path) -> None:
    entry = {"genre": "stories", "generator": "fake", "kept": 3, "refused": {"machine: odd <end>": 12}}
    (tmp_path / "manifest.json").write_text(json.dumps({"file": "a.jsonl", **entry}))
    assert "machine: odd &lt;end&gt; 12" in page(tmp_path, some())


def test_without_a_manifest_there_is_a_sheet_that_says_so(tmp_path: Path) -> None:
    assert NO_MANIFEST in page(tmp_path, some())


def test_what_a_sentence_holds_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    told = page(tmp_path, [record(1, 5, spoil=lambda _: "<script>alert(1)</script> & more.")])
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more." in told
    assert "<script" not in told


def test_the_sheet_stands_alone(tmp_path: Path) -> None:
    told = page(tmp_path, some())
    assert not {tag for tag, _ in Tags(told).found} & {"script", "link", "img", "iframe", "a"}
    assert not re.search(r"url\(|@import", told)


def test_headings_skip_no_level(tmp_path: Path) -> None:
    told = page(tmp_path, some(), [audited("layout", 0.5, 0.5), audited("style", 0.7, 0.01)])
    levels = [int(tag[1]) for tag, _ in Tags(told).found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= before + 1 for before, later in pairwise(levels))


def test_every_table_has_a_caption_and_every_heading_a_scope(tmp_path: Path) -> None:
    found = Tags(page(tmp_path, some(), [audited("layout", 0.5, 0.5)])).found
    tags = [tag for tag, _ in found]
    assert tags.count("table") == tags.count("caption") > 0
    assert {attributes.get("scope") for tag, attributes in found if tag == "th"} == {"row", "col"}


def test_authors_are_named_in_words(tmp_path: Path) -> None:
    told = page(tmp_path, some())
    assert {"human:", "machine:", "another document:"} <= set(re.findall(r">([a-z ]+:)</span>", told))


def test_human_sentences_that_may_not_be_passed_on_are_left_out(tmp_path: Path) -> None:
    kept = record(1, 5, licence="by permission only")
    told = page(tmp_path, [kept])
    assert str(kept.sentences[0].text) not in told
    assert str(kept.sentences[9].text) in told
    assert "For your own use" not in told


def test_all_texts_are_for_ones_own_use(tmp_path: Path) -> None:
    kept = record(1, 5, licence="by permission only")
    told = page(tmp_path, [kept], asked=Asked(permutations=199, seed=1, all_texts=True))
    assert str(kept.sentences[0].text) in told
    assert "For your own use" in told


def test_examples_are_drawn_by_the_seed(tmp_path: Path) -> None:
    records = [record(at, 5, licence=FREE) for at in range(25)]
    assert page(tmp_path, records) == page(tmp_path, records)
    assert page(tmp_path, records) != page(tmp_path, records, asked=Asked(permutations=199, seed=2))


def test_cells_too_small_to_audit_are_named(tmp_path: Path) -> None:
    told = page(tmp_path, some(), [TooSmall("stories", "fake", None, 2, 2)])
    assert "stories · fake: 2 passages of 2 documents" in told


@pytest.mark.parametrize(
    ("auc", "p", "words"),
    [
        (0.55, 0.02, "does not tell"),
        (0.56, 0.02, "look closer: AUC above 0.55"),
        (0.51, 0.01, "look closer: p at most 0.01"),
        (0.70, 0.01, "look closer: AUC above 0.55 and p at most 0.01"),
    ],
)
def test_the_verdict_on_layout_is_plain(auc: float, p: float, words: str) -> None:
    assert verdict(auc, p) == words


@pytest.mark.parametrize(
    ("licence", "free"),
    [
        ("Public domain (work of the United States government)", True),
        ("CC0 1.0", True),
        ("CC BY-SA 4.0", True),
        ("cc-by-4.0", True),
        ("CC BY-NC 4.0", False),
        ("CC BY-ND 4.0", False),
        ("not stated; texts are kept in the passage file", False),
        ("Redistribution permitted by the copyright holder; others say for non-commercial use only", False),
    ],
)
def test_only_licences_known_to_be_free_are_free(licence: str, free: bool) -> None:  # noqa: FBT001 - a column
    assert may_be_passed_on(licence) is free
