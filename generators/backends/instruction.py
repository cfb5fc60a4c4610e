"""How an instruct model is asked to go on, in one wording, and what of its reply goes on."""

import re
from collections.abc import Mapping
from functools import lru_cache

from generators.backends.base import Prompt
from generators.segment import Unit, spans

INSTRUCTION = """\
Go on with the text below, in its own voice and style, as if its author had written on. \
Write at least {needed} more {units}. Answer with what comes next and with nothing else: \
no title, no comment, no word of the text again.

{text}"""
"""The one message of a chat; `units` is what a passage of the genre shows at a time."""

_SENTENCES = "sentences"
UNITS: Mapping[Unit, str] = {
    Unit.SENTENCE: _SENTENCES,
    Unit.PARSED: _SENTENCES,
    Unit.LINE: "steps, each on a line of its own",
}

_ANNOUNCEMENT = re.compile(
    r"(?:(?:sure|certainly|of course|absolutely|okay)(?:[,.!][^\n:.!?]*)?:(?=\s)|[^\n]*:[ \t]*(?=\n))\s*",
    re.IGNORECASE,
)
"""What a model says to the one who asked: it ends in a colon and begins with a nod, or ends its line."""


def message(prompt: Prompt) -> str:
    """Return what an instruct model is told."""
    return INSTRUCTION.format(needed=prompt.needed, units=UNITS[prompt.unit], text=prompt.text)


def continuation(prompt: Prompt, reply: str) -> str:
    """Return what a reply goes on with, the gap before it; empty if it says nothing.

    An announcement and the text again, or its last units, are no part of it. Whatever else
    a model says to the one who asked, the checks refuse.
    """
    said = reply.strip()
    if announced := _ANNOUNCEMENT.match(said):
        said = said[announced.end() :]
    for ending in _endings(prompt.text, prompt.unit):
        if said.startswith(ending):
            said = said.removeprefix(ending).strip()
            break
    return prompt.unit.gap + said if said else ""


@lru_cache(1024)
def _endings(text: str, unit: Unit) -> tuple[str, ...]:
    """Return the text from each of its units on, the longest first."""
    return tuple(text[start:] for start, _ in spans(text, unit))
