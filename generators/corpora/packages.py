"""Files that installed packages bring along, read without importing the packages."""

import re
import sys
import tarfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from generators.errors import CorpusMissingError

ARCHIVES = Path(sys.prefix) / "share" / "roft" / "corpora"
"""Where `make install` puts source archives that are read but never installed."""


def package_folder(module: str) -> Path:
    """Return the folder of an installed package."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise CorpusMissingError(f"The package {module} is not installed; `make install` installs it.")
    return Path(spec.submodule_search_locations[0])


def package_version(distribution: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(distribution)
    except PackageNotFoundError as error:
        raise CorpusMissingError(
            f"The package {distribution} is not installed; `make install` installs it."
        ) from error


def archived_text(archive: str, member: str) -> str:
    """Return a text file out of a source archive."""
    path = ARCHIVES / f"{archive}.tar.gz"
    if not path.is_file():
        raise CorpusMissingError(f"The archive {path} is not there; `make install` fetches it.")
    with tarfile.open(path) as opened:
        extracted = opened.extractfile(f"{archive}/{member}")
        if extracted is None:
            raise CorpusMissingError(f"The archive {path} holds no {member}.")
        return extracted.read().decode("utf-8-sig")


def archived_files(
    archive: str, named: re.Pattern[str], *, folder: Path = ARCHIVES
) -> Iterator[tuple[str, str]]:
    """Yield the texts of a packed archive whose names match, in order, with the pattern's first group."""
    path = folder / archive
    if not path.is_file():
        raise CorpusMissingError(f"The archive {path} is not there; `make install-all` fetches it.")
    try:
        with tarfile.open(path) as opened:
            found = {match[1]: member for member in opened if (match := named.fullmatch(member.name))}
            for name, member in sorted(found.items()):
                if extracted := opened.extractfile(member):
                    yield name, extracted.read().decode()
    except tarfile.TarError as error:
        raise CorpusMissingError(
            f"The archive {path} is broken; delete it, and `make install-all` fetches it again."
        ) from error
