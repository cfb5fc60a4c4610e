"""The log of raw continuations: the expensive part of a build, kept for the next one.

A line holds all rows of one call to the back end. A line that was cut off by a kill is
dropped whole, so that a resumed build makes the same calls as an undisturbed one.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from generators.backends.base import PLAIN_TEMPLATE, Backend, Prompt
from generators.decoding import Decoding


class RawLog:
    """Continuations by the hash of what they depend on."""

    def __init__(self, path: Path, *, resume: bool) -> None:
        """Read the log to go on with it, or begin a new one."""
        self._path = path
        self._known: dict[str, str] = {}
        if resume and path.is_file():
            self._read()
        else:
            path.unlink(missing_ok=True)

    def continuations(
        self,
        backend: Backend,
        prompts: Sequence[Prompt],
        decoding: Decoding,
        *,
        seeds: Sequence[int],
    ) -> Sequence[str]:
        """Return continuations from the log; ask the back end for those that are missing."""
        asked = list(zip(prompts, seeds, strict=True))
        keys = [_key(backend, prompt, decoding, seed) for prompt, seed in asked]
        missing = [index for index, key in enumerate(keys) if key not in self._known]
        if missing:
            texts = backend.continuations(
                [prompts[index] for index in missing],
                decoding,
                seeds=[seeds[index] for index in missing],
            )
            self._append([keys[index] for index in missing], texts)
        return [self._known[key] for key in keys]

    def _read(self) -> None:
        whole = 0
        with self._path.open("rb") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._known.update(json.loads(line))
                whole += len(line)
        with self._path.open("ab") as file:
            file.truncate(whole)

    def _append(self, keys: Sequence[str], texts: Sequence[str]) -> None:
        rows = dict(zip(keys, texts, strict=True))
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(rows, ensure_ascii=False) + "\n")
        self._known.update(rows)


def _key(backend: Backend, prompt: Prompt, decoding: Decoding, seed: int) -> str:
    parts = [backend.name, backend.model, backend.revision, prompt.text, prompt.unit]
    if backend.template != PLAIN_TEMPLATE:  # logs from before there were others stay valid
        parts.append(backend.template)
    content = json.dumps([*parts, prompt.needed, decoding.record(), seed])
    return hashlib.sha256(content.encode()).hexdigest()
