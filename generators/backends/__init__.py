"""Back ends that continue texts, by name."""

import os
from collections.abc import Sequence
from pathlib import Path

from generators.backends.base import Backend
from generators.backends.fake import FakeBackend
from generators.backends.openai_compatible import KEY_VARIABLE, Endpoint, OpenAIBackend
from generators.backends.weights import SMOLLM2
from generators.errors import GenerationError

NAMES: Sequence[str] = ("transformers", "openai", "fake")


def backend_named(
    name: str, *, model: str | None, cache: Path, endpoint: Endpoint | None = None, chat: bool = False
) -> Backend:
    """Return a back end, its model loaded or its server greeted.

    The endpoint is for openai only; its key is in ROFT_GENERATION_KEY. `chat` instructs a
    model on this machine; an endpoint says so itself.

    Raises:
        GenerationError: there is no such back end, or it misses something.
    """
    if name == "transformers":
        from generators.backends.transformers import TransformersBackend

        return TransformersBackend(model or SMOLLM2, cache=cache, chat=chat)
    if name == "openai":
        if endpoint is None:
            raise GenerationError("The generator openai needs a model and the address of an endpoint.")
        return OpenAIBackend(endpoint, key=os.environ.get(KEY_VARIABLE))
    if name == "fake":
        return FakeBackend()
    raise GenerationError(f"There is no generator {name}; there are {', '.join(NAMES)}, splice, human.")
