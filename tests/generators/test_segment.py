import pytest

from generators.segment import HEAD_ENDS, PARSER, Unit, joined, spans, splits_again, units

pytest.importorskip("nupunkt")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Smith left. He was late.", ("Mr. Smith left.", "He was late.")),
        ("We met at 5 p.m. on Monday. It rained.", ("We met at 5 p.m. on Monday.", "It rained.")),
        ("It cost $3.5 million. Nobody paid.", ("It cost $3.5 million.", "Nobody paid.")),
        ("He asked why. She smiled!", ("He asked why.", "She smiled!")),
        (
            "The U.S. economy grew. Wages did not.",
            ("The U.S. economy grew.", "Wages did not."),
        ),
        ("Two are just. Porcupine spoke.", ("Two are just.", "Porcupine spoke.")),
        ("She said no. Red Shirt laughed.", ("She said no.", "Red Shirt laughed.")),
        ("Neither he nor I. If so, what then?", ("Neither he nor I.", "If so, what then?")),
        ("Smith vs. Jones was heard. He won.", ("Smith vs. Jones was heard.", "He won.")),
        ("I spoke to Congress. Porcupine too.", ("I spoke to Congress.", "Porcupine too.")),
        ("He is self-made. Porcupine is not.", ("He is self-made.", "Porcupine is not.")),
    ],
)
def test_prose_is_cut_where_a_reader_would_cut(text: str, expected: tuple[str, ...]) -> None:
    assert units(text, Unit.SENTENCE) == expected


def test_a_closing_quote_stays_with_its_sentence() -> None:
    assert units('He said, "Stop!" and ran. Then it was quiet.', Unit.SENTENCE) == (
        'He said, "Stop!" and ran.',
        "Then it was quiet.",
    )


def test_a_paragraph_ends_a_sentence_even_without_a_stop() -> None:
    assert units("A heading\nThe text begins.", Unit.SENTENCE) == ("A heading", "The text begins.")


def test_spans_count_code_points_without_the_white_space_around() -> None:
    text = "\U0001f35e is bread.  It rises."
    assert [text[start:end] for start, end in spans(text, Unit.SENTENCE)][1] == "It rises."


def test_a_recipe_is_its_head_and_then_a_step_a_line() -> None:
    text = f"Pancakes\nIngredients:\n2 eggs\n{HEAD_ENDS}\nBeat the eggs. Rest.\nFry."
    assert units(text, Unit.LINE) == (
        f"Pancakes\nIngredients:\n2 eggs\n{HEAD_ENDS}",
        "Beat the eggs. Rest.",
        "Fry.",
    )


@pytest.mark.parametrize("unit", Unit)
def test_joined_units_split_again(unit: Unit) -> None:
    if unit is Unit.PARSED:
        pytest.importorskip(PARSER)
    parts = ("Beat the eggs.", "Fry them slowly.")
    assert splits_again(parts, unit)
    assert units(joined(parts, unit), unit) == parts


def test_units_that_run_together_are_noticed() -> None:
    assert not splits_again(("He met Mr.", "Smith at noon."), Unit.SENTENCE)


def test_the_parser_of_the_paper_can_cut_instead() -> None:
    pytest.importorskip("spacy")
    pytest.importorskip(PARSER)
    text = "\U0001f35e Bread rises slowly.  We wait for it.\n\nA heading\nThen we eat. "

    assert units(text, Unit("parsed")) == (
        "\U0001f35e Bread rises slowly.",
        "We wait for it.",
        "A heading",
        "Then we eat.",
    )
    assert Unit.PARSED.gap == " "


def test_a_name_with_a_small_letter_can_begin_a_sentence() -> None:
    assert units("We sold out. iPhones went first.", Unit.SENTENCE) == ("We sold out.", "iPhones went first.")


def test_who_spoke_stays_with_what_was_said() -> None:
    assert units('"Is it far?" Tom asked. "No!" He ran.', Unit.SENTENCE) == (
        '"Is it far?" Tom asked.',
        '"No!"',
        "He ran.",
    )


def test_a_missing_space_does_not_hide_an_end() -> None:
    assert units("It was over.We went home.", Unit.SENTENCE) == ("It was over.", "We went home.")
