"""Migrations lead to the tables that the code expects, there and back, and stand on their own."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from app.settings import ROOT, Settings
from app.store.database import Database
from app.store.migrating import is_current, migration_config, upgrade
from app.store.tables import metadata
from tests.stocking import BARE, new_postgresql

VERSIONS = sorted((ROOT / "migrations" / "versions").glob("*.py"))

RULES = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name",
    "postgresql": "SELECT proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
    " UNION ALL SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal"
    " UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1, 2",
}


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database where nothing has been done yet."""
    url = f"sqlite:///{tmp_path / 'roft.db'}"
    if request.param == "postgresql":
        url = new_postgresql(request.getfixturevalue("postgresql_server"), BARE)
    database = Database(Settings(database_url=url).url, durability="normal")
    yield database
    database.close()


def migrate(database: Database, deed: Callable[..., Any], revision: str) -> None:
    """Run an Alembic command on a database."""
    with database.engine.begin() as connection:
        config = migration_config()
        config.attributes["connection"] = connection
        deed(config, revision)


def form_of(database: Database) -> Any:
    """Return everything about tables, constraints, indexes, triggers and functions."""
    with database.read() as connection:
        inspector = inspect(connection)
        tables = {
            name: [
                repr(inspector.get_columns(name)),
                repr(inspector.get_pk_constraint(name)),
                repr(sorted(inspector.get_foreign_keys(name), key=repr)),
                repr(sorted(inspector.get_unique_constraints(name), key=repr)),
                repr(sorted(inspector.get_check_constraints(name), key=repr)),
            ]
            for name in inspector.get_table_names()
        }
        rules = [tuple(row) for row in connection.execute(text(RULES[database.engine.dialect.name]))]
    return tables, rules


def test_there_is_one_last_migration() -> None:
    assert len(ScriptDirectory.from_config(migration_config()).get_heads()) == 1


def test_tables_and_migrations_agree(database: Database) -> None:
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []


def test_the_ear_for_disagreement_is_good(database: Database) -> None:
    with database.write() as connection:
        connection.execute(text("ALTER TABLE player ADD COLUMN shoe_size INTEGER"))
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert [difference[0] for difference in compare_metadata(context, metadata)] == ["remove_column"]


def test_every_rule_of_a_table_is_in_the_database(database: Database) -> None:
    tables, _ = form_of(database)

    for table in metadata.sorted_tables:
        told = " ".join(tables[table.name])
        for constraint in table.constraints:
            assert str(constraint.name) in told


def test_down_and_up_again_gives_the_same_database(database: Database) -> None:
    before = form_of(database)

    migrate(database, command.downgrade, "base")
    migrate(database, command.upgrade, "head")
    assert form_of(database) == before


def test_all_the_way_down_nothing_is_left(database: Database) -> None:
    migrate(database, command.downgrade, "base")

    tables, rules = form_of(database)
    assert set(tables) == {"alembic_version"}
    assert not [name for name, _ in rules if "alembic" not in name]


def test_upgrading_twice_changes_nothing(database: Database) -> None:
    before = form_of(database)

    upgrade(database)
    assert form_of(database) == before


def test_an_empty_database_is_not_current_and_an_upgraded_one_is(empty: Database) -> None:
    before = is_current(empty)
    upgrade(empty)

    assert (before, is_current(empty)) == (False, True)


def test_an_upgrade_that_breaks_leaves_no_trace(empty: Database) -> None:
    with empty.write() as connection:
        connection.execute(text("CREATE TABLE move (id INTEGER)"))  # in the way
    before = form_of(empty)

    with pytest.raises(Exception, match="move"):
        upgrade(empty)
    assert form_of(empty) == before


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_migration_imports_nothing_of_ours(path: Path) -> None:
    assert not imported(path) & {"app", "cli", "game", "generators", "scoring", "tests"}


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_migration_is_named_by_date_and_deed(path: Path) -> None:
    date, _, deed = path.stem.partition("_")

    assert date.isdigit()
    assert len(date) == 8
    assert deed.replace("_", "").isalnum()


def imported(path: Path) -> set[str]:
    """Return the packages that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found
