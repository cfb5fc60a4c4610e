"""Back ends that continue texts, by name."""

from collections.abc import Sequence
from pathlib import Path

from generators.backends.base import Backend
from generators.backends.fake import FakeBackend
from generators.backends.weights import SMOLLM2
from generators.errors import GenerationError

NAMES: Sequence[str] = ("transformers", "fake")


def backend_named(name: str, *, model: str | None, cache: Path) -> Backend:
    """Return a back end, its model loaded."""
    if name == "transformers":
        from generators.backends.transformers import TransformersBackend

        return TransformersBackend(model or SMOLLM2, cache=cache)
    if name == "fake":
        return FakeBackend()
    raise GenerationError(f"There is no generator {name}; there are {', '.join(NAMES)}, splice, human.")
