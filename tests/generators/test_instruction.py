import pytest

from generators.backends.base import Prompt
from generators.backends.instruction import continuation, message
from generators.segment import Unit

pytest.importorskip("nupunkt")

PROSE = Prompt("The road was long. It ended at the river.", Unit.SENTENCE, 2)
RECIPE = Prompt("Cake\nDirections:\nStir the eggs.", Unit.LINE, 2)


@pytest.mark.parametrize("prompt", [PROSE, RECIPE, Prompt(PROSE.text, Unit.PARSED, 2)])
def test_the_message_says_how_many_of_what_and_ends_with_the_text(prompt: Prompt) -> None:
    noun = "steps" if prompt.unit is Unit.LINE else "sentences"
    assert f"at least 2 more {noun}" in message(prompt)
    assert message(prompt).endswith(f"\n\n{prompt.text}")


@pytest.mark.parametrize(
    "reply",
    [
        "A boat came.",
        "\n\n A boat came. \n",
        "Sure, here are two more sentences: A boat came.",
        "Certainly! Here's what comes next:\n\nA boat came.",
        "Here is the continuation:\nA boat came.",
        "It ended at the river. A boat came.",
        "The road was long. It ended at the river. A boat came.",
        "Of course:\n\nThe road was long. It ended at the river.\nA boat came.",
    ],
)
def test_a_reply_goes_on_where_the_text_ended(reply: str) -> None:
    assert continuation(PROSE, reply) == " A boat came."


@pytest.mark.parametrize(
    "reply",
    ["Fry them.", "Directions:\nFry them.", "Stir the eggs.\nFry them.", f"{RECIPE.text}\nFry them."],
)
def test_a_recipe_goes_on_with_the_next_step(reply: str) -> None:
    assert continuation(RECIPE, reply) == "\nFry them."


@pytest.mark.parametrize(
    "reply", ["", " \n", "It ended at the river.", "The road was long. It ended at the river.\n"]
)
def test_a_reply_that_says_nothing_new_is_none(reply: str) -> None:
    assert not continuation(PROSE, reply)


@pytest.mark.parametrize(
    "reply",
    [
        "There were two boats: one came.\nThe other sank.",
        "Of course it rained. He had a plan: he stayed.",
        "Sure, it rained. He had a plan: he stayed.",
    ],
)
def test_a_colon_within_a_sentence_announces_nothing(reply: str) -> None:
    assert continuation(PROSE, reply) == f" {reply}"
