"""The API: the same services as the pages, in JSON."""

from dataclasses import asdict
from datetime import date, datetime
from typing import Any, Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from starlette.responses import JSONResponse

from app.errors import NoSuchStudyError
from app.services.consenting import Purpose, consent
from app.services.genres import boarded
from app.services.joining import new_guest, seat_player
from app.services.noting import Event, note_events
from app.services.playing import Turn, current_turn, start_round, submit_move
from app.services.profiles import profile_of
from app.services.publishing import publication
from app.services.reporting import report_passage
from app.services.standings import RankedRow, board
from app.store.passages import genre_counts
from app.store.published import Published
from app.web import examples
from app.web.deps import NUL, Bearer, Body, OptionalBearer, RoundId, SiteDep, TurnNumber
from app.web.refusals import MalformedFormError
from game.modes import mode_named, modes
from game.standings import MINIMUM_ROUNDS, Window

NUL_ESCAPED = b"\\u0000"

_FORM = TypeAdapter(dict[str, Any])

router = APIRouter(prefix="/api/v1", tags=["RoFT"], responses=examples.PROBLEMS)


class GuestReply(BaseModel):
    """A pseudonym and the token that plays under it."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.GUEST]})

    player: str
    token: str


class RoundReply(BaseModel):
    """A round as its player may see it.

    `turn` is the number of the next move, in a closed round of the last one. `verdict`,
    `provenance`, `crowd` (what all players said, once there are enough) and `sureness` are
    null while the round is open.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [examples.OPEN_ROUND]})

    id: str
    mode: str
    genre: str
    turn: int
    status: Literal["open", "closed"]
    screen: dict[str, Any]
    verdict: dict[str, Any] | None
    provenance: dict[str, Any] | None
    crowd: dict[str, Any] | None
    sureness: dict[str, Any] | None


class RoundRequest(BaseModel):
    """Which round to start; without a genre, any."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [examples.START]})

    mode: str
    genre: str | None = None


class ConsentRequest(BaseModel):
    """What the player says to a purpose; without a study it is about play on the open site."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [examples.CONSENT]})

    purpose: Purpose
    granted: bool
    study: str | None = None


class ReportRequest(BaseModel):
    """What is wrong with a text: broken, offensive, personal, seen (elsewhere) or other."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [examples.REPORT]})

    kind: str
    note: str = ""


class ConsentReply(BaseModel):
    """What stands from now on."""

    purpose: str
    granted: bool


class BoardReplyRow(BaseModel):
    """A line of the leaderboard; `handle` is null for somebody who shows no name.

    `rank` is null for players not yet above luck, and beyond the first thousand.
    """

    handle: str | None
    rounds: int
    points: int = Field(description="All points earned.")
    mean_points: float = Field(description="Mean points a round; rounds in a streak count 1.30 at most.")
    interval: tuple[float, float] | None = Field(
        description="98 %, valid at any time; null below ten rounds."
    )
    rank: int | None
    above_luck: bool


class RatingReply(BaseModel):
    """Glicko-2; 1500 is what play without reading comes to, and the deviation a standard error."""

    mean: float
    deviation: float


class PublishedReply(BaseModel):
    """What the nightly model says: points a round above what play without reading earns."""

    estimate: float
    interval: tuple[float, float] = Field(description="95 %.")
    rounds: int
    made_at: datetime


class GeneratorReply(PublishedReply):
    """A generator (back end and model), and what an average player earns on its texts."""

    name: str
    model: str | None


class ModeProfileReply(BaseModel):
    """A player in one mode; `rating` is null while it says too little, `published` before a night."""

    rounds: int
    points: int
    rating: RatingReply | None
    published: PublishedReply | None
    numbers: dict[str, Any]


class PlayerReply(BaseModel):
    """The public profile of a player."""

    handle: str
    since: date
    modes: dict[str, ModeProfileReply]


class ModeReply(BaseModel):
    """A mode that can be played."""

    mode: str
    title: str
    summary: str


class GenreReply(BaseModel):
    """A genre, with how many passages the caller has not met."""

    genre: str
    passages: int
    unseen: int


@router.post("/guests", status_code=201)
def create_guest(site: SiteDep) -> GuestReply:
    """Get a pseudonym and a token. The account is written when its first round starts."""
    claim = new_guest(site.rng)
    return GuestReply(player=claim.handle, token=site.tokens.sign(claim))


@router.post(
    "/consents",
    status_code=201,
    openapi_extra=examples.body(ConsentRequest.model_json_schema(), examples.CONSENT),
)
def create_consent(site: SiteDep, claim: Bearer, body: Body) -> ConsentReply:
    """Agree to a purpose, or take it back; what was said last stands."""
    said = _parse(TypeAdapter(ConsentRequest), body)
    if said.study is not None:
        raise NoSuchStudyError("There is no study of that name.")
    now = site.now()
    with site.database.write() as db:
        seat_player(db, claim, rng=site.rng, now=now)
        consent(db, claim.player_id, said.purpose, granted=said.granted, now=now)
    return ConsentReply(purpose=said.purpose, granted=said.granted)


@router.post(
    "/rounds",
    status_code=201,
    response_model=RoundReply,
    responses={200: {"model": RoundReply, "description": "The round was open already."}},
    openapi_extra=examples.body(RoundRequest.model_json_schema(), examples.START),
)
def create_round(site: SiteDep, claim: Bearer, body: Body) -> Response:
    """Start a round, or get the one that is open."""
    asked = _parse(TypeAdapter(RoundRequest), body)
    mode = mode_named(asked.mode)
    with site.database.write() as db:
        started = start_round(db, claim, mode, asked.genre, policy=site.policy, rng=site.rng, now=site.now())
        turn = current_turn(db, claim.player_id, started.round_id, draft={})
    return JSONResponse(_round(turn), 201 if started.is_new else 200)


@router.get("/rounds/{round_id}", response_model=RoundReply)
def read_round(site: SiteDep, claim: Bearer, round_id: RoundId) -> Response:
    """Get a round of yours as it stands."""
    with site.database.read() as db:
        return JSONResponse(_round(current_turn(db, claim.player_id, round_id, draft={})))


@router.post(
    "/rounds/{round_id}/moves/{turn}",
    response_model=RoundReply,
    responses={200: {"content": {"application/json": {"example": examples.CLOSED_ROUND}}}},
    openapi_extra=examples.body({"type": "object"}, examples.MOVE),
)
def create_move(site: SiteDep, claim: Bearer, round_id: RoundId, turn: TurnNumber, body: Body) -> Response:
    """Play a turn. Sending the same move for the same turn again changes nothing."""
    with site.database.write() as db:
        played = submit_move(db, claim.player_id, round_id, turn, _move_in(body), now=site.now())
    return JSONResponse(_round(played))


@router.post(
    "/rounds/{round_id}/events",
    status_code=204,
    openapi_extra=examples.body({"type": "array", "items": Event.model_json_schema()}, examples.EVENTS),
)
def create_events(site: SiteDep, claim: Bearer, round_id: RoundId, body: Body) -> None:
    """Write into the log beside the moves: an answer taken back, a tab hidden or shown."""
    events = _parse(TypeAdapter(list[Event]), body)
    with site.database.write() as db:
        note_events(db, claim.player_id, round_id, events, now=site.now())


@router.post(
    "/rounds/{round_id}/reports",
    status_code=204,
    openapi_extra=examples.body({"type": "object"}, examples.REPORT),
)
def create_report(site: SiteDep, claim: Bearer, round_id: RoundId, body: Body) -> None:
    """Report the text of a round of yours; a second report of the same text changes nothing."""
    said = _parse(TypeAdapter(ReportRequest), body)
    with site.database.write() as db:
        report_passage(db, claim.player_id, round_id, said.kind, said.note.strip(), now=site.now())


@router.get("/leaderboard")
def read_leaderboard(
    site: SiteDep,
    claim: OptionalBearer,
    genre: str | None = None,
    window: Window = "all",
) -> list[BoardReplyRow]:
    """Get a board: overall, of a genre or of the days (`daily`), of all time, this month or week (UTC).

    First the ranked, then those not yet above luck. Your own line comes along if it is not
    among them, last, or with up to five on each side of it if it has a place.
    """
    player_id = claim.player_id if claim else None
    with site.database.read() as db:
        boarded(db, genre)
        found = board(db, next(iter(modes())), genre, player_id, now=site.now(), window=window)
    lines = [*found.ranked, *found.unranked]
    listed = {line.row.player_id for line in lines}
    around = found.around or ([found.own] if found.own else [])
    lines += [line for line in around if line.row.player_id not in listed]
    return [_board_row(line, player_id) for line in lines]


@router.get("/players/{handle}")
def read_player(site: SiteDep, claim: OptionalBearer, handle: str) -> PlayerReply:
    """Get what a player's rounds add up to; your own profile is there whatever you show others."""
    with site.database.read() as db:
        found = profile_of(db, handle, claim.player_id if claim else None)
    return PlayerReply(
        handle=found.person.handle,
        since=found.person.created_at.date(),
        modes={
            one.mode: ModeProfileReply(
                rounds=one.rounds,
                points=one.points,
                rating=None
                if one.rating is None
                else RatingReply(mean=one.rating.mean, deviation=one.rating.deviation),
                published=_published(one.published) if one.published else None,
                numbers={**one.screen.data},
            )
            for one in found.modes
        },
    )


@router.get("/generators")
def read_generators(site: SiteDep) -> list[GeneratorReply]:
    """Get which machine fools people: those on whose texts players earn least come first.

    The list is empty before the first night. No single text has a published number.
    """
    with site.database.read() as db:
        found = publication(db, next(iter(modes())))
    return [
        GeneratorReply(name=one.name, model=one.model, **_published(one.published).model_dump())
        for one in (found.generators if found else ())
    ]


@router.get("/modes")
def read_modes() -> list[ModeReply]:
    """Get the modes."""
    return [ModeReply(mode=mode.slug, title=mode.title, summary=mode.summary) for mode in modes().values()]


@router.get("/genres")
def read_genres(site: SiteDep, claim: OptionalBearer) -> list[GenreReply]:
    """Get the genres."""
    with site.database.read() as db:
        counts = genre_counts(db, claim.player_id if claim else "")
    return [GenreReply(genre=one.genre, passages=one.passages, unseen=one.unseen) for one in counts]


def _move_in(body: bytes) -> dict[str, Any] | None:
    """Return the form in a body; None if there is none, for the rules to say in their order."""
    try:
        return _FORM.validate_json(body) if NUL_ESCAPED not in body else None
    except ValidationError:
        return None


def _parse(adapter: TypeAdapter[Any], body: bytes) -> Any:
    if NUL_ESCAPED in body:
        raise MalformedFormError(NUL)
    try:
        return adapter.validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "body"
        raise MalformedFormError(f"“{place}”: {first['msg']}.") from error


def _round(turn: Turn) -> dict[str, Any]:
    verdict, provenance = turn.verdict, turn.provenance
    return {
        "id": turn.round_id,
        "mode": turn.mode,
        "genre": turn.genre,
        "turn": turn.number,
        "status": "open" if verdict is None else "closed",
        "screen": turn.screen.data,
        "verdict": verdict and verdict.data,
        "provenance": provenance
        and {
            "passage": provenance.passage_id,
            "source": provenance.source,
            "other": provenance.other,
            "generator": provenance.generator,
            "licence": provenance.licence,
        },
        "crowd": turn.crowd and turn.crowd.data,
        "sureness": turn.sureness and asdict(turn.sureness),
    }


def _published(one: Published) -> PublishedReply:
    return PublishedReply(
        estimate=one.mean, interval=(one.lower, one.upper), rounds=one.rounds, made_at=one.made_at
    )


def _board_row(line: RankedRow, reader_id: str | None) -> BoardReplyRow:
    row = line.row
    return BoardReplyRow(
        handle=row.name_for(reader_id),
        rounds=row.rounds,
        points=row.points,
        mean_points=row.mean,
        interval=(row.lower, row.upper) if row.rounds >= MINIMUM_ROUNDS else None,
        rank=line.rank,
        above_luck=row.is_above_luck,
    )
