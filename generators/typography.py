"""One plain way to write every text, human or machine: typography must not tell who wrote it."""

import re
import unicodedata
from collections.abc import Mapping

VERSION = "2"

_REPLACED: Mapping[str, str] = {
    "\u2018": "'",
    "\u2019": "'",
    "\u201a": "'",
    "\u2032": "'",
    "\u00b4": "'",
    "\u201c": '"',
    "\u201d": '"',
    "\u201e": '"',
    "\u2033": '"',
    "\u00ab": '"',
    "\u00bb": '"',
    "\u2010": "-",
    "\u2011": "-",
    "\u2012": "-",
    "\u2013": "-",
    "\u2014": "--",
    "\u2015": "--",
    "\u2212": "-",
    "\u2026": "...",
    "\u2044": "/",
    "\u00d7": "x",
    "\u00ad": "",
    "\u200b": "",
    "\ufeff": "",
    "\u0153": "oe",
    "\u00e6": "ae",
    "\u00c6": "Ae",
    "\u00f8": "o",
    "\u0142": "l",
}
_FRACTIONS: Mapping[str, str] = {
    "\u00bc": "1/4",
    "\u00bd": "1/2",
    "\u00be": "3/4",
    "\u2153": "1/3",
    "\u2154": "2/3",
    "\u2155": "1/5",
    "\u2159": "1/6",
    "\u215b": "1/8",
    "\u215c": "3/8",
    "\u215d": "5/8",
    "\u215e": "7/8",
}
_TABLE = str.maketrans(dict(_REPLACED))
_FRACTION = re.compile(rf"(?:(\d)\s*)?([{''.join(_FRACTIONS)}])")
_DEGREES = re.compile(r"\s*[\u00b0\u00ba]\s*(?=[CF]\b)")
_DASH = re.compile(r"[,;:\s]*-{2,}\s*|\s+-\s+")
_LIST_MARK = re.compile(r"^\s*(?:\d{1,2}[.)]\s|[-*#\u2022]+\s?)\s*(?=[A-Za-z])")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?")


def plain(text: str) -> str:
    """Write quotes, dashes, fractions, accents and spaces in ASCII; keep line breaks.

    The result is stable: `plain(plain(text)) == plain(text)`.
    """
    text = text.replace("\r\n", "\n").translate(_TABLE)
    text = _FRACTION.sub(_spelt_fraction, text)
    text = _DEGREES.sub(" degrees ", text)
    text = _without_accents(text)
    text = _DASH.sub("--", text)
    return _LINES.sub("\n", _SPACES.sub(" ", text))


def unnumbered(line: str) -> str:
    """Drop the number or bullet before a step; a list shows its order by itself."""
    return _LIST_MARK.sub("", line)


def flowing(text: str) -> str:
    """Return the plain text on one line."""
    return " ".join(plain(text).split())


def _spelt_fraction(match: re.Match[str]) -> str:
    whole, sign = match.groups()
    return f"{whole} {_FRACTIONS[sign]}" if whole else _FRACTIONS[sign]


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(part for part in parts if not unicodedata.combining(part))
