"""Which genres are served."""

from sqlalchemy import Connection

from app.store.passages import genres_served
from game.errors import NoSuchGenreError


def served(db: Connection, asked: str | None) -> list[str]:
    """Return the genres of the decks being served, one of which is the one asked for.

    Raises:
        NoSuchGenreError: the one asked for is not; None is always fine.
    """
    found = genres_served(db)
    if asked is not None and asked not in found:
        raise NoSuchGenreError(f"There is no genre “{asked}”; there is: {', '.join(found) or 'none yet'}.")
    return found
