"""The `roft` command as it is typed.

Each is a process of its own that can be killed. It is forked from one that has loaded what generation
needs, since loading that anew takes five seconds.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.settings import Settings
from cli.main import main

PATIENCE_S = 120
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(
    ["cli.main", "generators.judges", "spacy", "profanity_check", "scipy.optimize"]
)


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


class Running:
    """A command on its way."""

    def __init__(self, words: list[str], variables: Mapping[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._out, self._err = (Path(self._folder.name, name) for name in ("out", "err"))
        self._process = _FORKED.Process(target=_typed, args=(words, variables, self._out, self._err))
        self._process.start()
        self._ran: Ran | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return not self._process.is_alive()

    def interrupt(self, signal_number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self._process.pid is not None and not self.is_over:
            os.kill(self._process.pid, signal_number)

    def wait(self) -> Ran:
        """Wait for its end; return what it left behind."""
        self._process.join(PATIENCE_S)
        assert self._process.exitcode is not None, "It did not end."
        if self._ran is None:
            self._ran = Ran(self._process.exitcode, self._out.read_text(), self._err.read_text())
            self._folder.cleanup()
        return self._ran


def begin(*words: str | Path, variables: Mapping[str, str] | None = None) -> Running:
    """Start a command, in a shell where these variables are set besides the ones of this process."""
    return Running([str(word) for word in words], {**os.environ, **(variables or {})})


def variables_of(settings: Settings) -> dict[str, str]:
    """Return the variables by which a shell tells a command where the site is."""
    return {"ROFT_HOME": str(settings.home), "ROFT_DATABASE_URL": settings.database_url}


def _typed(words: list[str], variables: Mapping[str, str], out: Path, err: Path) -> None:
    for stream, path in ((sys.stdout, out), (sys.stderr, err)):
        with path.open("w") as file:
            os.dup2(file.fileno(), stream.fileno())
    os.environ.clear()
    os.environ.update(variables)
    tempfile.tempdir = None  # it is looked up anew, under these variables
    sys.argv = ["roft", *words]
    main()
