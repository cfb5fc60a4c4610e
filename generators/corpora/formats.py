"""Texts of a user as found: a folder, lines, JSON Lines or CSV, read a piece at a time."""

import codecs
import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from generators.corpora import parquet
from generators.corpora.reading import Found, Raw, Skip
from generators.errors import BadCorpusError

LONGEST_LINE = 16_000_000
"""Bytes of a line, a cell or a file; the rest of a longer line is passed over unread.

The longest document, each character written as a JSON escape of six, fits.
"""
DELIMITERS = (",", ";", "\t")
SHOWN = 8
"""Columns that a sentence lists."""

_HEAD = 8192
_PIECE = 1 << 20
_BINARY = 0.01
"""Share of zero bytes at the beginning that makes a file binary."""


def found(path: Path) -> Found:
    """Read what a file or folder holds, lazily.

    Raises:
        BadCorpusError: it is not there, cannot be opened or is no such file.
    """
    try:
        yield from _content(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadCorpusError(f"The corpus {path} cannot be read: {reason}.") from error


def _content(path: Path) -> Found:
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise BadCorpusError(f"The corpus {path} cannot be read: there is no such file or folder.")
    read = FORMATS.get(path.suffix.lower())
    if read is None:
        known = ", ".join(FORMATS)
        raise BadCorpusError(f"The corpus {path} is neither a folder nor a file that ends in {known}.")
    if path.stat().st_size == 0:
        raise BadCorpusError(f"The corpus {path} is empty; put texts into it or name another file.")
    return read(path)


def _folder(path: Path) -> Iterator[Raw | Skip]:
    parts = sorted(part for part in path.iterdir() if part.suffix.lower() == ".txt" and part.is_file())
    if not parts:
        raise BadCorpusError(
            f"The folder {path} holds no .txt file; put a document into each, not into folders below."
        )
    for part in parts:
        yield _whole(part)


def _whole(path: Path) -> Raw | Skip:
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_LINE + 1)
    except OSError:
        return Skip.UNREADABLE
    return Skip.LONG if len(content) > LONGEST_LINE else Raw(path.stem, {"text": _decoded(content)})


def _text(path: Path) -> Iterator[Raw | Skip]:
    for number, line in enumerate(_lines(path), start=1):
        if line is None:
            yield Skip.LONG
        elif not line.isspace():
            yield Raw(str(number), {"text": line})


def _json(path: Path) -> Iterator[Raw | Skip]:
    for number, line in enumerate(_lines(path), start=1):
        if line is None:
            yield Skip.LONG
        elif not line.isspace():
            yield _json_object(str(number), line)


def _json_object(name: str, line: str) -> Raw | Skip:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return Skip.NOT_JSON
    return Raw(name, value) if isinstance(value, dict) else Skip.NOT_JSON


def _csv(path: Path) -> Iterator[Raw | Skip]:
    """Read rows; the reader's limit for a cell, which holds for the whole process, is raised."""
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_LINE))
    too_long: list[Skip] = []
    lines = _short_lines(path, too_long)
    columns, delimiter = _header(path, next(lines, ""))
    rows = csv.reader(lines, delimiter=delimiter)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            yield Skip.LONG if "limit" in str(error) else Skip.NOT_CSV
            continue
        while too_long:
            yield too_long.pop()
        if row:
            yield Raw(str(rows.line_num + 1), dict(zip(columns, row, strict=False)))
        elif row is None:
            return


def _short_lines(path: Path, too_long: list[Skip]) -> Iterator[str]:
    """Read the lines; each that is too long is noted and left out."""
    for line in _lines(path):
        if line is None:
            too_long.append(Skip.LONG)
        else:
            yield line


def _header(path: Path, line: str) -> tuple[Sequence[str], str]:
    """Return the names of the columns and what stands between them."""
    found: Mapping[str, list[str]] = {
        delimiter: [name.strip().lower() for row in csv.reader([line], delimiter=delimiter) for name in row]
        for delimiter in DELIMITERS
    }
    for delimiter, columns in found.items():
        if "text" in columns or {"ingredients", "steps"} <= set(columns):
            return columns, delimiter
    widest = max(DELIMITERS, key=lambda delimiter: len(found[delimiter]))
    raise no_text_column(path, found[widest])


def no_text_column(path: Path, columns: Iterable[str]) -> BadCorpusError:
    """Say that a table has no texts, and what it has."""
    names = list(columns)
    listed = ", ".join(name[:40] for name in names[:SHOWN]) + (", \u2026" if len(names) > SHOWN else "")
    return BadCorpusError(f'The corpus {path} has no column "text"; its columns are {listed or "none"}.')


def _parquet(path: Path) -> Found:
    columns = parquet.columns(path)
    if "text" not in columns and not {"ingredients", "steps"} <= columns.keys():
        raise no_text_column(path, columns)
    return parquet.rows(path, columns, longest=LONGEST_LINE)


def _lines(path: Path) -> Iterator[str | None]:
    """Read the lines of a text file with their ends; None stands for one that is too long."""
    with path.open("rb") as file:
        _refuse_binary(path, file.peek(_HEAD)[:_HEAD])
        if file.peek(3)[:3] == codecs.BOM_UTF8:
            file.read(3)
        while line := file.readline(LONGEST_LINE):
            if len(line) < LONGEST_LINE or line.endswith(b"\n"):
                yield _decoded(line)
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(_PIECE)
            yield None


def _refuse_binary(path: Path, head: bytes) -> None:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadCorpusError(
            f"The corpus {path} is not UTF-8 text; save it as UTF-8, "
            "for example with iconv -f UTF-16 -t UTF-8."
        )
    if head.count(0) > _BINARY * len(head):
        raise BadCorpusError(f"The corpus {path} is a binary file, not text; name a file of texts.")


def _decoded(content: bytes) -> str:
    """Decode UTF-8; what is none becomes surrogates, which no text holds."""
    return content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")


FORMATS: Mapping[str, Callable[[Path], Found]] = {
    ".txt": _text,
    ".jsonl": _json,
    ".csv": _csv,
    ".parquet": _parquet,
}
