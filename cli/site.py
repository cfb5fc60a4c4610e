"""`roft demo` and `roft serve`: the site itself."""

import socket
from datetime import UTC, datetime
from typing import Annotated

import typer
import uvicorn

from app.mail import FolderPostbox
from app.main import create_app
from app.providers.provider import providers_of
from app.services.importing import import_passages
from app.settings import ROOT, Settings, secret_in
from app.store.database import Database
from app.store.migrating import upgrade
from app.store.passages import is_retired
from cli.errors import Failure
from cli.opening import migrated_database, open_database
from cli.planning import plan_reader
from game.days import DAILY
from generators.corpora import resolve

DECKS = {"starter": ROOT / "decks" / "starter.jsonl", DAILY: ROOT / "decks" / "daily" / "daily.jsonl"}
"""The decks that come along, by the name they are served under."""

SHORTEST_SECRET = 32

Port = Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")]
Host = Annotated[str, typer.Option(help="Address to listen on.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the top level."""
    app.command()(demo)
    app.command()(serve)


def demo(port: Port = 8000) -> None:
    """Play at once: a database, the decks that come along, and a server on this machine.

    Example: roft demo --port 8000
    """
    settings = Settings(durability="normal")
    settings = settings.model_copy(update={"secret": secret_in(settings.home)})
    check_secret(settings)
    database = open_database(settings)
    upgrade(database)
    load_decks(database)
    check_address("127.0.0.1", port)
    print(f"RoFT is ready: http://127.0.0.1:{port}  (stop it with Ctrl-C)", flush=True)
    settings = settings.model_copy(update={"address": f"http://127.0.0.1:{port}"})
    postbox = FolderPostbox(settings.home / "mail")
    site = create_app(settings, database, read_plan=plan_reader(settings), postbox=postbox)
    uvicorn.run(site, host="127.0.0.1", port=port, log_level="warning")


def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Processes that answer.")] = 1,
) -> None:
    """Run the production server.

    Example: ROFT_SECRET=… ROFT_DATABASE_URL=postgresql://localhost/roft roft serve --workers 4
    """
    settings = Settings()
    check_secret(settings)
    providers_of(settings)
    migrated_database(settings).close()
    check_address(host, port)
    uvicorn.run(
        "cli.site:served_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_level="info",
        access_log=False,
    )


def served_app() -> object:
    """Return the site as every worker process makes it."""
    settings = Settings()
    return create_app(settings, read_plan=plan_reader(settings))


def check_secret(settings: Settings) -> None:
    """Refuse a secret that others may know."""
    secret = settings.secret.get_secret_value()
    if len(secret) < SHORTEST_SECRET:
        raise Failure(
            f"Set ROFT_SECRET to at least {SHORTEST_SECRET} random characters; it signs every player's"
            " token. Make one with: python3 -c 'import secrets; print(secrets.token_urlsafe(32))'"
        )


def check_address(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before anything is promised."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise Failure(
            f"Port {port} of {host} cannot be listened on ({error.strerror or error});"
            " choose another with --port."
        ) from error


def load_decks(database: Database) -> None:
    """Import the decks that come along; a second time changes nothing."""
    for name, path in DECKS.items():
        with path.open(encoding="utf-8") as lines, database.write() as db:
            if is_retired(db, name):  # a later version is served
                continue
            count = import_passages(db, lines, resolve=resolve, deck=name, now=datetime.now(UTC))
        if count.skipped:
            reason, times = count.skipped.most_common(1)[0]
            raise Failure(f"{times} passages of the deck {name} could not be read: {reason}")
