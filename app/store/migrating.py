"""Bringing a database to the form that this code expects."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from app.settings import ROOT
from app.store.database import Database


def upgrade(database: Database) -> None:
    """Run every migration that is missing; running it again does nothing."""
    with database.engine.begin() as connection:
        config = migration_config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def is_current(database: Database) -> bool:
    """Say whether no migration is missing."""
    with database.read() as connection:
        heads = MigrationContext.configure(connection).get_current_heads()
    return set(heads) == set(ScriptDirectory.from_config(migration_config()).get_heads())


def migration_config() -> Config:
    """Return Alembic's settings."""
    config = Config()
    config.set_main_option("script_location", str(ROOT / "migrations"))
    config.set_main_option("path_separator", "os")
    return config
