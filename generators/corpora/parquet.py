"""Parquet tables, read a batch of rows at a time."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from generators.corpora.reading import Raw, Skip
from generators.errors import BackendMissingError, BadCorpusError

BATCH = 64
"""Rows decoded at a time."""
BUFFER = 1 << 20
"""Bytes of a column read ahead; without it a whole group of rows would be."""

_FIELDS = (
    *("text", "id", "title", "date", "url", "licence", "license", "author", "attribution"),
    *("ingredients", "steps"),
)


def columns(path: Path) -> Mapping[str, str]:
    """Return the names of the columns and what they hold, in Arrow's words.

    Raises:
        BadCorpusError: the file is broken.
        BackendMissingError: pyarrow is not installed.
    """
    with _opened(path) as file:
        schema = file.schema_arrow
    return {name: str(schema.field(name).type) for name in dict.fromkeys(schema.names)}


def rows(path: Path, found: Mapping[str, str], *, longest: int) -> Iterator[Raw | Skip]:
    """Read the rows; a text of more than `longest` bytes is never made a string.

    Raises:
        BadCorpusError: the texts are none, or the file is broken further on.
    """
    kind = found.get("text", "string")
    if not any(word in kind for word in ("string", "utf8")) or "list" in kind:
        raise BadCorpusError(f'The column "text" of the corpus {path} holds {kind}, not text.')
    wanted = [name for name in _FIELDS if name in found]
    number = 0
    with _opened(path) as file:
        try:
            for batch in file.iter_batches(batch_size=BATCH, columns=wanted, use_threads=False):
                for at in range(batch.num_rows):
                    number += 1
                    yield _row(batch, at, str(number), longest)
        except _errors() as error:
            raise BadCorpusError(
                f"The corpus {path} is a broken Parquet file: it ends after row {number}; write it anew."
            ) from error


def _row(batch: Any, at: int, name: str, longest: int) -> Raw | Skip:
    fields: dict[str, object] = {}
    for column in batch.schema.names:
        cell = batch.column(column)[at]
        if column == "text" and cell.is_valid and _size(cell) > longest:
            return Skip.LONG
        try:
            fields[column] = cell.as_py()
        except UnicodeDecodeError:
            return Skip.NOT_TEXT
    return Raw(name, fields)


def _size(cell: Any) -> int:
    """Return the bytes of a text; one out of a dictionary is small enough to be there twice."""
    buffer = cell.as_buffer() if hasattr(cell, "as_buffer") else None
    return 0 if buffer is None else int(buffer.size)


def _opened(path: Path) -> Any:
    parquet = _pyarrow()
    try:
        return parquet.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
    except _errors() as error:
        raise BadCorpusError(
            f"The corpus {path} is no Parquet file, or a broken one; write it anew."
        ) from error


def _errors() -> tuple[type[Exception], ...]:
    return (import_module("pyarrow").ArrowException, OSError)


def _pyarrow() -> Any:
    try:
        return import_module("pyarrow.parquet")
    except ImportError as error:
        raise BackendMissingError(
            "Reading Parquet needs the package pyarrow; `make install-all` installs it."
        ) from error
