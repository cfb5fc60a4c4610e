import pytest

from game.records import GeneratorRecord, PassageRecord
from generators.cells import NOT_STATED, PURE, Cell, cells_of, decoding_name, generator_names, homes_of
from generators.decoding import DOUBLE_QUOTES, Decoding
from tests.generators.records import record, switched

WIDE, NARROW = {"top_p": 1.0}, {"top_p": 0.4}


def cells(records: list[PassageRecord]) -> list[Cell]:
    return list(cells_of(homes_of(records)))


def names(*models: str | None) -> list[str]:
    named = generator_names(GeneratorRecord(name="transformers", model=model) for model in models)
    return [named["transformers", model] for model in models]


def test_two_models_of_one_back_end_are_two_generators() -> None:
    records = [record(1, 5, model="small"), record(2, 5, model="large")]
    assert cells(records) == [
        Cell("stories", "fake large"),
        Cell("stories", "fake small"),
        Cell("stories", None),
    ]


def test_another_document_is_never_pooled_with_models() -> None:
    found = cells_of(homes_of([record(1, 5, model="a"), record(2, 5, model="b"), switched(3, 5)]))
    assert found[Cell("stories", None)] == [0, 1]
    assert found[Cell("stories", "splice")] == [2]


def test_a_pooled_cell_that_repeats_another_is_left_out() -> None:
    assert cells([record(1, 5, model="a"), record(2, 10)]) == [Cell("stories", "fake a")]


def test_a_generator_is_pooled_over_its_genres_and_a_decoding_over_its_own() -> None:
    records = [
        record(at, 5, genre=genre, decoding=decoding)
        for at, (genre, decoding) in enumerate(
            (genre, decoding) for genre in ("recipes", "stories") for decoding in (WIDE, NARROW)
        )
    ]
    assert cells(records)[2:] == [
        Cell(None, "fake"),
        Cell(None, "fake", PURE),
        Cell(None, "fake", "top_p 0.4"),
    ]


def test_a_cell_of_one_genre_says_which() -> None:
    found = cells([record(1, 5, decoding=WIDE), record(2, 5, decoding=NARROW)])
    assert found[1:] == [Cell("stories", "fake", PURE), Cell("stories", "fake", "top_p 0.4")]


def test_humans_of_its_genres_and_no_others_are_the_control() -> None:
    records = [record(1, 5), record(2, 10), record(3, 10, genre="recipes")]
    assert cells_of(homes_of(records))[Cell("stories", "fake")] == [0, 1]


def test_a_name_on_the_hub_stays_and_a_folder_is_cut_short() -> None:
    assert names("owner/model", "/data/old/tuned") == ["transformers owner/model", "transformers old/tuned"]


def test_folders_of_the_same_name_are_told_apart() -> None:
    assert names("/data/one/build/tuned/", "/data/two/build/tuned") == [
        "transformers one/build/tuned",
        "transformers two/build/tuned",
    ]


def test_a_folder_that_ends_as_another_is_still_told_apart() -> None:
    assert len(set(names("build/tuned", "/data/build/tuned"))) == 2


@pytest.mark.parametrize(
    ("decoding", "name"),
    [
        (Decoding(suppressed=DOUBLE_QUOTES).record(), PURE),
        (Decoding(top_p=0.9, temperature=0.8, context=64).record(), "top_p 0.9, temperature 0.8, context 64"),
        (Decoding(top_k=40).record() | {"control_code": "Politics"}, "top_k 40"),
        ({}, NOT_STATED),
    ],
)
def test_a_decoding_is_named_by_what_is_not_neutral(
    decoding: dict[str, float | int | str | None], name: str
) -> None:
    assert decoding_name(decoding) == name
