import pytest

from game.passage import Author
from game.records import passage_of
from generators.cells import homes_of
from generators.corpora import resolve
from generators.profiles import Profile, profiles
from tests.generators.records import record, switched


def described(*records: object) -> list[Profile]:
    chosen = [one for one in records if one]
    return list(profiles([passage_of(one, resolve) for one in chosen], homes_of(chosen)))  # type: ignore[arg-type]


def test_every_author_has_a_line_and_humans_of_a_genre_share_theirs() -> None:
    found = described(record(1, 5, model="a"), record(2, 5, model="b"), switched(3, 8), record(4, 10))
    assert [(one.author, one.generator, one.sentences) for one in found] == [
        (Author.HUMAN, None, 4 + 4 + 7 + 9),
        (Author.MACHINE, "fake a", 5),
        (Author.MACHINE, "fake b", 5),
        (Author.OTHER, "splice", 2),
    ]


def test_signs_are_counted_over_all_characters() -> None:
    _, machine = described(record(1, 8, spoil=lambda _: "a, b, c, d."))
    assert machine.rates["commas"] == pytest.approx(100 * 3 / 11)
    assert machine.characters.mean == 11
    assert machine.last == {".": 1}


def test_one_sentence_has_quartiles_too() -> None:
    _, machine = described(record(1, 9, spoil=lambda _: "Stir 12"))
    assert machine.words.quartiles == (1, 1, 1)
    assert machine.last == {"a digit": 1}
