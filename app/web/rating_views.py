"""What is shown of published ratings."""

from dataclasses import dataclass

from app.services.publishing import (
    ENOUGH_PASSAGES,
    ENOUGH_PLAYERS,
    ENOUGH_ROUNDS,
    GeneratorRating,
    Publication,
)
from app.store.profiles import ANOTHER
from app.store.published import Published
from app.web.formats import day_words, signed
from game.language import say
from scoring.skill import Estimate


@dataclass(frozen=True, slots=True)
class EstimateWords:
    """A number with its interval, in words."""

    mean: str
    interval: str


@dataclass(frozen=True, slots=True)
class PublishedLine:
    """What is published of a player."""

    points: EstimateWords
    rounds: int
    day: str


@dataclass(frozen=True, slots=True)
class GeneratorLine:
    """What is published of a generator."""

    name: str
    points: EstimateWords
    rounds: int


@dataclass(frozen=True, slots=True)
class RunFacts:
    """What the numbers come from, and what the average player earns on the average text."""

    points: EstimateWords
    rounds: int
    players: int
    passages: int
    day: str


@dataclass(frozen=True, slots=True)
class GeneratorsView:
    """Which machine fools people; `run` is None before the first night."""

    run: RunFacts | None
    generators: tuple[GeneratorLine, ...]
    enough_rounds: int
    enough_players: int
    enough_passages: int


def published_line(one: Published) -> PublishedLine:
    """Return what is published of a player, in words."""
    return PublishedLine(_words(one), one.rounds, day_words(one.made_at))


def generators_view(found: Publication | None) -> GeneratorsView:
    """Return the view of what is published of generators."""
    return GeneratorsView(
        run=_facts(found) if found else None,
        generators=tuple(_line(one) for one in found.generators) if found else (),
        enough_rounds=ENOUGH_ROUNDS,
        enough_players=ENOUGH_PLAYERS,
        enough_passages=ENOUGH_PASSAGES,
    )


def _facts(found: Publication) -> RunFacts:
    run = found.run
    return RunFacts(_words(run.total), run.rounds, run.players, run.passages, day_words(run.made_at))


def _line(one: GeneratorRating) -> GeneratorLine:
    return GeneratorLine(one.model or ANOTHER, _words(one.published), one.published.rounds)


def _words(one: Estimate | Published) -> EstimateWords:
    return EstimateWords(
        signed(one.mean), say("%(lower)s to %(upper)s", lower=signed(one.lower), upper=signed(one.upper))
    )
