"""Publishing: all rounds of a mode for the nightly model, what it found, and how that is read.

The rounds are those of the live ratings: all that gave points, by guests too and on every deck,
but those that a merger doubled or that were taken out by hand or with their passage
(`app.store.standings.counts`). As there, a round in a streak, and one of a player whose rating is
provisional still (or who has none, having left), says nothing about its passage.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from app.store.published import (
    Kind,
    Published,
    Run,
    add_estimates,
    add_run,
    drop_older,
    drop_strangers,
    generators_met,
    latest_run,
    published,
    rated_rounds,
)
from game.ratings import PROVISIONAL
from scoring.skill import RULE, UNTOLD, Estimate, Rounds, Skill
from scoring.vigilance import STREAK_RULE

ENOUGH_ROUNDS = 200
ENOUGH_PLAYERS = 10
"""With fewer, intervals hold the truth much less often than they say."""

ENOUGH_PASSAGES = 5
"""Passages of a generator from which on it is published, so that no number is about a single one."""

KEPT = 7
"""Runs whose estimates are kept; of older ones only the figures stay."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All rounds of a mode that count, and what the numbers in them stand for.

    Attributes:
        generators: back end and model; one that is empty stands for texts without any.
        sha256: of the rounds.
        latest: the run that was published when they were read.
    """

    mode: str
    rounds: Rounds
    players: Sequence[str]
    passages: Sequence[str]
    generators: Sequence[str]
    sha256: str
    latest: Run | None

    @property
    def telling(self) -> int:
        """How many of them say something about their passage."""
        return sum(one != UNTOLD for one in self.rounds.passages)

    @property
    def lack(self) -> str | None:
        """What is too little for a fit, in a sentence; None if there is enough."""
        pairs = zip(self.rounds.players, self.rounds.passages, strict=True)
        known = len({player for player, passage in pairs if passage != UNTOLD})
        if self.telling >= ENOUGH_ROUNDS and known >= ENOUGH_PLAYERS:
            return None
        return (
            f"There are {self.telling} rounds by {known} players who have a rating yet; it takes"
            f" {ENOUGH_ROUNDS} rounds by {ENOUGH_PLAYERS} players before ratings can be published."
        )

    @property
    def published(self) -> Run | None:
        """The run that came from the very same rounds, if it is the latest."""
        is_same = self.latest and (self.latest.rounds_sha256, self.latest.rule) == (self.sha256, RULE)
        return self.latest if is_same else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The run that is published now, and whether it was written just now."""

    run: Run
    is_new: bool


@dataclass(frozen=True, slots=True)
class GeneratorRating:
    """What players earn on the texts of a generator: a back end with its model, if it has one."""

    name: str
    model: str | None
    published: Published


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published of a mode: the run, and its generators, those that fool people most first."""

    run: Run
    generators: tuple[GeneratorRating, ...]


def evidence_of(db: Connection, mode: str) -> Evidence:
    """Return all rounds of a mode that count, and which run is published now."""
    latest = latest_run(db, mode)
    players, passages, generators = _Numbers(), _Numbers(), _Numbers()
    of_player, on_passage, points = array("q"), array("q"), array("d")
    digest = sha256()
    for one in rated_rounds(db, mode, STREAK_RULE, provisional=PROVISIONAL):
        digest.update(f"{one.player_id} {one.passage_id} {one.above!r} {one.tells:d}\n".encode())
        of_player.append(players[one.player_id])
        on_passage.append(passages[one.passage_id] if one.tells else UNTOLD)
        points.append(one.above)
    generator_of = generators_met(db, mode)
    by = [generators[generator_of[one]] for one in passages]
    return Evidence(
        mode=mode,
        rounds=Rounds(of_player, on_passage, by, points),
        players=tuple(players),
        passages=tuple(passages),
        generators=tuple(generators),
        sha256=digest.hexdigest(),
        latest=latest,
    )


def publish(db: Connection, evidence: Evidence, found: Skill, *, now: datetime) -> Outcome:
    """Write what a fit found, unless somebody else has published since the rounds were read."""
    player, generator, passage, noise = found.deviations
    run = Run(
        mode=evidence.mode,
        number=evidence.latest.number + 1 if evidence.latest else 0,
        made_at=now,
        rule=RULE,
        rounds_sha256=evidence.sha256,
        rounds=len(evidence.rounds.players),
        telling=evidence.telling,
        players=len(evidence.players),
        passages=len(evidence.passages),
        mean=found.mean.mean,
        error=found.mean.error,
        player_deviation=player,
        generator_deviation=generator,
        passage_deviation=passage,
        round_deviation=noise,
    )
    if not add_run(db, run):
        return Outcome(latest_run(db, run.mode) or run, is_new=False)
    add_estimates(db, [{"mode": run.mode, "run": run.number, **row} for row in _rows(evidence, found)])
    drop_strangers(db)
    drop_older(db, run.mode, before=run.number + 1 - KEPT)
    return Outcome(run, is_new=True)


def publication(db: Connection, mode: str) -> Publication | None:
    """Return what is published of a mode; None before the first run."""
    run = latest_run(db, mode)
    return Publication(run, tuple(map(_generator, published(db, mode, "generator")))) if run else None


def _rows(evidence: Evidence, found: Skill) -> Iterator[Mapping[str, Any]]:
    rounds = evidence.rounds
    told = Counter(one for one in rounds.passages if one != UNTOLD)
    by, texts = Counter[int](), Counter(rounds.generators)
    for passage, many in told.items():
        by[rounds.generators[passage]] += many
    yield from _of_kind("player", evidence.players, Counter(rounds.players), found.players)
    yield from _of_kind("passage", evidence.passages, told, found.passages)
    for number, row in enumerate(_of_kind("generator", evidence.generators, by, found.generators)):
        if row["subject_id"] and texts[number] >= ENOUGH_PASSAGES:
            yield row


def _of_kind(
    kind: Kind, ids: Sequence[str], rounds: Mapping[int, int], found: Sequence[Estimate]
) -> Iterator[Mapping[str, Any]]:
    for number, (id_, one) in enumerate(zip(ids, found, strict=True)):
        yield {
            "kind": kind,
            "subject_id": id_,
            "rounds": rounds[number],
            "mean": one.mean,
            "error": one.error,
            "lower": one.lower,
            "upper": one.upper,
        }


def _generator(one: Published) -> GeneratorRating:
    name, _, model = one.subject_id.partition(" ")
    return GeneratorRating(name, model or None, one)


class _Numbers(dict[str, int]):
    """Numbers names from 0, in the order in which they are asked for."""

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]
