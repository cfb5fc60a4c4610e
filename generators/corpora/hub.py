"""Data sets of the Hugging Face hub, streamed; the package `datasets` is an option."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module

from generators.corpora.reading import Found, Raw
from generators.errors import BadCorpusError, CorpusMissingError, HubError

PREFIX = "hf:"
SPLIT = "train"
LICENCE = "not stated here; see the data set's card"
PACKAGE = "datasets"

Load = Callable[[str, str], Iterable[Mapping[str, object]]]
"""Open a split of a data set by name, lazily."""

_SOURCE = re.compile(rf"{PREFIX}(\w[\w.-]*/\w[\w.-]*)(?::([\w.-]+))?")


def named(source: str) -> tuple[str, str]:
    """Return the data set and the split that `hf:owner/name[:split]` names.

    Raises:
        BadCorpusError: it is written otherwise.
    """
    match = _SOURCE.fullmatch(source)
    if match is None:
        raise BadCorpusError(
            f"The corpus {source} is no data set; write hf:owner/name or hf:owner/name:split."
        )
    return match[1], match[2] or SPLIT


def found(source: str, load: Load) -> Found:
    """Read the rows of a data set, lazily.

    Raises:
        BadCorpusError: the name is no name.
        HubError: the hub cannot be reached or does not have it.
    """
    name, split = named(source)
    number = 0
    try:
        for number, row in enumerate(load(name, split), start=1):
            yield Raw(str(number), row)
    except (OSError, ValueError, RuntimeError) as error:
        raise HubError(
            f"The data set {name} (split {split}) cannot be read from the Hugging Face hub, "
            f"after {number} rows: {_brief(error)}; check name and network, or name a downloaded file."
        ) from error


def loader(package: str = PACKAGE) -> Load:
    """Return what opens data sets.

    Raises:
        CorpusMissingError: the package is not installed.
    """
    try:
        datasets = import_module(package)
    except ImportError as error:
        raise CorpusMissingError(
            f"Reading a Hugging Face data set needs the package {package}; "
            f"`.venv/bin/pip install {package}` installs it."
        ) from error

    def load(name: str, split: str) -> Iterator[Mapping[str, object]]:
        yield from datasets.load_dataset(name, split=split, streaming=True)

    return load


def _brief(error: Exception) -> str:
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0].rstrip(".")[:200]
