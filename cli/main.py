"""The `roft` command: its groups, and what its errors look like."""

import sys

import click
import typer
from typer.main import get_command

from cli import database, passages, site
from cli.errors import Failure

app = typer.Typer(
    name="roft",
    help="Real or Fake Text: the site, its passages, its data.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(passages.app, name="passages", help="Build, audit, draw and import passage files.")
app.add_typer(database.app, name="db", help="Look after the database.")
site.register(app)


def main() -> None:
    """Run a command; errors are one sentence on stderr, 2 for wrong use, 1 for failure."""
    try:
        code = get_command(app).main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        _stop(error.format_message(), 2)
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "roft"
        _stop(f"{error.format_message().rstrip('.')}. See “{where} --help”.", 2)
    except click.ClickException as error:
        _stop(error.format_message(), 1)
    except Failure as error:
        _stop(str(error), 1)
    except (click.Abort, KeyboardInterrupt):
        _stop("Stopped.", 130)
    else:
        sys.exit(code if isinstance(code, int) else 0)


def _stop(sentence: str, code: int) -> None:
    print(sentence, file=sys.stderr)
    sys.exit(code)
