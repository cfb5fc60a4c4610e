import pytest

from generators.typography import flowing, plain, unnumbered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u201cYes,\u201d she said \u2014 it\u2019s late", '"Yes," she said--it\'s late'),
        ("1\u00bd cups at 180 \u00b0C", "1 1/2 cups at 180 degrees C"),
        ("in \u00bd cup", "in 1/2 cup"),
        ("night prowling,--being a man", "night prowling--being a man"),
        ("all I had;--what did I care", "all I had--what did I care"),
        ("saut\u00e9 the jalape\u00f1o", "saute the jalapeno"),
        ("5\u20136 minutes\u2026", "5-6 minutes..."),
        ("a \u00a0 b\r\n c", "a b\nc"),
    ],
)
def test_both_sides_are_written_in_one_typography(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize("text", ["a - b -- c", "1\u00bd", "\u00c6on \u2014\u2014 x", "7 \u2033 \u00bc"])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize("line", ["1. Beat.", "12) Beat.", "* Beat.", "*#Beat.", "- Beat.", "Beat."])
def test_a_step_loses_its_number(line: str) -> None:
    assert unnumbered(line) == "Beat."


def test_flowing_text_has_one_space_between_words() -> None:
    assert flowing(" hard\nwrapped \n\n text ") == "hard wrapped text"
