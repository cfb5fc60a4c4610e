"""Documents as found into documents that passages can be built from, refusals counted."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import cast

from game.passage import LENGTH
from generators.corpora import recipes
from generators.corpora.document import Document
from generators.corpora.reading import Found, Origin, Raw, Reading, Skip
from generators.corpora.shelf import Shelf
from generators.errors import BadCorpusError
from generators.segment import Unit, unit_for
from generators.typography import flowing, plain

LONGEST = 2_000_000
"""Characters of a document; a longer one is no document but a pile of them."""
LONGEST_PART = 10_000
"""Characters of an ingredient or a step."""
LABEL = 300
"""Characters of a title, a licence and the like."""
TAGS = 3
"""HTML tags that make a document markup."""
TURNED = 0.1
"""Share of right-to-left letters that makes a document right-to-left."""
SOON = 1000
"""Documents after which a source without a single readable one is given up."""
DAMAGED = 0.01
"""Share of undecodable documents that gives away another encoding."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_UNDECODED = re.compile(r"[\udc80-\udcff]")
_RIGHT_TO_LEFT = re.compile(
    r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_HTML = re.compile(r"\s*<(?:!doctype html|html|\?xml)\b", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:a|b|body|br|div|em|font|h[1-6]|head|hr|i|img|li|meta|ol|p|script|span|strong|style|table|td|tr|ul)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_PILE = re.compile(r"[,;:\s]{40,}|(?<!\S)\S{1000,}")
"""White space and words without an end become the end of a paragraph before anything else
looks at them, in time that grows with the text and not with its square."""
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_SHORTEST = 2 * LENGTH - 1
"""Characters of ten units and the gaps between them."""


def gather(found: Found, origin: Origin, *, seed: int, most: int) -> Reading:
    """Draw documents from a source that is read once.

    Raises:
        BadCorpusError: the source as a whole cannot be used.
    """
    shelf, health = Shelf(seed=seed, most=most), _Health(origin)
    unit = unit_for(origin.genre)
    for one in found:
        text = one if isinstance(one, Skip) else text_of(one.fields, unit)
        reason = text if isinstance(text, Skip) else refusal(text, unit)
        health.note(reason, text)
        if reason:
            shelf.skipped[reason] += 1
        elif isinstance(one, Raw):
            name = _label(one.fields, "id") or one.name
            shelf.offer(f"{origin.corpus}/{name}", partial(_document, one, name, text, origin))
    reading = shelf.reading()
    health.settle(reading)
    return reading


def text_of(fields: Mapping[str, object], unit: Unit) -> str | Skip:
    """Return the text of a document; a recipe's may be composed of ingredients and steps."""
    if unit is Unit.LINE:
        ingredients, steps = _strings(fields.get("ingredients")), _strings(fields.get("steps"))
        if ingredients and steps:
            if max(map(len, (*ingredients, *steps))) > LONGEST_PART:
                return Skip.LONG
            title = _label(fields, "title") or ""
            return recipes.rendering({"title": title, "ingredients": ingredients, "steps": steps})
    text = fields.get("text")
    return text if isinstance(text, str) else Skip.NO_TEXT


def refusal(text: str, unit: Unit) -> Skip | None:
    """Name the first reason, found without cutting the text into units, why it cannot be used."""
    if "\0" in text or (not text.isascii() and _SURROGATE.search(text)):
        return Skip.NOT_TEXT
    if len(text) > LONGEST:
        return Skip.LONG
    if "<" in text and _is_markup(text):
        return Skip.MARKUP
    if not text.isascii() and _is_turned(text):
        return Skip.RIGHT_TO_LEFT
    return Skip.FEW if units_at_most(text, unit) < LENGTH else None


def units_at_most(text: str, unit: Unit) -> int:
    """Return a number that the units of a text never exceed, quickly.

    A unit ends with its line or, a sentence, with a stop; any character beyond ASCII may
    be written as one.
    """
    if len(text) < _SHORTEST and text.isascii():
        return 1
    lines = text.count("\n") + 1
    if unit is Unit.LINE:
        return lines
    beyond = 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))
    return lines + text.count(".") + text.count("?") + text.count("!") + beyond


def rendering(text: str, unit: Unit) -> str:
    """Write a text in plain typography, a paragraph a line.

    Where blank lines part the paragraphs, the line breaks within one are no more than the
    width of somebody's page.
    """
    text = plain(_PILE.sub("\n\n", text)).strip("\n")
    wrapped = unit is Unit.SENTENCE and _BLANK_LINE.search(text)
    paragraphs = map(flowing, _BLANK_LINE.split(text) if wrapped else text.split("\n"))
    return "\n".join(part for part in paragraphs if part)


class _Health:
    """Whether a source as a whole is what its name says."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._met = 0
        self._broken: Counter[Skip] = Counter()
        self._undecoded = 0
        self._beyond_ascii = False

    def note(self, reason: Skip | None, text: str | Skip) -> None:
        """Count a document; give up on a source that shows nothing readable."""
        self._met += 1
        if reason and reason in _REMEDIES:
            self._broken[reason] += 1
            self._undecoded += reason is Skip.NOT_TEXT and _UNDECODED.search(text) is not None
            if self._met == SOON == self._broken.total():
                self._check()
        elif not text.isascii():
            self._beyond_ascii = True

    def settle(self, reading: Reading) -> None:
        """Refuse a source of which nothing, or too little, can be used."""
        self._check()
        if reading.documents:
            return
        reasons = ", ".join(f"{many} \u00d7 {reason}" for reason, many in reading.skipped.items())
        raise BadCorpusError(
            f"The {self._origin.shown} holds no document that can be used ({reasons or 'it is empty'}); "
            "a document needs ten sentences, a recipe nine steps."
        )

    def _check(self) -> None:
        """Refuse what is broken in most documents, or in many while none shows UTF-8 beyond ASCII."""
        foreign = self._origin.whole and not self._beyond_ascii and self._undecoded > DAMAGED * self._met
        worst = Skip.NOT_TEXT if foreign else max(self._broken, key=self._broken.__getitem__, default=None)
        if worst and (foreign or self._broken[worst] > self._met / 2):
            raise BadCorpusError(f"The {self._origin.shown} {_REMEDIES[worst]}")


_REMEDIES: Mapping[Skip, str] = {
    Skip.NOT_TEXT: "is not UTF-8 text; save it as UTF-8, for example with iconv -f WINDOWS-1252 -t UTF-8.",
    Skip.NOT_JSON: 'is not JSON Lines; write one object such as {"text": "\u2026"} on each line.',
    Skip.NO_TEXT: 'has no "text" in most documents; give each a field "text" that holds a string.',
    Skip.NOT_CSV: "is not CSV in most rows; quote what holds commas or line breaks.",
    Skip.UNREADABLE: "cannot be read in most files; ask for the right to read them.",
}


def _is_markup(text: str) -> bool:
    if _HTML.match(text):
        return True
    return sum(1 for _ in islice(_TAG.finditer(text), TAGS)) == TAGS


def _is_turned(text: str) -> bool:
    return len(_RIGHT_TO_LEFT.findall(text)) > TURNED * len(text)


def _strings(value: object) -> Sequence[str]:
    """Return a list of texts; a cell of a table holds one as JSON or as lines."""
    listed = _listed(value) if isinstance(value, str) else value
    if not isinstance(listed, list):
        return []
    return [part for part in cast("list[object]", listed) if isinstance(part, str)]


def _listed(cell: str) -> object:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell.splitlines()


def _document(raw: Raw, name: str, text: str, origin: Origin) -> Document:
    unit = unit_for(origin.genre)
    url = _label(raw.fields, "url")
    return Document(
        id=f"{origin.corpus}/{name}",
        genre=origin.genre,
        text=rendering(text, unit),
        corpus=origin.corpus,
        version=origin.version,
        licence=_label(raw.fields, "licence", "license") or origin.licence,
        title=_label(raw.fields, "title"),
        attribution=_label(raw.fields, "attribution", "author"),
        url=url if url and url.startswith(("https://", "http://")) else None,
        date=_label(raw.fields, "date"),
        unit=unit,
        resolvable=False,
    )


def _label(fields: Mapping[str, object], *names: str) -> str | None:
    """Return the first of these fields that says something, on one line."""
    for name in names:
        value = fields.get(name)
        if value is None or isinstance(value, bytes | Mapping | list):
            continue
        said = " ".join(str(value)[: 2 * LABEL].encode(errors="ignore").decode().replace("\0", "").split())
        if said:
            return said[:LABEL]
    return None
