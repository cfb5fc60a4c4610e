"""A corpus of the user's own: a folder of texts, or a .txt, .jsonl, .csv or .parquet file."""

from collections.abc import Sequence
from pathlib import Path

from generators.corpora import formats
from generators.corpora.document import Document
from generators.corpora.gather import gather
from generators.corpora.reading import Origin, Reading

LICENCE = "not stated; texts are kept in the passage file"
MANY = 100_000


def reading(path: Path, genre: str, *, seed: int, most: int) -> Reading:
    """Draw documents from a file or folder, read once and in bounded memory.

    Raises:
        BadCorpusError: it cannot be read, or holds nothing to be used.
        BackendMissingError: a package that reads such files is not installed.
    """
    origin = Origin(
        shown=f"corpus {path}",
        corpus=path.absolute().stem,
        genre=genre,
        version="file",
        licence=LICENCE,
        whole=path.suffix.lower() in formats.FORMATS,
    )
    return gather(formats.found(path), origin, seed=seed, most=most)


def read(path: Path, genre: str) -> Sequence[Document]:
    """Read the documents of a file or folder that can be used."""
    return reading(path, genre, seed=0, most=MANY).documents
