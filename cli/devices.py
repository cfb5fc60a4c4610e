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
    """Hold a GPU of this machine, or the machine as a whole, until the process ends, however it ends."""
    name = "this machine as a whole" if gpu is None else f"GPU {gpu} of this machine"
    if gpu is not None:
        os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
    with _lock_file(
        Path(tempfile.gettempdir()) / f"roft-{'machine' if gpu is None else f'gpu-{gpu}'}.lock"
    ) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failure(f"Another worker is at work on {name}; stop it, or name a GPU by --gpu.") from error
        yield


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
