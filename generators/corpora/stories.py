"""Chapters of two novels in the public domain, out of the test data of two source archives."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generators.corpora.document import Corpus, Document
from generators.corpora.packages import archived_text
from generators.typography import flowing

RENDERING = "2"

_CHAPTER = re.compile(r"^[^\S\n]*CHAPTER [IVX]+\.?[^\S\n]*$", re.MULTILINE)
_ASIDE = re.compile(r"\[[^\]]*\]")
_EMPHASIS = re.compile(r"\b_|_\b")
_BROKEN_WORD = re.compile(r"(?<=[A-Za-z])-\n\s*(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Book:
    """A novel and how its file is laid out.

    Attributes:
        indented: paragraphs begin with two spaces and the chapter's name stands below
            its number; else every line may begin a paragraph.
    """

    slug: str
    title: str
    author: str
    year: str
    archive: str
    member: str
    end: str
    indented: bool


BOTCHAN = Book(
    slug="botchan",
    title="Botchan (Master Darling)",
    author="Natsume Soseki, translated by Yasotaro Morri",
    year="1919",
    archive="sentencepiece-0.2.3",
    member="test/botchan.txt",
    end="--(THE END)--",
    indented=False,
)
ALICE = Book(
    slug="alice",
    title="Alice's Adventures in Wonderland",
    author="Lewis Carroll",
    year="1865",
    archive="brotli-1.2.1",
    member="tests/testdata/alice29.txt",
    end="THE END",
    indented=True,
)


def documents() -> Iterable[Document]:
    """Read the chapters, book by book."""
    for book in (BOTCHAN, ALICE):
        text = archived_text(book.archive, book.member)
        for number, chapter in enumerate(chapters(text, book), start=1):
            yield _document(book, number, chapter)


def chapters(text: str, book: Book) -> Iterator[str]:
    """Cut a book's file into the plain text of its chapters, without what frames them."""
    text = text.replace("\r\n", "\n")
    body = text[: text.index(book.end)]
    for part in _CHAPTER.split(body)[1:]:
        yield rendering(part, book)


def rendering(chapter: str, book: Book) -> str:
    """Join hard-wrapped lines; a paragraph a line where the file shows paragraphs."""
    text = _EMPHASIS.sub("", _ASIDE.sub(" ", _BROKEN_WORD.sub("-", chapter)))
    if not book.indented:
        return flowing(text)
    paragraphs = re.split(r"\n\s*\n", text.strip("\n"))[1:]
    prose = (part for part in paragraphs if re.match(r" {2,3}\S", part))
    return "\n".join(flowing(part) for part in prose if flowing(part))


def _document(book: Book, number: int, text: str) -> Document:
    return Document(
        id=f"stories/{book.slug}-{number:02}",
        genre="stories",
        text=text,
        corpus="stories",
        version=f"{book.archive}, rendering {RENDERING}",
        licence="Public domain",
        title=f"{book.title}, chapter {number}",
        attribution=book.author,
        date=book.year,
    )


CORPUS = Corpus("stories", "stories", documents)
