from collections.abc import Callable
from random import Random

import pytest

from game.records import PassageRecord
from generators.audit import Audited, TooSmall, audit
from generators.cells import Cell
from generators.separation import Passages, auc_within
from tests.generators.records import record

np = pytest.importorskip("numpy")
pytest.importorskip("sklearn")


def passages(spoil: Callable[[str], str], *, number: int = 100) -> list[PassageRecord]:
    dice = Random(5)
    return [passage(at, 1 + at % 10, spoil if dice.random() < 0.8 else str) for at in range(number)]


def dressed(at: int, boundary: int, genre: str, dress: Callable[[str], str]) -> PassageRecord:
    """Return a passage that looks the same way whoever writes."""
    return record(at, boundary, genre=genre, dress=dress)


def passage(
    at: int, boundary: int, spoil: Callable[[str], str] = str, *, model: str | None = None
) -> PassageRecord:
    return record(at, boundary, model=model, spoil=spoil)


def aucs(records: list[PassageRecord]) -> dict[Cell, float]:
    found = audit(records, kinds=["layout"], permutations=1)
    return {one.cell: one.auc for one in found if isinstance(one, Audited)}


def layout(records: list[PassageRecord], permutations: int = 199) -> Audited:
    found = next(audit(records, kinds=["layout"], permutations=permutations))
    assert isinstance(found, Audited)
    return found


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text + " ",
        lambda text: text.replace("the", "\u201cthe\u201d", 1).replace("a ", "\u201ca\u201d ", 1),
        lambda text: text[0].lower() + text[1:],
    ],
    ids=["a trailing space", "a curly quote", "a lower-case start"],
)
def test_the_audit_sees_a_planted_cue(spoil: Callable[[str], str]) -> None:
    found = layout(passages(spoil))
    assert found.auc > 0.7
    assert found.p <= 0.01


def test_the_audit_finds_nothing_where_there_is_nothing() -> None:
    found = layout(passages(str), permutations=39)
    assert found.auc == pytest.approx(0.5, abs=0.06)
    assert found.p > 0.05


def test_only_sentences_of_the_same_stratum_are_compared() -> None:
    scores, strata = np.array([1.0, 1.0, 2.0, 2.0]), np.array([1, 1, 2, 2])
    truth = np.array([True, False, True, False])
    assert auc_within(strata, scores, truth) == 0.5


def test_the_auc_counts_pairs_and_half_of_ties() -> None:
    scores, truth = np.array([3.0, 1.0, 1.0, 0.0]), np.array([True, True, False, False])
    assert auc_within(np.ones(4, dtype=int), scores, truth) == 3.5 / 4


def test_the_first_sentence_is_left_out() -> None:
    found = layout(passages(str, number=50), permutations=1)
    assert found.machine_sentences + found.human_sentences == 50 * 9


def test_a_generator_of_too_few_documents_is_named_not_guessed_at() -> None:
    few = [passage(1, 5), passage(2, 10)]
    assert list(audit(few)) == [TooSmall("stories", "fake", None, passages=2, documents=2)]


def test_a_cue_of_one_model_shows_in_its_own_cell_only() -> None:
    records = [
        passage(at, 1 + at % 10, (lambda text: text + " ") if model == "sloppy" else str, model=model)
        for at in range(100)
        for model in ("neat", "sloppy")
    ]
    found = aucs(records)
    assert found[Cell("stories", "fake sloppy")] > 0.9
    assert found[Cell("stories", "fake neat")] == pytest.approx(0.5, abs=0.06)
    assert 0.6 < found[Cell("stories", None)] < 0.9


def test_pooled_genres_are_not_told_apart() -> None:
    records = [dressed(at, 1 + at % 10, "stories", str) for at in range(100)]
    records += [dressed(at, 1 + at % 3, "recipes", lambda text: text + " ") for at in range(60)]
    records += [dressed(at, 10, "recipes", lambda text: text + " ") for at in range(20)]
    assert aucs(records)[Cell(None, "fake")] == pytest.approx(0.5, abs=0.06)


def test_boundaries_change_places_within_a_genre_only() -> None:
    genres = np.array([0, 1] * 20)
    boundaries = np.where(genres == 0, np.arange(40) % 5, 5 + np.arange(40) % 5)
    mixed = Passages(genres, genres, boundaries).shuffled(np.random.default_rng(1))
    assert sorted(mixed[genres == 0]) == sorted(boundaries[genres == 0])
    assert list(mixed) != list(boundaries)


def test_the_number_of_workers_changes_nothing() -> None:
    records = passages(lambda text: text + " ", number=50)
    assert list(audit(records, permutations=5, workers=2)) == list(audit(records, permutations=5))
