from pathlib import Path

import pytest

from game.records import PassageRecord
from generators.deck import Wanted, counts, draw
from generators.errors import TooFewPassagesError
from generators.windows import windows
from generators.writers import SpliceWriter
from tests.generators.test_build import built, model
from tests.generators.texts import documents

pytest.importorskip("nupunkt")


@pytest.fixture
def candidates(tmp_path: Path) -> list[PassageRecord]:
    texts = documents(20)
    splices = SpliceWriter([window for document in texts for window in windows(document)])
    return [*built(model(tmp_path), 80).kept, *built(splices, 18).kept]


def test_every_boundary_is_drawn_equally_often(candidates: list[PassageRecord]) -> None:
    deck = draw(candidates, Wanted(2, 3), seed=1)
    assert counts(deck) == {"stories": {str(number): 2 for number in range(1, 11)} | {"splice": 3}}


def test_no_stretch_of_text_is_shown_twice(candidates: list[PassageRecord]) -> None:
    shown = [
        (source.document, start)
        for record in draw(candidates, Wanted(2, 3), seed=1)
        for source in (record.source, record.other)
        if source
        for start, _ in source.offsets
    ]
    assert len(shown) == len(set(shown))


def test_the_seed_decides(candidates: list[PassageRecord]) -> None:
    assert draw(candidates, Wanted(1, 1), seed=1) == draw(candidates, Wanted(1, 1), seed=1)
    assert draw(candidates, Wanted(1, 1), seed=1) != draw(candidates, Wanted(1, 1), seed=2)


def test_too_few_candidates_are_named(candidates: list[PassageRecord]) -> None:
    with pytest.raises(TooFewPassagesError, match="stories"):
        draw(candidates, Wanted(50, 0), seed=1)


def test_a_deck_shows_nothing_of_another(candidates: list[PassageRecord]) -> None:
    first = draw(candidates, Wanted(1, 0), seed=1)
    second = draw(candidates, Wanted(1, 0), seed=1, without=first)

    def shown(deck: list[PassageRecord]) -> set[tuple[str, int]]:
        return {(one.source.document, start) for one in deck for start, _ in one.source.offsets}

    assert shown(first)
    assert not shown(first) & shown(second)
