"""`roft boards`: leaderboards."""

from datetime import UTC, datetime

import typer

from app.services.standings import recount, tidy_boards
from app.settings import Settings
from app.store.standings import all_with_standings
from cli.opening import migrated_database
from cli.progress import progress

app = typer.Typer(no_args_is_help=True)


@app.command(name="recount")
def recount_all() -> None:
    """Write every line of every board anew from the rounds; playing may go on meanwhile.

    Example: roft boards recount
    """
    database = migrated_database(Settings())
    with database.read() as db:
        players = all_with_standings(db)
    with progress(len(players), "players") as show:
        for done, player_id in enumerate(players, start=1):
            with database.write() as db:
                recount(db, player_id)
            show(done, "players")
    print(f"Recounted the boards of {len(players)} players.")


@app.command()
def tidy() -> None:
    """Take players who have not played for long off the boards over all time; run it every night.

    Boards leave them out anyway; this keeps reading fast where there are many.

    Example: roft boards tidy
    """
    with migrated_database(Settings()).write() as db:
        lines = tidy_boards(db, now=datetime.now(UTC))
    print(f"{lines} lines taken off.")
