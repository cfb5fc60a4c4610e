"""Opening the database from a command: what is missing is said in one sentence."""

from sqlalchemy.exc import ArgumentError, OperationalError

from app.settings import Settings
from app.store.database import Database
from app.store.migrating import is_current
from cli.errors import Failure


def open_database(settings: Settings) -> Database:
    """Return the database, or fail when it cannot be reached."""
    if not settings.database_url:
        settings.home.mkdir(parents=True, exist_ok=True)
    try:
        database = Database(settings.url, durability=settings.durability)
        with database.read():
            pass
    except ArgumentError as error:
        raise Failure(
            "ROFT_DATABASE_URL is no address of a database, such as postgresql://host/name."
        ) from error
    except OperationalError as error:
        raise Failure(f"The database at {settings.shown_url} cannot be reached: {error.orig}") from error
    return database


def migrated_database(settings: Settings) -> Database:
    """Return the database, or fail when a migration is missing."""
    database = open_database(settings)
    if not is_current(database):
        raise Failure("The database is not up to date; run “roft db upgrade” first.")
    return database
