"""Published ratings: all rounds of a mode out, runs and their estimates in and out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, and_, bindparam, delete, exists, func, insert, not_, select

from app.store.inserting import insert_once
from app.store.passages import lazy_line, passage
from app.store.players import merger, player
from app.store.ratings import rating
from app.store.standings import counts, mark
from app.store.tables import EstimateRow, RatingRun, RoundRow, table_of
from scoring.skill import Estimate

round_ = table_of(RoundRow)
run = table_of(RatingRun)
estimate = table_of(EstimateRow)

Kind = Literal["player", "passage", "generator"]

_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class RatedRound:
    """A round, as far as published ratings care.

    Attributes:
        above: points above the lazy line of its deck and genre.
        tells: whether it says something about its passage.
    """

    player_id: str
    passage_id: str
    above: float
    tells: bool


@dataclass(frozen=True, slots=True)
class Run:
    """A fit to all rounds of a mode."""

    mode: str
    number: int
    made_at: datetime
    rule: str
    rounds_sha256: str
    rounds: int
    telling: int
    players: int
    passages: int
    mean: float
    error: float
    player_deviation: float
    generator_deviation: float
    passage_deviation: float
    round_deviation: float

    @property
    def total(self) -> Estimate:
        """What the average player earns on the average passage."""
        return Estimate(self.mean, self.error)


@dataclass(frozen=True, slots=True)
class Published:
    """What a run says of one player, passage or generator, in points above lazy play."""

    subject_id: str
    rounds: int
    mean: float
    lower: float
    upper: float
    made_at: datetime


_is_suspicious = exists().where(mark.c.round_id == round_.c.id, mark.c.rule == bindparam("rule"))
_ROUNDS = (
    select(
        round_.c.player_id,
        round_.c.passage_id,
        (round_.c.points - lazy_line.c.points).label("above"),
        and_(rating.c.deviation <= bindparam("provisional"), not_(_is_suspicious)).label("tells"),
    )
    .join(lazy_line, (lazy_line.c.deck_id == round_.c.deck_id) & (lazy_line.c.genre == round_.c.genre))
    .outerjoin(
        rating,
        (rating.c.kind == "player")
        & (rating.c.subject_id == round_.c.player_id)
        & (rating.c.mode == round_.c.mode),
    )
    .where(round_.c.mode == bindparam("mode"), round_.c.points.is_not(None), counts(round_.c.id))
    .order_by(round_.c.id)
    .execution_options(yield_per=_ROWS_AT_ONCE)
)
_GENERATORS = select(
    passage.c.id,
    passage.c.generator["name"].as_string().label("name"),
    passage.c.generator["model"].as_string().label("model"),
).where(exists().where(round_.c.passage_id == passage.c.id, round_.c.mode == bindparam("mode")))
_LATEST = (
    select(*(run.c[name] for name in Run.__dataclass_fields__))
    .where(run.c.mode == bindparam("mode"))
    .order_by(run.c.number.desc())
    .limit(1)
)
_last = select(func.max(run.c.number)).where(run.c.mode == bindparam("mode")).scalar_subquery()
_PUBLISHED = (
    select(
        estimate.c.subject_id,
        estimate.c.rounds,
        estimate.c.mean,
        estimate.c.lower,
        estimate.c.upper,
        run.c.made_at,
    )
    .join(run, (run.c.mode == estimate.c.mode) & (run.c.number == estimate.c.run))
    .where(run.c.mode == bindparam("mode"), run.c.number == _last, estimate.c.kind == bindparam("kind"))
    .order_by(estimate.c.mean, estimate.c.subject_id)
)
_PUBLISHED_OF = _PUBLISHED.where(estimate.c.subject_id == bindparam("subject_id"))


def rated_rounds(db: Connection, mode: str, rule: str, *, provisional: float) -> Iterator[RatedRound]:
    """Yield the rounds of a mode that count, in the order of their ids.

    A round tells nothing of its passage when `rule` marks it, or when its player has no rating
    with a deviation up to `provisional`.
    """
    for row in db.execute(_ROUNDS, {"mode": mode, "rule": rule, "provisional": provisional}):
        yield RatedRound(row.player_id, row.passage_id, row.above, bool(row.tells))


def generators_met(db: Connection, mode: str) -> Mapping[str, str]:
    """Return the generator of every passage of which there are rounds; empty if it is human to the end."""
    rows = db.execute(_GENERATORS, {"mode": mode})
    return {row.id: " ".join(part for part in (row.name, row.model) if part) for row in rows}


def latest_run(db: Connection, mode: str) -> Run | None:
    """Return the run that is published."""
    row = db.execute(_LATEST, {"mode": mode}).one_or_none()
    return Run(*row) if row else None


def add_run(db: Connection, new: Run) -> bool:
    """Write a run; False if there is one of that number."""
    return insert_once(db, run, asdict(new))


def add_estimates(db: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write what a run says."""
    db.execute(insert(estimate), list(rows))


def published(db: Connection, mode: str, kind: Kind) -> list[Published]:
    """Return what is published of a kind, the lowest first."""
    return [Published(*row) for row in db.execute(_PUBLISHED, {"mode": mode, "kind": kind})]


def published_of(db: Connection, mode: str, kind: Kind, subject_id: str) -> Published | None:
    """Return what is published of one player, passage or generator."""
    values = {"mode": mode, "kind": kind, "subject_id": subject_id}
    row = db.execute(_PUBLISHED_OF, values).one_or_none()
    return Published(*row) if row else None


def drop_estimates(db: Connection, player_id: str) -> None:
    """Delete what runs say of a player."""
    db.execute(delete(estimate).where(estimate.c.kind == "player", estimate.c.subject_id == player_id))


def drop_strangers(db: Connection) -> None:
    """Delete what runs say of players who have left, or have become part of another."""
    is_here = exists().where(player.c.id == estimate.c.subject_id, player.c.erased_at.is_(None))
    is_merged = exists().where(merger.c.guest_id == estimate.c.subject_id)
    db.execute(delete(estimate).where(estimate.c.kind == "player", not_(is_here) | is_merged))


def drop_older(db: Connection, mode: str, *, before: int) -> None:
    """Delete what runs say that are older than one."""
    db.execute(delete(estimate).where(estimate.c.mode == mode, estimate.c.run < before))
