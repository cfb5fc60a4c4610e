"""The shared examples: every mode is played by its own, and keeps its secrets."""

from random import Random
from typing import Any

import pytest

from app.services.playing import Turn
from app.web.pages import Pages
from app.web.views import round_view
from game.errors import BadMoveError, UnfinishedMoveError
from game.mode import SITE, Example, Mode, replay
from game.modes import modes, template_folders

PLAYED = [
    pytest.param(mode, example, id=f"{slug}: {example.name}")
    for slug, mode in modes().items()
    for example in mode.examples()
]


def drawn(mode: Mode[Any, Any], state: Any, number: int, draft: dict[str, Any]) -> str:
    turn = Turn(
        round_id="0" * 32,
        mode=mode.slug,
        genre="speeches",
        asked_genre="speeches",
        number=number,
        screen=mode.screen(state, draft, None),
        verdict=None,
        provenance=None,
    )
    return bytes(Pages().page("round", round_view(turn, None)).body).decode()


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_the_points_of_an_example_come_out(mode: Mode[Any, Any], example: Example) -> None:
    verdict = mode.verdict(replay(mode, example.passage, SITE, example.forms))

    assert verdict is not None
    assert verdict.points == example.points


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_no_open_screen_contains_what_must_stay_hidden(mode: Mode[Any, Any], example: Example) -> None:
    for number in range(len(example.forms)):
        state = replay(mode, example.passage, SITE, example.forms[:number])
        screen = mode.screen(state, example.forms[number], None)
        told = drawn(mode, state, number, dict(example.forms[number])) + repr(screen.data)
        assert mode.verdict(state) is None
        assert not [secret for secret in example.hidden if secret in told]


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_the_drawn_form_has_the_fields_that_the_example_submits(
    mode: Mode[Any, Any], example: Example
) -> None:
    for number, form in enumerate(example.forms):
        state = replay(mode, example.passage, SITE, example.forms[:number])
        html = drawn(mode, state, number, {}) + drawn(mode, state, number, {"call": form.get("call")})
        assert all(f'name="{name}"' in html for name in form)


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_replay_gives_the_same_state(mode: Mode[Any, Any], example: Example) -> None:
    stored = [mode.read(form).model_dump(mode="json", exclude_defaults=True) for form in example.forms]

    again = replay(mode, example.passage, SITE, stored)
    assert again == replay(mode, example.passage, SITE, example.forms)


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_the_points_of_a_form_are_nobody_elses_business(mode: Mode[Any, Any], example: Example) -> None:
    with pytest.raises(BadMoveError):
        mode.read({**example.forms[0], "points": 5})


@pytest.mark.parametrize("slug", modes())
def test_a_mode_lives_in_the_folder_of_its_name(slug: str) -> None:
    assert template_folders()[slug].is_dir()


@pytest.mark.parametrize(("mode", "example"), PLAYED)
def test_garbage_is_refused_in_the_language_of_the_game(mode: Mode[Any, Any], example: Example) -> None:
    state = mode.start(example.passage, SITE)
    dice = Random(3)
    for _ in range(50):
        form: dict[str, Any] = {
            dice.choice(("call", "reasons", "note", "x")): dice.choice(("", "?", ["a"], None, 3, {}))
        }
        with pytest.raises((BadMoveError, UnfinishedMoveError)):
            mode.play(state, mode.read(form))
