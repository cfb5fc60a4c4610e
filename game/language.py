"""The language in which people are answered: English, unless whoever asks reads another.

A sentence is written in English where it is needed, whole, with named placeholders; that text is
its key in the catalogues. What runs outside of a request stays English, and so does the API.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from gettext import NullTranslations


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code, and what our sentences are in it."""

    code: str
    translations: NullTranslations


ENGLISH = Language("en", NullTranslations())

_spoken: ContextVar[Language] = ContextVar("spoken", default=ENGLISH)


def spoken() -> Language:
    """Return the language in which whoever asks now is answered."""
    return _spoken.get()


@contextmanager
def speaking(language: Language) -> Generator[None]:
    """Answer in a language meanwhile; threads that a request starts do so too."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def say(sentence: str, /, **values: object) -> str:
    """Return a sentence in the language of whoever asks, its `%(name)s` filled in.

    A percent sign is written twice where there are values.
    """
    said = spoken().translations.gettext(sentence)
    return said % values if values else said


def say_plural(one: str, many: str, num: int, /, **values: object) -> str:
    """Return the sentence that fits a number, which it may hold as `%(num)s`."""
    return spoken().translations.ngettext(one, many, num) % {"num": num, **values}


def unsaid(sentence: str) -> str:
    """Return a sentence as it is: for the catalogues to hold, and to be said later."""
    return sentence
