"""`roft user`: people with a role."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer

from app.services.signing_in import give_role, key_for, new_user, sign_out
from app.settings import Settings
from cli.opening import migrated_database

app = typer.Typer(no_args_is_help=True)


class Role(StrEnum):
    """What somebody may do."""

    PLAYER = "player"
    INSTRUCTOR = "instructor"
    RESEARCHER = "researcher"
    ADMIN = "admin"


Name = Annotated[str, typer.Argument(help="Small letters, digits and hyphens; shown on the board.")]


@app.command()
def create(name: Name, role: Annotated[Role, typer.Option(help="What they may do.")]) -> None:
    """Write somebody with a role, and print the key that signs them in once.

    Example: roft user create ada --role researcher
    """
    with migrated_database(Settings()).write() as db:
        key = new_user(db, name, role, now=datetime.now(UTC))
    _print(name, key)


@app.command()
def key(name: Name) -> None:
    """Print a new key for somebody who cannot get in any more.

    Example: roft user key ada
    """
    with migrated_database(Settings()).write() as db:
        fresh = key_for(db, name, now=datetime.now(UTC))
    _print(name, fresh)


@app.command()
def role(name: Name, role: Annotated[Role, typer.Option(help="What they may do from now on.")]) -> None:
    """Let somebody do more, or less.

    Example: roft user role ada --role instructor
    """
    with migrated_database(Settings()).write() as db:
        give_role(db, name, role)
    print(f"{name} is now: {role}")


@app.command(name="sign-out")
def end_sessions(name: Name) -> None:
    """End every session of somebody: in browsers and of scripts.

    Example: roft user sign-out ada
    """
    with migrated_database(Settings()).write() as db:
        sign_out(db, name)
    print(f"{name} is signed out everywhere.")


def _print(name: str, fresh: str) -> None:
    print(f"Key for {name}: {fresh}\nIt works once, on the page /sign-in, within a day.")
