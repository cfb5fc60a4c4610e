"""What a passage must not hold. Every check meets human and machine sentences alike.

A check that met one side only would itself tell the sides apart. The first unit of a
recipe (its name and ingredients) is exempt: it is always human and never judged. What no
pattern sees, such as unsafe text, is left to the `Judges`, who are handed in.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from generators.judges import Judges
from generators.segment import Unit, splits_again

UnitCheck = Callable[[str], bool]
Run = tuple[str, ...]
"""Five words in a row."""

CHARACTERS: Mapping[Unit, tuple[int, int]] = {
    Unit.SENTENCE: (8, 320),
    Unit.PARSED: (8, 320),
    Unit.LINE: (8, 420),
}
WORDS: Mapping[Unit, tuple[int, int]] = {Unit.SENTENCE: (2, 60), Unit.PARSED: (2, 60), Unit.LINE: (2, 80)}
TOO_CLOSE = 0.5
"""Shared five-word runs over those of the shorter text: a copy, or a loop."""
LOOP = 3
"""How often three words in a row may come back within a unit."""
NEIGHBOURS = 0.7
"""Shared words over all words of two neighbours."""

_WORD = re.compile(r"[A-Za-z0-9]+(?:'[a-z]+)?")
_QUOTED = re.compile(r"""["`]|(?:^|[\s(-])'|'(?:$|[\s,.;:!?)-])""")
_PLURAL_OWNER = re.compile(r"(?<=s)'(?=\s[a-z])")
_MARKUP = re.compile(
    r"[\[\]{}<>*#_|\\^~=@]|https?:|www\.|\.(?:com|org)\b|^\W*(?:[A-Za-z]|\d{1,2}|[ivx]+)[.)]\s|^[-+\u2022]\s"
    r"|\b(?:step|chapter|section|figure|table|part)\s+[\dIVX]+\s*[:.]",
    re.IGNORECASE,
)
_DEBRIS = re.compile(
    r"[.,;:!?]{2,}|\s[,.;:!?]|\(\s|\s\)|\b(\w+)\s+\1\s+\1\b|[A-Za-z]{30,}|[a-z][.!?][A-Z]|--$"
    r"|(?<![\w'./&-])[b-hj-z](?![\w'./&-])|--[b-hj-z]\b(?!')"
    r"|\b(?i:applause|laughter|illustration|gutenberg)\b"
)
_LABEL = re.compile(r"^[A-Z][\w' ]{0,30}:")
_CAPITALS = re.compile(r"\b(?=[0-9]*[A-Z])[A-Z0-9]{2,}\b")
"""A word in capitals: machines write today's acronyms, which texts of the public domain lack."""
_ASSISTANT = re.compile(
    r"\bas an ai\b|\blanguage model\b|^note\b|\bi hope this helps\b|\blet me know\b"
    r"|\b(?:this|the) (?:revised|rewritten|updated) (?:version|text|passage|draft)\b"
    r"|\bhere(?: is|'s| are) (?:an?|the|your|some) (?:\w+ )?"
    r"(?:version|summary|rewrite|example|list|recipe|response)\b"
    r"|\bin (?:conclusion|summary)\b|\bsummar(?:y|ize[sd]?|izing)\b"
    r"|\b(?:this|the) (?:passage|text|excerpt|essay|article|prompt)\b"
    r"|\bthe (?:user|reader|author|speaker|narrator)(?:'s)?\b"
    r"|\bthis recipe (?:is|makes|serves|yields)\b|\benjoy your\b"
    r"|\byour (?:essay|response|answer|message|email|ideas|story|narrative|draft|writing)\b"
    r"|\b(?:readers|protagonist|narratives?|backstory)\b|\bfeel free\b|\b(?:collaborate|brainstorm)\b"
    r"|\bbest regards\b|\bsincerely\b|\bdear \w+\b",
    re.IGNORECASE,
)
_UNSAFE = re.compile(
    r"\b(?:sex\w*|rap(?:e[ds]?|ists?)|nipples?|penis|vagina\w*|porn\w*|nudes?|nudity|whores?|sluts?|bitch\w*"
    r"|fuck\w*|shit\w*|nigg\w+|orgasm\w*|erotic\w*|(?:made|make|making) love|(?:her|his|healthy) breasts?"
    r"|jews?|jewish)\b",
    re.IGNORECASE,
)
"""The crudest words, and a people that small models slander; people look through what is published."""


def _starts_badly(text: str) -> bool:
    return not re.match(r"[A-Z](?:[a-z' -]|[A-Z]{1,4}\b)", text)


def _ends_badly(text: str) -> bool:
    return re.search(r"[a-z0-9)][.?!]$", text, re.IGNORECASE) is None or text.endswith(("Mr.", "Dr."))


def _asks_or_exclaims(text: str) -> bool:
    """Whether the last mark is no full stop; how often it is one tells a small model's sentences apart."""
    return text.endswith(("?", "!"))


def _has_quotation(text: str) -> bool:
    return _QUOTED.search(_PLURAL_OWNER.sub("", text)) is not None


def _has_loose_bracket(text: str) -> bool:
    return text.count("(") != text.count(")")


def _is_not_ascii(text: str) -> bool:
    return not text.isascii() or not text.isprintable()


def _loops_inside(text: str) -> bool:
    return max(Counter(_grams(text, 3)).values(), default=0) > LOOP


UNIT_CHECKS: Mapping[str, UnitCheck] = {
    "a character beyond ASCII": _is_not_ascii,
    "starts in mid-sentence": _starts_badly,
    "ends in mid-sentence": _ends_badly,
    "a question or an exclamation": _asks_or_exclaims,
    "quotation": _has_quotation,
    "a loose bracket": _has_loose_bracket,
    "markup": lambda text: _MARKUP.search(text) is not None,
    "debris": lambda text: _DEBRIS.search(text) is not None,
    "a label": lambda text: _LABEL.search(text) is not None,
    "assistant talk": lambda text: _ASSISTANT.search(text) is not None,
    "a word in capitals": lambda text: _CAPITALS.search(text) is not None,
    "loops inside": _loops_inside,
    "crude words": lambda text: _UNSAFE.search(text) is not None,
}


def unit_refusal(text: str, unit: Unit) -> str | None:
    """Name the first reason why a unit cannot be shown, or None."""
    if not _within(len(text), CHARACTERS[unit]) or not _within(len(_words(text)), WORDS[unit]):
        return "length"
    return next((name for name, fails in UNIT_CHECKS.items() if fails(text)), None)


def refusal(parts: Sequence[str], unit: Unit, judges: Judges) -> str | None:
    """Name the first reason why units cannot be shown one after another, or None."""
    if reason := reading_refusal(parts, unit, judges):
        return reason
    return None if splits_again(parts, unit) else "does not split again"


def reading_refusal(parts: Sequence[str], unit: Unit, judges: Judges) -> str | None:
    """Name the first reason why nobody should read units one after another, however they were cut."""
    judged = judged_units(parts, unit)
    for text in judged:
        if reason := unit_refusal(text, unit):
            return reason
    if reason := judges.refusal(judged):
        return reason
    return "repetition" if _repeats(judged) else None


def judged_units(parts: Sequence[str], unit: Unit) -> Sequence[str]:
    """Return the units that checks and audits look at."""
    return parts[1:] if unit is Unit.LINE else parts


@lru_cache(4096)
def runs(text: str) -> frozenset[Run]:
    """Return the five-word runs of a text, to compare texts by."""
    return frozenset(_grams(text, 5))


def is_copied(text: str, originals: Iterable[str]) -> bool:
    """Whether a text shares half its five-word runs with one of the originals."""
    found = runs(text)
    return any(_overlap(found, runs(original)) >= TOO_CLOSE for original in originals)


def _repeats(parts: Sequence[str]) -> bool:
    if any(_shared_words(one, other) >= NEIGHBOURS for one, other in pairwise(parts)):
        return True
    if _opens_alike(parts) or _comes_back(parts):
        return True
    return any(is_copied(text, parts[:index]) for index, text in enumerate(parts))


def _opens_alike(parts: Sequence[str]) -> bool:
    """Whether four units in a row open with the same three words."""
    openings = [tuple(_words(text)[:3]) for text in parts]
    rows = zip(openings, openings[1:], openings[2:], openings[3:], strict=False)
    return any(len(set(row)) == 1 for row in rows)


def _comes_back(parts: Sequence[str]) -> bool:
    """Whether four words in a row stand in three units."""
    runs = Counter(run for text in parts for run in set(_grams(text, 4)))
    return max(runs.values(), default=0) >= LOOP


def _grams(text: str, size: int) -> list[tuple[str, ...]]:
    words = _words(text)
    return [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _within(number: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= number <= bounds[1]


def _shared_words(one: str, other: str) -> float:
    first, second = set(_words(one)), set(_words(other))
    return len(first & second) / max(1, len(first | second))


def _overlap(one: frozenset[Run], other: frozenset[Run]) -> float:
    shorter = min(len(one), len(other))
    return len(one & other) / shorter if shorter else 0.0
