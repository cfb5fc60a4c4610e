"""Reports, holds and notices: rows in, values out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, exists, func, insert, select, update

from app.store.inserting import insert_once
from app.store.tables import Hold, Merger, Notice, Report, RoundRow, table_of

report = table_of(Report)
hold = table_of(Hold)
notice = table_of(Notice)
round_ = table_of(RoundRow)
merger = table_of(Merger)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What players say about a passage."""

    passage_id: str
    state: str
    reports: int
    kinds: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A notice that has not been read."""

    id: int
    sentence: str


_ELSEWHERE = (
    exists()
    .where(
        round_.c.player_id == report.c.player_id,
        round_.c.passage_id != report.c.passage_id,
        round_.c.closed_at.is_not(None),
    )
    .correlate(report)
)
_INDEPENDENT = select(func.count()).where(report.c.passage_id == bindparam("passage_id"), _ELSEWHERE)


_ANNULLED = select(hold.c.passage_id).where(
    hold.c.passage_id == bindparam("passage_id"), hold.c.state == "annulled"
)


def add_report(
    db: Connection,
    *,
    round_id: str,
    player_id: str,
    passage_id: str,
    kind: str,
    note: str | None,
    now: datetime,
) -> bool:
    """Write a report; False if the player has reported the passage before."""
    row = {
        "round_id": round_id,
        "player_id": player_id,
        "passage_id": passage_id,
        "kind": kind,
        "note": note,
        "made_at": now,
    }
    return insert_once(db, report, row)


def count_independent(db: Connection, passage_id: str) -> int:
    """Return how many players who have finished a round elsewhere have reported a passage."""
    return int(db.execute(_INDEPENDENT, {"passage_id": passage_id}).scalar_one())


def reporters_of(db: Connection, passage_id: str) -> list[str]:
    """Return who has reported a passage; for a guest who signed in, the account."""
    who = func.coalesce(merger.c.player_id, report.c.player_id)
    found = (
        select(who)
        .outerjoin(merger, merger.c.guest_id == report.c.player_id)
        .where(report.c.passage_id == passage_id)
        .distinct()
    )
    return list(db.execute(found).scalars())


def is_annulled(db: Connection, passage_id: str) -> bool:
    """Say whether rounds on a passage count for nothing."""
    return db.execute(_ANNULLED, {"passage_id": passage_id}).first() is not None


def suspend(db: Connection, passage_id: str, *, now: datetime) -> None:
    """Serve a passage no more until somebody decides; one that was decided about stays as it is."""
    insert_once(db, hold, {"passage_id": passage_id, "state": "suspended", "since": now})


def decide(db: Connection, passage_id: str, state: str, *, now: datetime) -> bool:
    """Annul or clear a passage; False if it was so before, or annulled for good."""
    insert_once(db, hold, {"passage_id": passage_id, "state": "suspended", "since": now})
    decided = (
        update(hold)
        .where(hold.c.passage_id == passage_id, hold.c.state.not_in([state, "annulled"]))
        .values(state=state, decided_at=now)
    )
    return db.execute(decided).rowcount == 1


def complaints(db: Connection) -> list[Complaint]:
    """Return every passage that was reported and is not decided about, the most reported first."""
    rows = db.execute(
        select(report.c.passage_id, hold.c.state, report.c.kind, report.c.note)
        .outerjoin(hold, hold.c.passage_id == report.c.passage_id)
        .where(hold.c.decided_at.is_(None))
        .order_by(report.c.passage_id, report.c.id)
    ).all()
    found: dict[str, list[tuple[str | None, str, str | None]]] = {}
    for row in rows:
        found.setdefault(row.passage_id, []).append((row.state, row.kind, row.note))
    listed = [
        Complaint(
            passage_id=passage_id,
            state=said[0][0] or "served",
            reports=len(said),
            kinds=tuple(kind for _, kind, _ in said),
            notes=tuple(note for _, _, note in said if note),
        )
        for passage_id, said in found.items()
    ]
    return sorted(listed, key=lambda one: (-one.reports, one.passage_id))


def rounds_on(db: Connection, passage_id: str) -> list[tuple[str, str]]:
    """Return the finished rounds on a passage, each with its player."""
    found = select(round_.c.id, round_.c.player_id).where(
        round_.c.passage_id == passage_id, round_.c.closed_at.is_not(None)
    )
    return [(row.id, row.player_id) for row in db.execute(found)]


def tell(db: Connection, player_id: str, sentence: str, *, now: datetime) -> None:
    """Leave a sentence for a player."""
    db.execute(insert(notice).values(player_id=player_id, sentence=sentence, made_at=now))


def unread(db: Connection, player_id: str) -> list[Told]:
    """Return the notices a player has not read, the oldest first."""
    found = (
        select(notice.c.id, notice.c.sentence)
        .where(notice.c.player_id == player_id, notice.c.read_at.is_(None))
        .order_by(notice.c.id)
    )
    return [Told(*row) for row in db.execute(found)]


def mark_read(db: Connection, player_id: str, up_to: int, *, now: datetime) -> None:
    """Note that a player has read their notices, up to one."""
    db.execute(
        update(notice)
        .where(notice.c.player_id == player_id, notice.c.id <= up_to, notice.c.read_at.is_(None))
        .values(read_at=now)
    )


def hand_over_notices(db: Connection, guest_id: str, player_id: str) -> None:
    """Let an account read what its guest was told."""
    db.execute(update(notice).where(notice.c.player_id == guest_id).values(player_id=player_id))


def drop_reports(db: Connection, player_id: str) -> None:
    """Delete what a player has reported and was told."""
    for table in (report, notice):
        db.execute(delete(table).where(table.c.player_id == player_id))
