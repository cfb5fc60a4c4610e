"""Which genres are served, and which have a board."""

from sqlalchemy import Connection

from app.store.passages import genres_boarded, genres_served
from game.errors import NoSuchGenreError
from game.language import say


def served(db: Connection, asked: str | None) -> list[str]:
    """Return the genres of the decks being served, one of which is the one asked for.

    Raises:
        NoSuchGenreError: the one asked for is not; None is always fine.
    """
    return _checked(genres_served(db), asked)


def boarded(db: Connection, asked: str | None) -> list[str]:
    """Return the genres that have a board, that of the days included, one of which is the one asked for.

    Raises:
        NoSuchGenreError: the one asked for has none; None is always fine.
    """
    return _checked(genres_boarded(db), asked)


def _checked(found: list[str], asked: str | None) -> list[str]:
    if asked is not None and asked not in found:
        if not found:
            raise NoSuchGenreError(say("There is no genre “%(genre)s”; there is none yet.", genre=asked))
        raise NoSuchGenreError(
            say("There is no genre “%(genre)s”; there is: %(known)s.", genre=asked, known=", ".join(found))
        )
    return found
