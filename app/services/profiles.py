"""Profiles: what a player's rounds add up to, and who may see it."""

from dataclasses import dataclass

from sqlalchemy import Connection

from app.errors import PlayerNotFoundError
from app.services.standings import PRACTICE
from app.store.players import Person, person_named
from app.store.profiles import played_rounds
from app.store.published import Published, published_of
from app.store.ratings import load_rating
from app.store.standings import BoardKey, own_row
from game.language import say
from game.mode import Screen
from game.modes import modes
from game.ratings import PLAYER, PROVISIONAL
from scoring.glicko import Rating
from scoring.vigilance import STREAK_RULE


@dataclass(frozen=True, slots=True)
class ModeProfile:
    """A player in one mode; `rating` is None while it says too little, `published` until a run knows them."""

    mode: str
    title: str
    rounds: int
    points: int
    rating: Rating | None
    published: Published | None
    screen: Screen


@dataclass(frozen=True, slots=True)
class Profile:
    """A player in all modes they have played."""

    person: Person
    modes: tuple[ModeProfile, ...]


def profile_of(db: Connection, handle: str, reader_id: str | None) -> Profile:
    """Return the profile behind a handle.

    Raises:
        PlayerNotFoundError: there is none, or it shows itself to nobody else.
    """
    person = None if "\0" in handle else person_named(db, handle)
    is_own = person is not None and person.player_id == reader_id
    if person is None or (person.board != "named" and not is_own):
        raise PlayerNotFoundError(
            say("There is no player of that name, or they show their profile to nobody.")
        )
    found = [_in_mode(db, person, slug, is_own=is_own) for slug in modes()]
    return Profile(person, tuple(one for one in found if one))


def _in_mode(db: Connection, person: Person, slug: str, *, is_own: bool) -> ModeProfile | None:
    rounds = played_rounds(db, person.player_id, slug, STREAK_RULE)
    screen = modes()[slug].profile(rounds) if rounds else None
    if screen is None:
        return None
    held = load_rating(db, "player", person.player_id, slug, start=PLAYER)
    is_wanted = person.shows_rating or not is_own
    row = own_row(db, BoardKey(PRACTICE, slug), person.player_id)
    return ModeProfile(
        mode=slug,
        title=modes()[slug].title,
        rounds=row.rounds if row else len(rounds),
        points=row.points if row else 0,
        rating=held.rating if is_wanted and held.rating.deviation <= PROVISIONAL else None,
        published=published_of(db, slug, "player", person.player_id) if is_wanted else None,
        screen=screen,
    )
