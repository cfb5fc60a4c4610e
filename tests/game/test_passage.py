import pytest

from game.passage import Author, Passage, Sentence
from tests.factories import board, passage


@pytest.mark.parametrize("boundary", range(1, 11))
def test_the_boundary_is_the_first_sentence_that_is_not_human(boundary: int) -> None:
    assert passage(board(boundary)).boundary == boundary


def test_a_switched_document_counts_as_not_human() -> None:
    assert passage("HHHOOOOOOO").boundary == 3


@pytest.mark.parametrize("authors", ["MHHHHHHHHH", "HHMMHHHHHH", "HHMMMOOOOO", ""])
def test_an_author_changes_once_at_most_and_the_first_is_human(authors: str) -> None:
    with pytest.raises(ValueError, match="passage"):
        passage(authors)


def test_a_sentence_is_never_empty() -> None:
    with pytest.raises(ValueError, match="empty"):
        Passage((Sentence("A lamp.", Author.HUMAN), Sentence(" ", Author.HUMAN)))
