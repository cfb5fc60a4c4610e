"""Builds of passages: rows in, values out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, insert, null, select, update

from app.store.inserting import insert_once
from app.store.tables import BatchRow, BuildPassage, BuildRow, PassageRow, table_of

batch = table_of(BatchRow)
build = table_of(BuildRow)
build_passage = table_of(BuildPassage)
passage = table_of(PassageRow)

_GOING = build.c.status.in_(("waiting", "running"))


@dataclass(frozen=True, slots=True)
class StoredBuild:
    """A build as it stands.

    Attributes:
        outline: what the plan asks for, a condition a row.
        progress: how far the worker is; None before it began.
        manifest: what was built and how; None until it is done.
        sentence: why it failed, or what is lacking.
    """

    id: str
    player_id: str
    title: str
    plan: str
    outline: Sequence[Mapping[str, Any]]
    status: str
    submitted_at: datetime
    begun_at: datetime | None
    ended_at: datetime | None
    attempts: int
    cancel_asked_at: datetime | None
    sentence: str | None
    progress: Mapping[str, Any] | None
    manifest: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class BuiltPassage:
    """A passage that a build kept; all of it, with its answers."""

    id: str
    condition: int
    boundary: int
    sentences: Sequence[Sequence[str]]
    source: Mapping[str, Any]


_BUILD = select(*(build.c[name] for name in StoredBuild.__dataclass_fields__))


def add_build(db: Connection, row: Mapping[str, Any]) -> None:
    """Write a build that waits for a worker."""
    db.execute(insert(build), {"status": "waiting", "attempts": 0, **row})


def stored_build(db: Connection, build_id: str) -> StoredBuild | None:
    """Return a build; None if there is none of that id."""
    row = db.execute(_BUILD.where(build.c.id == build_id)).one_or_none()
    return StoredBuild(*row) if row else None


def newest_builds(db: Connection, most: int) -> list[StoredBuild]:
    """Return the builds submitted last, the newest first."""
    rows = db.execute(_BUILD.order_by(build.c.submitted_at.desc(), build.c.id).limit(most))
    return [StoredBuild(*row) for row in rows]


def going_builds(db: Connection, *, now: datetime | None = None) -> list[str]:
    """Return the ids of builds that have not ended, the oldest first; with a time, those that may begin."""
    found = select(build.c.id).where(_GOING).order_by(build.c.submitted_at, build.c.id)
    if now is not None:
        found = found.where(build.c.not_before.is_(None) | (build.c.not_before <= now))
    return list(db.execute(found).scalars())


def begin_build(db: Connection, build_id: str, holder: str, *, now: datetime) -> bool:
    """Say that a worker is at it, for the first time or again; False if it has ended.

    From now on only this holder can say more about it. One that was cancelled ends.
    """
    is_cancelled = build.c.cancel_asked_at.is_not(None)
    values = {
        "status": case((is_cancelled, "cancelled"), else_="running"),
        "ended_at": case((is_cancelled, now), else_=null()),
        "begun_at": func.coalesce(build.c.begun_at, now),
        "attempts": build.c.attempts + 1,
        "holder": holder,
        "not_before": null(),
        "sentence": null(),
    }
    begun = update(build).where(build.c.id == build_id, _GOING).values(values).returning(build.c.status)
    return db.execute(begun).scalar() == "running"


def put_back(
    db: Connection, build_id: str, holder: str, sentence: str | None, *, not_before: datetime, now: datetime
) -> None:
    """Let a build wait for another attempt, and say why; one that was cancelled ends.

    Without a sentence the attempt does not count: the worker was told to leave.
    """
    is_cancelled = build.c.cancel_asked_at.is_not(None)
    values = {
        "status": case((is_cancelled, "cancelled"), else_="waiting"),
        "ended_at": case((is_cancelled, now), else_=null()),
        "attempts": build.c.attempts - int(sentence is None),
        "not_before": not_before,
        "sentence": sentence,
    }
    db.execute(update(build).where(_held(build_id, holder)).values(values))


def set_progress(
    db: Connection, build_id: str, holder: str, progress: Mapping[str, Any], *, has_news: bool
) -> bool:
    """Write how far a build is; True if it is to stop: cancelled, ended, or in other hands.

    News are texts that no attempt had before; they make the attempts count from one again.
    """
    values = {"progress": progress, "attempts": 1 if has_news else build.c.attempts}
    told = update(build).where(_held(build_id, holder)).values(values).returning(build.c.cancel_asked_at)
    found = db.execute(told).one_or_none()
    return found is None or found[0] is not None


def ask_to_cancel(db: Connection, build_id: str, *, now: datetime) -> None:
    """Cancel a build that waits; ask the worker to stop one that runs."""
    is_waiting = build.c.status == "waiting"
    values = {
        "cancel_asked_at": func.coalesce(build.c.cancel_asked_at, now),
        "status": case((is_waiting, "cancelled"), else_=build.c.status),
        "ended_at": case((is_waiting, now), else_=build.c.ended_at),
    }
    db.execute(update(build).where(build.c.id == build_id, _GOING).values(values))


def end_build(
    db: Connection, build_id: str, holder: str, status: str, *, now: datetime, **values: Any
) -> bool:
    """Write how a build ended; False if it has ended before, or is in other hands."""
    ended = update(build).where(_held(build_id, holder)).values(status=status, ended_at=now, **values)
    return db.execute(ended).rowcount == 1


def _held(build_id: str, holder: str) -> ColumnElement[bool]:
    return (build.c.id == build_id) & _GOING & (build.c.holder == holder)


def batch_texts(db: Connection, key: str) -> Sequence[str] | None:
    """Return what a model wrote in a call; None if it was never made."""
    return db.execute(select(batch.c.texts).where(batch.c.key == key)).scalar()


def add_batch(db: Connection, row: Mapping[str, Any]) -> bool:
    """Keep what a model wrote in a call; False if it is there already."""
    return insert_once(db, batch, row)


def add_build_passages(db: Connection, build_id: str, kept: Sequence[tuple[int, int, str]]) -> None:
    """Write which passages a build kept: condition, number in it, passage id."""
    names = ("build_id", "condition", "number", "passage_id")
    if kept:
        db.execute(insert(build_passage), [dict(zip(names, (build_id, *one), strict=True)) for one in kept])


def built_passages(
    db: Connection, build_id: str, condition: int, *, start: int, most: int
) -> list[BuiltPassage]:
    """Return some of the passages that a build kept under a condition, in order."""
    rows = db.execute(
        select(
            passage.c.id, build_passage.c.condition, passage.c.boundary, passage.c.sentences, passage.c.source
        )
        .join(passage, passage.c.id == build_passage.c.passage_id)
        .where(build_passage.c.build_id == build_id, build_passage.c.condition == condition)
        .order_by(build_passage.c.number)
        .offset(start)
        .limit(most)
    )
    return [BuiltPassage(*row) for row in rows]


def build_members(db: Connection, build_id: str) -> set[tuple[int, str]]:
    """Return condition and id of every passage that a build kept."""
    rows = db.execute(
        select(build_passage.c.condition, build_passage.c.passage_id).where(
            build_passage.c.build_id == build_id
        )
    )
    return {(condition, passage_id) for condition, passage_id in rows}
