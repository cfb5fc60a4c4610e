"""The `roft` command: its groups, and what its errors look like."""

import sys

import typer
from pydantic import ValidationError
from typer.main import get_command

from app.errors import MailError, ProvidersError, SiteError
from app.settings import Settings
from cli import boards, database, importing, passages, ratings, reports, site, users, worker
from cli.errors import Failure
from game.errors import GameError

app = typer.Typer(
    name="roft",
    help="Real or Fake Text: the site, its passages, its data.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
passages.app.command("import")(importing.import_files)
for command in (reports.reports, reports.annul, reports.clear):
    passages.app.command()(command)
app.add_typer(passages.app, name="passages", help="Build, audit, draw and import passage files.")
app.add_typer(database.app, name="db", help="Look after the database.")
app.add_typer(boards.app, name="boards", help="Look after the leaderboards.")
app.add_typer(ratings.app, name="ratings", help="Published ratings of players and generators.")
app.add_typer(users.app, name="user", help="People with a role.")
site.register(app)
worker.register(app)


def main() -> None:
    """Run a command; errors are one sentence on stderr, 2 for wrong use, 1 for failure."""
    try:
        code = get_command(app).main(standalone_mode=False)
    except typer.TyperException as error:
        _stop(error.format_message(), error.exit_code)
    except (Failure, GameError, MailError, ProvidersError, SiteError) as error:
        _stop(str(error), 1)
    except ValidationError as error:
        if error.title != Settings.__name__:
            raise
        first = error.errors(include_url=False)[0]
        _stop(f"The setting ROFT_{'_'.join(map(str, first['loc'])).upper()} is wrong: {first['msg']}.", 2)
    except (typer.Abort, KeyboardInterrupt):
        _stop("Stopped.", 130)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _stop(sentence: str, code: int) -> None:
    print(sentence, file=sys.stderr)
    sys.exit(code)
