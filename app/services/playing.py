"""Playing a round: start it, move in it, look at it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from random import Random
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection

from app.services.genres import served
from app.services.joining import seat_player
from app.services.standings import record_closing
from app.store.learning import opinions_on
from app.store.passages import (
    Provenance,
    load_passage,
    load_provenance,
    unseen_passages,
)
from app.store.players import Claim
from app.store.rounds import (
    NewRound,
    StoredRound,
    add_move,
    add_round,
    load_moves,
    load_round,
    open_round_id,
)
from game.assignment import next_passage
from game.errors import (
    BadMoveError,
    NothingLeftError,
    RoundClosedError,
    RoundNotFoundError,
    TurnAlreadyPlayedError,
    TurnNotReachedError,
    UnfinishedMoveError,
)
from game.language import say
from game.mode import Form, Mode, Policy, Screen, Verdict, replay
from game.modes import mode_named
from scoring.points import confidence_points

MOST_MS = 2_000_000_000
"""23 days; what a clock shows beyond that is no reading time."""


class Measure(BaseModel):
    """What the client measured beside a move; stored, and never part of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    client_ms: int | None = Field(default=None, ge=0, le=MOST_MS)
    hidden_ms: int | None = Field(default=None, ge=0, le=MOST_MS)
    confidence: int | None = Field(default=None, ge=50, le=100)


@dataclass(frozen=True, slots=True)
class Sureness:
    """How sure a player was of the answer that closed a round, and what that earned, beside the points."""

    confidence: int
    is_right: bool
    points: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A round as its player may see it now.

    `number` is the number of the next move; in a closed round, of the last one.
    `asked_genre` is None when the player asked for any. `verdict` and `provenance`
    are None while the round is open, and so are `crowd` (what others said) and `sureness` (how
    sure the player was), which may stay so. `day` is that of a daily round.
    """

    round_id: str
    mode: str
    genre: str
    asked_genre: str | None
    number: int
    screen: Screen
    verdict: Verdict | None
    provenance: Provenance | None
    crowd: Screen | None = None
    sureness: Sureness | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """The round a player is to play, and whether it is a new one."""

    round_id: str
    is_new: bool
    handle: str


def start_round(
    db: Connection,
    claim: Claim,
    mode: Mode[Any, Any],
    genre: str | None,
    *,
    policy: Policy,
    rng: Random,
    now: datetime,
) -> Started:
    """Return the open round of the player in that mode and genre, or start one.

    Raises:
        NoSuchGenreError: no deck holds that genre.
        NothingLeftError: the player has met every passage.
    """
    handle = seat_player(db, claim, rng=rng, now=now)
    open_id = open_round_id(db, claim.player_id, mode.slug, genre)
    if open_id is not None:
        return Started(open_id, is_new=False, handle=handle)
    for chosen in _genres_to_try(db, genre, rng):
        unseen = unseen_passages(db, claim.player_id, chosen)
        try:
            passage_id = next_passage(
                list(unseen), load=lambda id_: load_passage(db, id_), accepts=mode.accepts, rng=rng
            )
        except NothingLeftError:
            continue
        new = NewRound(
            id=uuid4().hex,
            player_id=claim.player_id,
            passage_id=passage_id,
            deck_id=unseen[passage_id],
            mode=mode.slug,
            genre=chosen,
            asked_genre=genre,
            policy=policy,
            started_at=now,
        )
        add_round(db, new)
        return Started(new.id, is_new=True, handle=handle)
    raise NothingLeftError(say("You have played every passage there is here."))


def current_turn(
    db: Connection, player_id: str, round_id: str, *, draft: Form, problem: str | None = None
) -> Turn:
    """Return a round as it stands, with a half-made move if there is one."""
    stored = _own_round(db, player_id, round_id)
    mode = mode_named(stored.mode)
    return _turn(db, stored, mode, _state(mode, stored), draft=draft, problem=problem)


def submit_move(
    db: Connection, player_id: str, round_id: str, number: int, form: Form | None, *, now: datetime
) -> Turn:
    """Play a turn; the same turn with the same move again changes nothing.

    `form` is None when the request held none. What is wrong is said in this order:

    Raises:
        RoundNotFoundError: the round is not this player's.
        TurnAlreadyPlayedError: the turn was played with another move.
        RoundClosedError: the round is over.
        TurnNotReachedError: the turn is still to come.
        BadMoveError: the form is no move.
        UnfinishedMoveError: it lacks something the player can still give.
    """
    stored = _own_round(db, player_id, round_id)
    mode = mode_named(stored.mode)
    state = _state(mode, stored)
    if number < len(stored.moves):
        _must_be_same(mode, form, stored.moves[number].form)
        return _turn(db, stored, mode, state)
    if stored.is_closed or mode.verdict(state) is not None:  # it may close while it is being read
        raise RoundClosedError(say("This round is over."))
    if number > len(stored.moves):
        raise TurnNotReachedError(
            say("The round is at turn %(turn)s, not %(asked)s.", turn=len(stored.moves), asked=number)
        )
    move, measure = _read(mode, form)
    state = mode.play(state, move)
    verdict = mode.verdict(state)
    if verdict is not None and measure.confidence is None and stored.policy.confidence == "required":
        raise UnfinishedMoveError("confidence-missing", say("Say how sure you are before it counts."))
    plain = move.model_dump(mode="json", exclude_defaults=True)
    shown_at = stored.moves[-1].decided_at if stored.moves else stored.started_at
    columns = {"form": plain, "shown_at": shown_at, "decided_at": now, **measure.model_dump()}
    if not add_move(db, round_id, number, columns):
        _must_be_same(mode, form, load_moves(db, round_id)[number].form)
        return current_turn(db, player_id, round_id, draft={})
    if verdict is not None:
        record_closing(db, stored, verdict, now=now)
    return _turn(db, stored, mode, state, number=number + (verdict is None), confidence=measure.confidence)


def _genres_to_try(db: Connection, genre: str | None, rng: Random) -> list[str]:
    """Return the genres in random order; or just the one asked for."""
    found = served(db, genre)
    return rng.sample(found, len(found)) if genre is None else [genre]


def _own_round(db: Connection, player_id: str, round_id: str) -> StoredRound:
    stored = load_round(db, round_id, player_id)
    if stored is None:
        raise RoundNotFoundError(say("There is no such round of yours."))
    return stored


def _state(mode: Mode[Any, Any], stored: StoredRound) -> Any:
    return replay(mode, stored.passage, stored.policy, [move.form for move in stored.moves])


def _turn(
    db: Connection,
    stored: StoredRound,
    mode: Mode[Any, Any],
    state: Any,
    *,
    number: int | None = None,
    confidence: int | None = None,
    draft: Form | None = None,
    problem: str | None = None,
) -> Turn:
    verdict = mode.verdict(state)
    if number is None:
        number = len(stored.moves) - (verdict is not None)
        confidence = stored.moves[-1].confidence if stored.moves else None
    return Turn(
        round_id=stored.id,
        mode=stored.mode,
        genre=stored.genre,
        asked_genre=stored.asked_genre,
        number=number,
        screen=mode.screen(state, draft or {}, problem),
        verdict=verdict,
        provenance=None if verdict is None else load_provenance(db, stored.passage_id),
        crowd=None if verdict is None else _crowd(db, stored, mode, state),
        sureness=None if verdict is None else _sureness(verdict, confidence),
        day=None if verdict is None else stored.day,
    )


def _crowd(db: Connection, stored: StoredRound, mode: Mode[Any, Any], state: Any) -> Screen | None:
    if not stored.policy.teaches:
        return None
    return mode.crowd(state, opinions_on(db, stored.passage_id, stored.mode))


def _sureness(verdict: Verdict, confidence: int | None) -> Sureness | None:
    if confidence is None or verdict.is_right is None:
        return None
    points = confidence_points(confidence, is_right=verdict.is_right)
    return Sureness(confidence, verdict.is_right, points)


def _read(mode: Mode[Any, Any], form: Form | None) -> tuple[BaseModel, Measure]:
    """Return the move of a form, and what was measured beside it."""
    if form is None:
        raise BadMoveError("The request holds no move; send a JSON object.")
    beside = {name: value for name, value in form.items() if name in Measure.model_fields}
    try:
        measure = Measure.model_validate(beside)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadMoveError(f"“{first['loc'][0]}”: {first['msg']}.") from error
    return mode.read({name: value for name, value in form.items() if name not in beside}), measure


def _must_be_same(mode: Mode[Any, Any], form: Form | None, played: Mapping[str, Any]) -> None:
    try:
        is_same = _read(mode, form)[0] == mode.read(played)
    except BadMoveError:
        is_same = False
    if not is_same:
        raise TurnAlreadyPlayedError(say("This turn has been played, with another answer."))
