import pytest

from game.errors import BadMoveError, UnfinishedMoveError
from game.mode import REPLICATION, SITE, Form, Policy, replay
from game.modes.boundary import MODE
from game.modes.boundary.mode import BoundaryState
from tests.factories import board, passage

HUMAN: Form = {"call": "human"}
MACHINE: Form = {"call": "machine", "reasons": ["generic"]}
VOICE: Form = {"call": "human", "reasons": ["voice"]}


def play(boundary: int, *forms: Form, policy: Policy = SITE) -> BoundaryState:
    return replay(MODE, passage(board(boundary)), policy, forms)


def points(state: BoundaryState) -> int | None:
    verdict = MODE.verdict(state)
    assert verdict is not None
    return verdict.points


def test_two_sentences_are_shown_first() -> None:
    assert len(MODE.screen(play(5), {}, None).data["shown"]) == 2


def test_calling_a_sentence_human_shows_one_more() -> None:
    assert len(MODE.screen(play(5, HUMAN, HUMAN), {}, None).data["shown"]) == 4


def test_the_guess_is_the_index_of_the_last_sentence_shown() -> None:
    assert play(5, HUMAN, MACHINE).guess == 2


def test_a_guess_one_late_earns_four() -> None:
    assert points(play(3, HUMAN, HUMAN, HUMAN, MACHINE)) == 4


def test_all_human_is_ten_and_right_only_when_it_is() -> None:
    assert points(play(10, *[HUMAN] * 8, VOICE)) == 5
    assert points(play(9, *[HUMAN] * 8, VOICE)) == 4


@pytest.mark.parametrize("form", [{"call": "machine"}, {"call": "machine", "note": "hm"}])
def test_an_answer_without_a_reason_does_not_count(form: Form) -> None:
    with pytest.raises(UnfinishedMoveError, match="at least one reason"):
        play(5, form)


def test_all_human_asks_for_a_reason_too() -> None:
    with pytest.raises(UnfinishedMoveError, match="at least one reason"):
        play(5, *[HUMAN] * 9)


def test_something_else_asks_what() -> None:
    with pytest.raises(UnfinishedMoveError, match="note"):
        play(5, {"call": "machine", "reasons": ["other"]})


@pytest.mark.parametrize(
    "form",
    [
        {"call": "human", "reasons": ["voice"]},  # the round goes on: nothing to explain
        {"call": "machine", "reasons": ["voice"]},  # a human sign
        {"call": "machine", "reasons": ["nonsense"]},
        {"call": "machine", "reasons": ["generic"], "guess": 3},
        {"call": "machine", "reasons": ["generic"], "note": "x" * 1001},
        {"call": "robot"},
        {},
    ],
)
def test_what_is_no_move_is_refused(form: Form) -> None:
    with pytest.raises(BadMoveError):
        play(5, form)


def test_a_replication_asks_for_reasons_after_machine_only_and_offers_the_papers() -> None:
    panel = MODE.screen(play(5, policy=REPLICATION), {"call": "machine"}, None).view.panel  # type: ignore[attr-defined]

    assert [chip.code for chip in panel.chips][-1] == "other"
    assert points(play(10, *[HUMAN] * 9, policy=REPLICATION)) == 5


def test_the_order_and_number_of_reasons_do_not_make_another_move() -> None:
    one = MODE.read({"call": "machine", "reasons": ["generic", "grammar", "generic"]})

    assert one == MODE.read({"call": "machine", "reasons": ["grammar", "generic"]})


@pytest.mark.parametrize(
    ("after", "words"), [("M", "the machine took over at sentence 4"), ("O", "another human document")]
)
def test_the_reveal_says_in_words_who_took_over(after: str, words: str) -> None:
    state = replay(MODE, passage(board(3, after=after)), SITE, [HUMAN, HUMAN, MACHINE])

    assert words in MODE.screen(state, {}, None).view.explanation  # type: ignore[attr-defined]
