"""One worker at a time on a GPU, or on a machine as a whole."""

import fcntl
import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from cli.errors import Failure


@contextmanager
def alone_on(gpu: int | None) -> Generator[None]:
    """Hold a GPU of this machine, or the machine as a whole, until the process ends, however it ends.

    The locks lie in the folder for temporary files, which all workers of a machine share.
    """
    folder = Path(tempfile.gettempdir())
    with _lock_file(folder / "roft-machine.lock") as machine:
        if gpu is None:
            _lock(machine, fcntl.LOCK_EX, "this machine")
            yield
            return
        os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
        _lock(machine, fcntl.LOCK_SH, "this machine as a whole")
        with _lock_file(folder / f"roft-gpu-{gpu}.lock") as one:
            _lock(one, fcntl.LOCK_EX, f"GPU {gpu} of this machine")
            yield


def _lock(file: int, kind: int, what: str) -> None:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Failure(
            f"Another worker is at work on {what}; stop it, or give each a GPU by --gpu."
        ) from error


@contextmanager
def _lock_file(path: Path) -> Generator[int]:
    """Open a file that every user of the machine may lock."""
    before = os.umask(0)
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise Failure(f"The lock {path} cannot be opened ({error.strerror}).") from error
    finally:
        os.umask(before)
    try:
        yield opened
    finally:
        os.close(opened)
