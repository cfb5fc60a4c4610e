"""`roft db`: migrations."""

import typer

from app.settings import Settings
from app.store.migrating import upgrade as upgrade_database
from cli.opening import open_database

app = typer.Typer(no_args_is_help=True)


@app.callback()
def group() -> None:
    """Look after the database."""


@app.command()
def upgrade() -> None:
    """Bring the database to the form this version expects.

    Example: ROFT_DATABASE_URL=postgresql://localhost/roft roft db upgrade
    """
    settings = Settings()
    upgrade_database(open_database(settings))
    print(f"The database is up to date: {settings.shown_url}")
