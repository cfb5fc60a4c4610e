"""Merging: what somebody played as a guest becomes part of their account."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from sqlalchemy import Connection

from app.services.joining import new_guest, seat_player
from app.services.rating import rerate
from app.services.standings import recount
from app.store.daily import hand_over_days
from app.store.players import add_merger, is_taken_over, lock_player
from app.store.published import drop_estimates
from app.store.ratings import drop_ratings
from app.store.reports import hand_over_notices
from app.store.rounds import OwnedRound, hand_over, rounds_of
from app.store.standings import add_mark, drop_standings
from scoring.vigilance import DUPLICATE_RULE


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merger did: rounds that came over, and passages that were in both."""

    moved: int
    doubled: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """Rounds that come to the account, and rounds of the account that give way to them."""

    coming: Sequence[OwnedRound]
    going: Sequence[OwnedRound]
    doubled: Sequence[OwnedRound]


def merge(db: Connection, guest_id: str, player_id: str, *, rng: Random, now: datetime) -> Merged:
    """Let an account take over a guest's rounds; a passage in both counts once, the earlier answer.

    The other round of such a passage stays with the guest, marked, and counts nowhere. Of two
    open rounds in a genre the account's goes on. Merging again does nothing.
    """
    locked = [lock_player(db, one) for one in sorted((guest_id, player_id))]
    if None in locked or guest_id == player_id or is_taken_over(db, guest_id):
        return Merged(0, 0)
    plan = _plan(rounds_of(db, player_id), rounds_of(db, guest_id))
    add_merger(db, guest_id, player_id, now=now)
    if plan.going:
        aside = new_guest(rng)
        seat_player(db, aside, rng=rng, now=now)
        add_merger(db, aside.player_id, player_id, now=now)
        _hand_over(db, plan.going, aside.player_id, closings={})
    _hand_over(db, plan.coming, player_id, closings=_next_closings(rounds_of(db, player_id)))
    for one in plan.doubled:
        add_mark(db, one.id, DUPLICATE_RULE, now=now)
    drop_standings(db, guest_id)
    drop_ratings(db, guest_id)
    drop_estimates(db, guest_id)
    hand_over_notices(db, guest_id, player_id)
    hand_over_days(db, guest_id, player_id)
    recount(db, player_id)
    rerate(db, player_id, now=now)
    return Merged(len(plan.coming), len(plan.doubled))


def _plan(mine: Sequence[OwnedRound], theirs: Sequence[OwnedRound]) -> _Plan:
    twins = {(one.passage_id, one.mode): one for one in mine}
    open_in = {(one.mode, one.genre) for one in mine if one.closed_at is None}
    coming: list[OwnedRound] = []
    going: list[OwnedRound] = []
    doubled: list[OwnedRound] = []
    for one in theirs:
        twin = twins.get((one.passage_id, one.mode))
        if twin is not None and not _is_before(one, twin):
            doubled.append(one)
        elif one.closed_at is not None or (one.mode, one.genre) not in open_in:
            coming.append(one)
            if twin is not None:
                going.append(twin)
                doubled.append(twin)
    return _Plan(coming, going, [one for one in doubled if one.closed_at is not None])


def _is_before(one: OwnedRound, other: OwnedRound) -> bool:
    """Say whether a round was answered before another, or if none was, whether it began before."""
    if one.closed_at is not None and other.closed_at is not None:
        return (one.closed_at, one.id) < (other.closed_at, other.id)
    if one.closed_at is None and other.closed_at is None:
        return (one.started_at, one.id) < (other.started_at, other.id)
    return one.closed_at is not None


def _next_closings(rows: Sequence[OwnedRound]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for one in rows:
        if one.closing is not None:
            found[one.mode] = max(found[one.mode], one.closing + 1)
    return found


def _hand_over(
    db: Connection, rows: Sequence[OwnedRound], player_id: str, *, closings: Mapping[str, int]
) -> None:
    """Give rounds another player, closed ones after all that the player has closed before."""
    following = Counter(closings)
    for one in rows:
        closing = None
        if one.closed_at is not None:
            closing = following[one.mode]
            following[one.mode] += 1
        hand_over(db, one.id, player_id, closing=closing)
