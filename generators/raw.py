"""What models wrote, call by call: the expensive part of a build, kept for the next attempt.

A call holds a whole batch. Its key is the hash of all that its result depends on: the state
of the model, the engine, the decoding, prompts and seeds in order, and the code that writes.
So an attempt that goes on where another one was killed makes the very same calls, and finds
what it needs under the same keys, in whatever log.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from generators.backends.base import Backend, Prompt
from generators.corpora.packages import package_version
from generators.decoding import Decoding

WRITING = ("backends/*.py", "checks.py", "decoding.py", "segment.py", "typography.py", "writers.py")
"""The code that decides what a model writes and where it stops."""
CUTTING = ("nupunkt", "spacy")
"""Packages that say where a sentence ends, and so where a row stops."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What a model wrote in one call.

    Attributes:
        tokens: of all texts together.
        seconds: that the call took.
    """

    texts: Sequence[str]
    tokens: int
    seconds: float


class Log(Protocol):
    """Keeps batches by their keys."""

    def find(self, key: str) -> Sequence[str] | None:
        """Return the texts of a batch; None if it is not there."""
        ...

    def keep(self, key: str, batch: Batch) -> None:
        """Keep a batch."""
        ...


class Calls:
    """Asks a back end, unless the log holds the answer.

    Attributes:
        made: calls that the log did not hold.
        tokens: written in the calls that were made.
        seconds: that they took.
    """

    def __init__(self, log: Log, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._log, self._clock = log, clock
        self.made, self.tokens, self.seconds = 0, 0, 0.0

    def continuations(
        self, backend: Backend, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        """Return what comes after each prompt, in order; a request that failed continues nothing.

        A batch with such a request is not kept: another attempt asks for it again.
        """
        key = batch_key(backend, prompts, decoding, seeds)
        known = self._log.find(key)
        if known is not None:
            return known
        begun = self._clock()
        before = backend.written
        answers = backend.continuations(prompts, decoding, seeds=seeds)
        batch = Batch([answer or "" for answer in answers], backend.written - before, self._clock() - begun)
        if None not in answers:
            self._log.keep(key, batch)
        self.made += 1
        self.tokens += batch.tokens
        self.seconds += batch.seconds
        return batch.texts


class FileLog:
    """A log on the disk, a batch a line; a line that a kill cut off is dropped whole."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        """Read the log to go on with it, or begin a new one."""
        self._path = path
        self._known: dict[str, Sequence[str]] = {}
        if resume and path.is_file():
            self._read()
        else:
            path.unlink(missing_ok=True)

    def find(self, key: str) -> Sequence[str] | None:
        """Return the texts of a batch."""
        return self._known.get(key)

    def keep(self, key: str, batch: Batch) -> None:
        """Append a batch."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, **asdict(batch)}, ensure_ascii=False) + "\n")
        self._known[key] = batch.texts

    def _read(self) -> None:
        whole = 0
        with self._path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                said = json.loads(line)
                if "texts" in said:  # logs of older releases hold rows, whose calls are not known
                    self._known[said["key"]] = said["texts"]
                whole += len(line)
        with self._path.open("ab") as file:
            file.truncate(whole)


def batch_key(backend: Backend, prompts: Sequence[Prompt], decoding: Decoding, seeds: Sequence[int]) -> str:
    """Return the sha-256 (hexadecimal) of all that a batch depends on."""
    who = [backend.name, backend.model, backend.revision, backend.engine, backend.template]
    asked = [
        [prompt.text, prompt.unit, prompt.needed, seed] for prompt, seed in zip(prompts, seeds, strict=True)
    ]
    content = json.dumps([*who, decoding.record(), asked, writing_sha256()])
    return hashlib.sha256(content.encode()).hexdigest()


@cache
def writing_sha256() -> str:
    """Return the sha-256 (hexadecimal) of the code that decides what a model writes."""
    folder = Path(__file__).parent
    digest = hashlib.sha256("\n".join(map(package_version, CUTTING)).encode())
    for path in sorted(path for pattern in WRITING for path in folder.glob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()
