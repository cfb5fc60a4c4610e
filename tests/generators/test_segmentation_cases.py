"""Hard cases of English, cut as a careful reader would, and what holds for any text."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.segmentation import Case, read_cases, wrong_cases
from generators.segment import Unit, spans, splits_again, units

pytest.importorskip("nupunkt")

CASES = read_cases()
PIECES = (
    *"\n \t\"'()[]-",
    *(
        "A",
        "B.",
        "I",
        "b",
        "7",
        "3.5",
        ". ",
        "! ",
        "? ",
        "...",
        "--",
        '." ',
        "No. ",
        "Mr. ",
        "U.S. ",
        "p.m. ",
    ),
    *("The ", "he said ", "Stop", "iPhone ", "\u2026", "\u201c", "\u201d ", "\U0001f35e", "[1] ", "* "),
)
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=30).map("".join)


def cut(text: str) -> Sequence[str]:
    """Return the sentences of a text."""
    return units(text, Unit.SENTENCE)


def part(name: str) -> list[Case]:
    """Return the cases of a part."""
    return [case for case in CASES if case.part == name]


def test_every_case_holds_its_text_and_no_text_comes_twice() -> None:
    assert max(Counter(case.text for case in CASES).values()) == 1
    for case in CASES:
        assert "".join("".join(case.sentences).split()) == "".join(case.text.split())


def test_sixty_cases_are_set_aside() -> None:
    assert len(part("aside")) == 60
    assert len(part("tuning")) >= 160


def test_of_the_cases_the_rules_were_made_from_98_in_100_are_cut_as_a_reader_would() -> None:
    cases = part("tuning")
    wrong = [case.text for case in wrong_cases(cases, cut)]
    assert len(wrong) <= 0.02 * len(cases), wrong


def test_of_the_cases_set_aside_95_in_100_are_cut_as_a_reader_would() -> None:
    cases = part("aside")
    assert sum(1 for _ in wrong_cases(cases, cut)) <= 0.05 * len(cases)  # which ones is not shown


def test_sentences_joined_in_one_line_are_cut_again_at_the_same_places() -> None:
    for case in CASES:
        if "\n" not in case.text:
            assert splits_again(cut(case.text), Unit.SENTENCE), case.text


@given(text=TEXTS)
def test_sentences_are_in_order_and_apart_and_leave_out_only_white_space(text: str) -> None:
    at, found = 0, spans(text, Unit.SENTENCE)
    for start, end in found:
        assert not text[at:start].strip()
        assert start < end
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()


@given(text=TEXTS)
def test_no_sentence_goes_beyond_a_line_break(text: str) -> None:
    assert not any("\n" in sentence for sentence in cut(text))
