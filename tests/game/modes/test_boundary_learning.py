"""What others said, and rounds to practise on."""

import pytest

from game.errors import BadMoveError
from game.mode import REPLICATION, SITE, replay
from game.modes.boundary import MODE
from game.modes.boundary.crowd import FEWEST, CrowdView
from game.modes.boundary.practice import LessonView, lessons
from game.passage import LENGTH, Author
from tests.factories import board, passage

HUMAN = {"call": "human"}


def crowd(boundary: int, **opinions: int) -> CrowdView | None:
    state = replay(MODE, passage(board(boundary)), SITE, [{"call": "machine", "reasons": ["generic"]}])
    screen = MODE.crowd(
        state, {name.removeprefix("at").replace("_because_", " "): n for name, n in opinions.items()}
    )
    if screen is None:
        return None
    assert isinstance(screen.view, CrowdView)
    return screen.view


def lesson(number: int, *calls: str) -> LessonView:
    view = MODE.lesson(number, calls).screen.view
    assert isinstance(view, LessonView)
    return view


def test_an_answer_is_counted_with_each_of_its_reasons() -> None:
    move = {"call": "machine", "reasons": ["generic", "common_sense"]}
    verdict = MODE.verdict(replay(MODE, passage(board(5)), SITE, [HUMAN, move]))
    assert verdict is not None
    assert verdict.opinions == ("2", "2 common_sense", "2 generic")


def test_nothing_is_told_of_fewer_than_five() -> None:
    assert crowd(3, at3=FEWEST - 1) is None
    assert crowd(3, at3=FEWEST) is not None


def test_the_histogram_has_a_bar_for_every_answer_and_marks_the_true_one() -> None:
    view = crowd(3, at1=1, at3=2, at10=5)
    assert view is not None
    assert [bar.players for bar in view.bars] == [1, 0, 2, 0, 0, 0, 0, 0, 0, 5]
    assert [bar.words for bar in view.bars if bar.is_true] == ["Sentence 4"]
    assert (view.players, view.exact_percent) == (8, 25)


def test_only_reasons_given_at_the_true_sentence_are_told_the_most_frequent_first() -> None:
    view = crowd(3, at3=6, at3_because_grammar=1, at3_because_generic=4, at2=3, at2_because_repetition=3)
    assert view is not None
    assert [(reason.words, reason.players) for reason in view.reasons] == [
        ("says nothing in particular", 4),
        ("is not grammatical", 1),
    ]


def test_of_a_text_that_is_human_to_the_end_the_human_signs_are_told() -> None:
    view = crowd(10, at10=5, at10_because_voice=2)
    assert view is not None
    assert [reason.words for reason in view.reasons] == ["it has a voice of its own"]


def test_every_lesson_is_a_whole_passage_that_a_machine_takes_over_once() -> None:
    assert len(lessons()) >= 3
    for one in lessons():
        authors = [sentence.author for sentence in one.sentences]
        assert len(authors) == LENGTH
        assert authors == sorted(authors, key=lambda author: author is Author.MACHINE)
        assert 1 < one.passage.boundary < LENGTH
        assert all(sentence.why for sentence in one.sentences)


def test_a_lesson_begins_with_the_opening_explained_and_the_next_sentence_to_judge() -> None:
    first, second = lesson(0).lines
    assert (first.author, second.author) == ("human", None)
    assert first.why
    assert not second.why


@pytest.mark.parametrize(("call", "is_right"), [("human", True), ("machine", False)])
def test_after_every_call_the_sentence_is_explained_and_one_more_comes(call: str, *, is_right: bool) -> None:
    judged, due = lesson(0, call).lines[1:]
    assert (judged.author, judged.is_right, bool(judged.why)) == ("human", is_right, True)
    assert (due.author, due.why) == (None, None)


def test_nothing_of_what_follows_is_told_before_it_is_due() -> None:
    for number, one in enumerate(lessons()):
        for made in range(one.passage.boundary):
            view = lesson(number, *["human"] * made)
            assert len(view.lines) == made + 2
            assert view.outcome is None
            assert view.moral is None


@pytest.mark.parametrize(
    ("calls", "outcome"),
    [
        (["human"] * 5 + ["machine"], "exact: 5 points"),
        (["human"] * 6, "You read past sentence 7"),
        (
            ["human", "machine", "human", "human", "human", "machine"],
            "at sentence 3 would have been too early",
        ),
    ],
)
def test_a_lesson_ends_with_the_first_machine_sentence_and_says_what_was_earned(
    calls: list[str], outcome: str
) -> None:
    practised = MODE.lesson(0, calls)
    view = practised.screen.view
    assert isinstance(view, LessonView)
    assert practised.is_over
    assert outcome in str(view.outcome)
    assert all(line.why for line in view.lines)
    assert len(view.lines) == LENGTH


@pytest.mark.parametrize("calls", [["maybe"], ["human"] * 7])
def test_a_call_that_is_none_or_one_too_many_is_refused(calls: list[str]) -> None:
    with pytest.raises(BadMoveError):
        MODE.lesson(0, calls)


def test_the_rules_of_the_paper_ask_for_no_confidence() -> None:
    assert REPLICATION.confidence == "off"
