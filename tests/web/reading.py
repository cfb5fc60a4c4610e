"""A language that puts every sentence into brackets, and what of a page stands outside of them."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from app.settings import ROOT

CODE = "de"
"""The brackets call themselves German, so that dates have a form."""

_NO_WORDS = re.compile(r"(<[^>]*>|%\(\w+\)s|%%|\{clock\})")
_BRACKETED = re.compile(r"⟦[^⟧]*⟧")
_NO_SENTENCES = re.compile(r"(\d+\. )?(Januar|Dezember) \d{4}|https?://\S+|\{clock\}|\bRoFT\b")
"""Dates, which Babel writes; addresses; what a script fills in; our name."""

_LETTERS = re.compile(r"[^\W\d_]")
_ATTRIBUTES = {
    "aria-label",
    "alt",
    "title",
    "placeholder",
    "data-on",
    "data-off",
    "data-copied",
    "data-local",
}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_UNREAD = {"script", "style"}


def write_brackets(folder: Path) -> None:
    """Write a catalogue of brackets; what is put into a sentence stays outside of them."""
    with (ROOT / "locale" / "roft.pot").open("rb") as file:
        template = read_po(file)
    brackets = Catalog(locale=CODE)
    for message in template:
        if isinstance(message.id, tuple):
            brackets.add(message.id, tuple(map(_bracketed, message.id)))
        elif isinstance(message.id, str) and message.id:
            brackets.add(message.id, _bracketed(message.id))
    path = folder / CODE / "LC_MESSAGES" / "roft.po"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        write_po(file, brackets)


def untranslated(html: str) -> list[str]:
    """Return what a page says that is neither in brackets nor in an element with a language of its own."""
    page = _Page()
    page.feed(html)
    page.close()
    return [*_left(page.texts), *_left(_without(page.labels, page.quoted))]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.labels: list[str] = []
        self.quoted: set[str] = set()
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_quoted = self._is_quoted or (tag != "html" and "lang" in dict(attrs))
        if not is_quoted:
            self.labels += [value for name, value in attrs if name in _ATTRIBUTES and value]
        if tag not in _VOID:
            self._open.append((tag, is_quoted))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tag = self._open[-1][0] if self._open else ""
        if self._is_quoted:
            self.quoted.add(data.strip())
        elif tag == "title":
            self.labels.append(data)
        elif tag not in _UNREAD:
            self.texts.append(data)

    @property
    def _is_quoted(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def _bracketed(sentence: str) -> str:
    return "".join(
        part if _NO_WORDS.fullmatch(part) or not _LETTERS.search(part) else f"⟦{part}⟧"
        for part in _NO_WORDS.split(sentence)
    )


def _without(labels: Iterable[str], quoted: Iterable[str]) -> list[str]:
    """Return labels without names, which cannot have a language of their own there."""
    names = [name for name in quoted if name]
    return [re.sub("|".join(map(re.escape, names)), "", label) if names else label for label in labels]


def _left(texts: Iterable[str]) -> list[str]:
    found = (_NO_SENTENCES.sub("", _BRACKETED.sub("", text)) for text in texts)
    return [text.strip() for text in found if _LETTERS.search(text)]
