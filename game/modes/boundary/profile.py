"""What a player's rounds add up to: hits and misses by genre and generator, reasons, sureness, trophies."""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from game.language import say
from game.mode import PlayedRound, Screen
from game.modes.boundary.reasons import words_of
from game.passage import LENGTH
from game.standings import ALPHA, MINIMUM_ROUNDS, counted_points
from scoring.intervals import Interval, betting_interval
from scoring.points import TOP, call_is_right

BLOCK = 10
"""Rounds that one point of the learning curve is the mean of."""

CERTAIN = 100

_TROPHIES = Path(__file__).with_name("trophies.toml")


@dataclass(frozen=True, slots=True)
class MeanLine:
    """Points in a genre, or in all (`genre` is None): of all rounds, and as boards count them."""

    genre: str | None
    rounds: int
    points: int
    mean: float
    counted_mean: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """How calls went in some rounds.

    Attributes:
        name: a genre or a generator.
        exact: the first sentence that is not the human's, or all human where it was.
        suspected: too early: a human sentence was taken for a machine's.
        fooled: too late: a machine's sentence was taken for a human's.
        unnoticed: of those, called human to the end.
    """

    name: str
    rounds: int
    exact: int
    suspected: int
    fooled: int
    unnoticed: int


@dataclass(frozen=True, slots=True)
class ReasonLine:
    """How often a reason was given, and in how many of a hundred the call that it closed was right."""

    words: str
    given: int
    right_percent: int


@dataclass(frozen=True, slots=True)
class SurenessLine:
    """Calls made with about the same confidence, and how many of a hundred were right."""

    words: str
    calls: int
    right_percent: int


@dataclass(frozen=True, slots=True)
class Bar:
    """Mean points of ten rounds, and where its bar stands in a drawing of one unit a bar, five high."""

    mean: float
    x: int
    y: float


@dataclass(frozen=True, slots=True)
class Trophy:
    """Something to be proud of: reached when a measure is at least so much."""

    title: str
    words: str
    measure: str
    at_least: int
    is_won: bool = False


@dataclass(frozen=True, slots=True)
class ProfileView:
    """Everything; `curve` holds successive blocks of ten rounds."""

    means: tuple[MeanLine, ...]
    genres: tuple[OutcomeLine, ...]
    generators: tuple[OutcomeLine, ...]
    curve: tuple[Bar, ...]
    reasons: tuple[ReasonLine, ...]
    sureness: tuple[SurenessLine, ...]
    trophies: tuple[Trophy, ...]


def profile_screen(rounds: Sequence[PlayedRound]) -> Screen:
    """Return the profile of finished rounds, in the order of closing."""
    view = ProfileView(
        means=(_mean(None, rounds), *(_mean(name, each) for name, each in _by(rounds, _genre))),
        genres=tuple(_outcomes(name, each) for name, each in _by(rounds, _genre)),
        generators=tuple(_outcomes(name, each) for name, each in _by(rounds, _generator)),
        curve=tuple(
            _bar(at // BLOCK, rounds[at : at + BLOCK]) for at in range(0, len(rounds) - BLOCK + 1, BLOCK)
        ),
        reasons=_reasons(rounds),
        sureness=_sureness(rounds),
        trophies=_won(_measures(rounds)),
    )
    return Screen("profile.html", view, asdict(view))


def is_right(one: PlayedRound) -> bool:
    """Say whether the closing call was right: that sentence, or none, was not the human's."""
    return call_is_right(one.guess, one.boundary, length=one.length)


def _genre(one: PlayedRound) -> str:
    return one.genre


def _generator(one: PlayedRound) -> str:
    return one.generator


def _by(
    rounds: Sequence[PlayedRound], key: Callable[[PlayedRound], str]
) -> list[tuple[str, list[PlayedRound]]]:
    found: dict[str, list[PlayedRound]] = defaultdict(list)
    for one in rounds:
        found[key(one)].append(one)
    return sorted(found.items())


def _mean(genre: str | None, rounds: Sequence[PlayedRound]) -> MeanLine:
    counted = [counted_points(one.points, in_streak=one.is_in_streak) for one in rounds]
    counts = {score: counted.count(score) for score in set(counted)}
    points = sum(one.points for one in rounds)
    size = max(len(rounds), 1)
    return MeanLine(
        genre=genre,
        rounds=len(rounds),
        points=points,
        mean=points / size,
        counted_mean=sum(counted) / size,
        interval=betting_interval(counts, top=float(TOP), alpha=ALPHA)
        if len(rounds) >= MINIMUM_ROUNDS
        else None,
    )


def _outcomes(name: str, rounds: Sequence[PlayedRound]) -> OutcomeLine:
    late = [one for one in rounds if one.guess > one.boundary]
    return OutcomeLine(
        name=name,
        rounds=len(rounds),
        exact=sum(one.guess == one.boundary for one in rounds),
        suspected=sum(one.guess < one.boundary for one in rounds),
        fooled=len(late),
        unnoticed=sum(one.guess == one.length for one in late),
    )


def _reasons(rounds: Sequence[PlayedRound]) -> tuple[ReasonLine, ...]:
    given: dict[str, list[bool]] = defaultdict(list)
    for one in rounds:
        for code in one.last_form.get("reasons", ()):
            given[words_of(code, one.last_form["call"])].append(is_right(one))
    lines = [ReasonLine(words, len(right), _percent(right)) for words, right in given.items()]
    return tuple(sorted(lines, key=lambda line: (-line.given, line.words)))


def _sureness(rounds: Sequence[PlayedRound]) -> tuple[SurenessLine, ...]:
    calls: dict[int, list[bool]] = defaultdict(list)
    for one in rounds:
        if one.confidence is not None:
            calls[one.confidence // 10 * 10].append(is_right(one))
    return tuple(
        SurenessLine(
            say("%(low)s to %(high)s %%", low=floor, high=floor + 9) if floor < CERTAIN else f"{CERTAIN} %",
            len(right),
            _percent(right),
        )
        for floor, right in sorted(calls.items())
    )


def _percent(right: Sequence[bool]) -> int:
    return round(100 * sum(right) / len(right))


def _bar(number: int, block: Sequence[PlayedRound]) -> Bar:
    mean = sum(one.points for one in block) / len(block)
    return Bar(mean, number, TOP - mean)


def _measures(rounds: Sequence[PlayedRound]) -> Mapping[str, int]:
    """Return the numbers that trophies can ask for."""
    hits = [
        (is_hit, sum(1 for _ in run)) for is_hit, run in groupby(one.guess == one.boundary for one in rounds)
    ]
    exact = [one for one in rounds if one.guess == one.boundary]
    return {
        "rounds": len(rounds),
        "exact": len(exact),
        "exact_in_a_row": max((size for is_hit, size in hits if is_hit), default=0),
        "human_to_the_end": sum(one.boundary == one.length for one in exact),
        "at_once": sum(one.boundary == 1 for one in exact),
        "at_the_last_moment": sum(one.boundary == LENGTH - 1 for one in exact),
        "genres": len({one.genre for one in exact}),
        "points": sum(one.points for one in rounds),
    }


def _won(measures: Mapping[str, int]) -> tuple[Trophy, ...]:
    return tuple(
        Trophy(
            say(one.title), say(one.words), one.measure, one.at_least, measures[one.measure] >= one.at_least
        )
        for one in _trophies()
    )


@cache
def _trophies() -> tuple[Trophy, ...]:
    with _TROPHIES.open("rb") as file:
        rows: list[dict[str, Any]] = tomllib.load(file)["trophy"]
    return tuple(Trophy(**row) for row in rows)
