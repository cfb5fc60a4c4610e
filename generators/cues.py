"""What can be measured on one sentence without reading it.

`layout` is what a pipeline leaves behind and must not tell who wrote a sentence;
`style` is what a writer really does differently.
"""

import re
from collections.abc import Mapping

_LAST = (".", "?", "!", '"', "'", ")", ":", ";", ",", "-")
_CURLY = re.compile("[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]")
_MARKUP = re.compile(r"[\[\]{}<>*#_|\\^~=@`\u2022]|https?:|www\.")
_LIST = re.compile(r"\s*(?:[-*+\u2022]|\(?(?:\d{1,2}|[A-Za-z]|[ivx]+)[.):])\s")
_TRACES = re.compile(
    "[\ufffd\u00ad\u200b-\u200f\ufeff\x00-\x08\x0b-\x1f\x7f-\x9f]|\u00c3.|\u00e2\u20ac|&[a-z]+;"
)
_CUT = re.compile(r"(?<![\w.'\u2019/-])(?![aAIiOoXx]\b)[a-zA-Z]\b(?![.'\u2019/-])|[A-Za-z]-(?:\s|$)")
_SPACED = re.compile(r"\s[,.;:!?]|[,;:](?=[A-Za-z])|\(\s|\s\)")
_DOUBLED = re.compile(r"[,.;:!?]{2,}")
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


def layout(text: str) -> Mapping[str, float]:
    """Measure white space, quotes, first and last character, casing, debris, encoding, cuts."""
    return {
        "white space before": float(text[:1].isspace()),
        "white space after": float(text[-1:].isspace()),
        "double space": float("  " in text),
        "line break": float("\n" in text.strip()),
        "curly quotes": float(len(_CURLY.findall(text))),
        "straight double quotes": float(text.count('"')),
        "odd quotes": float(text.count('"') % 2 or text.count("\u201c") != text.count("\u201d")),
        "odd brackets": float(text.count("(") != text.count(")") or text.count("[") != text.count("]")),
        "markup": float(len(_MARKUP.findall(text))),
        "list mark": float(_LIST.match(text) is not None),
        "beyond ASCII": float(sum(not sign.isascii() for sign in text)),
        "encoding traces": float(len(_TRACES.findall(text))),
        "cut word": float(len(_CUT.findall(text))),
        "space at punctuation": float(_SPACED.search(text) is not None),
        "doubled punctuation": float(_DOUBLED.search(text) is not None),
        **_first(text),
        **_last(text),
        **_casing(text),
    }


def style(text: str) -> Mapping[str, float]:
    """Measure length, and the rates of punctuation, digits and kinds of words."""
    words = _WORD.findall(text)
    length = max(1, len(text))
    return {
        "characters": float(len(text)),
        "words": float(len(words)),
        "letters a word": sum(map(len, words)) / max(1, len(words)),
        "different words": len({word.lower() for word in words}) / max(1, len(words)),
        "commas": 100 * text.count(",") / length,
        "semicolons": 100 * text.count(";") / length,
        "colons": 100 * text.count(":") / length,
        "dashes": 100 * text.count("--") / length,
        "hyphens": 100 * len(re.findall(r"\w-\w", text)) / length,
        "apostrophes": 100 * len(re.findall(r"\w['\u2019]\w", text)) / length,
        "brackets": 100 * text.count("(") / length,
        "digits": 100 * sum(sign.isdigit() for sign in text) / length,
        "capitals": 100 * sum(sign.isupper() for sign in text) / length,
        "question": float("?" in text),
        "exclamation": float("!" in text),
        "stops": float(len(re.findall(r"[.!?](?:\s|$)", text))),
        "first person": sum(word in {"I", "me", "my", "we", "We", "our"} for word in words)
        / max(1, len(words)),
    }


def _first(text: str) -> Mapping[str, float]:
    sign = text.strip()[:1]
    return {
        "first lower": float(sign.islower()),
        "first digit": float(sign.isdigit()),
        "first quote": float(sign in "\"'`\u2018\u201c"),
        "first other": float(not sign.isalnum()),
    }


def _last(text: str) -> Mapping[str, float]:
    last = text.strip()[-1:]
    known = {f"last {sign}": float(last == sign) for sign in _LAST}
    return {**known, "last letter": float(last.isalpha()), "last digit": float(last.isdigit())}


def _casing(text: str) -> Mapping[str, float]:
    words = _WORD.findall(text)
    long = [word for word in words if len(word) > 3]  # noqa: PLR2004
    return {
        "shouted": float(sum(len(word) > 1 and word.isupper() for word in words)),
        "title case": float(len(long) > 2 and sum(word[0].isupper() for word in long) > 0.8 * len(long)),  # noqa: PLR2004
        "no capitals": float(not any(sign.isupper() for sign in text)),
        "capital inside": float(sum(re.search("[a-z][A-Z]", word) is not None for word in words)),
    }
