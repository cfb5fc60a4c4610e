"""What players said about a passage: where they saw the machine, and why, where it was true."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from game.language import say
from game.mode import Screen
from game.modes.boundary.reasons import Call, words_of
from game.passage import Passage

FEWEST = 5
"""Answers below which nothing is told: of fewer one could guess whose they are."""

MOST_REASONS = 4


@dataclass(frozen=True, slots=True)
class CrowdBar:
    """How many players chose a sentence, or "all human"."""

    words: str
    players: int
    percent: int
    is_true: bool


@dataclass(frozen=True, slots=True)
class CrowdReason:
    """How many gave a reason, of those who chose the true sentence."""

    words: str
    players: int


@dataclass(frozen=True, slots=True)
class CrowdView:
    """What players said."""

    players: int
    exact_percent: int
    bars: tuple[CrowdBar, ...]
    reasons: tuple[CrowdReason, ...]


def opinions(guess: int, reasons: Sequence[str]) -> tuple[str, ...]:
    """Return what is counted of an answer: the guess, and the guess with each reason."""
    return (str(guess), *(f"{guess} {reason}" for reason in reasons))


def crowd_screen(passage: Passage, counted: Mapping[str, int]) -> Screen | None:
    """Return a histogram of guesses and the reasons at the true boundary; None while there are few."""
    length, boundary = len(passage.sentences), passage.boundary
    guesses = {guess: counted.get(str(guess), 0) for guess in range(1, length + 1)}
    players = sum(guesses.values())
    if players < FEWEST:
        return None
    call: Call = "human" if boundary == length else "machine"
    given = {
        words_of(reason, call): times
        for guess, _, reason in (opinion.partition(" ") for opinion in counted)
        if reason and guess == str(boundary) and (times := counted[f"{guess} {reason}"])
    }
    view = CrowdView(
        players=players,
        exact_percent=round(100 * guesses[boundary] / players),
        bars=tuple(
            CrowdBar(
                say("All human") if guess == length else say("Sentence %(number)s", number=guess + 1),
                times,
                round(100 * times / players),
                is_true=guess == boundary,
            )
            for guess, times in guesses.items()
        ),
        reasons=tuple(
            CrowdReason(words, times)
            for words, times in sorted(given.items(), key=lambda one: (-one[1], one[0]))[:MOST_REASONS]
        ),
    )
    data = {"players": players, "guesses": {str(guess): times for guess, times in guesses.items()}}
    return Screen("crowd.html", view, data)
