"""A corpus given as a file: text (a document a line), a folder of text files, or JSON Lines."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from generators.corpora.document import Document
from generators.errors import BadCorpusError
from generators.segment import Unit
from generators.typography import flowing, plain

LineReader = Callable[[str, str], str]

LICENCE = "not stated; texts are kept in the passage file"


def read(path: Path, genre: str) -> list[Document]:
    """Read the documents of a file or folder.

    Raises:
        BadCorpusError: it cannot be read; the text names the file and the line.
    """
    texts = list(_texts(path))
    if not texts:
        raise BadCorpusError(f"The corpus {path} holds no document.")
    return [_document(path, name, text, genre) for name, text in texts]


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        for part in sorted(path.glob("*.txt")):
            yield part.stem, _content(part)
    elif path.suffix in {".jsonl", ".txt"}:
        read_line = _json_text if path.suffix == ".jsonl" else _plain_text
        yield from _numbered(_content(path).split("\n"), path, read_line)
    else:
        raise BadCorpusError(f"The corpus {path} is neither a folder nor a .txt or .jsonl file.")


def _numbered(lines: Iterable[str], path: Path, read_line: LineReader) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield str(number), read_line(line, f"line {number} of {path}")


def _plain_text(line: str, _: str) -> str:
    return line


def _json_text(line: str, where: str) -> str:
    try:
        text = json.loads(line)["text"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadCorpusError(f'There is no JSON object with a "text" in {where}.') from error
    if not isinstance(text, str):
        raise BadCorpusError(f'The "text" in {where} is not text.')
    return text


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCorpusError(f"The corpus {path} cannot be read as UTF-8 text.") from error


def _document(path: Path, name: str, text: str, genre: str) -> Document:
    unit = Unit.LINE if genre == "recipes" else Unit.SENTENCE
    paragraphs = [flowing(part) for part in plain(text).split("\n")]
    return Document(
        id=f"{path.stem}/{name}",
        genre=genre,
        text="\n".join(part for part in paragraphs if part),
        corpus=path.stem,
        version="file",
        licence=LICENCE,
        unit=unit,
        resolvable=False,
    )
