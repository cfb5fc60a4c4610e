"""A corpus of the user's own: a folder of texts, or a .txt, .jsonl, .csv or .parquet file."""

from pathlib import Path

from generators.corpora import formats
from generators.corpora.gather import gather
from generators.corpora.reading import Origin, Reading

LICENCE = "not stated; texts are kept in the passage file"


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
