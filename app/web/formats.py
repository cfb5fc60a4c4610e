"""Dates and numbers as they are written in the language of the page."""

from datetime import date, datetime
from functools import cache

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.numbers import get_decimal_symbol

from game.language import ENGLISH, say, spoken

BRITISH = "en_GB"
MINUS = "−"


def day_words(day: date) -> str:
    """Return a date: 1 December 2026."""
    return format_date(day, "long", locale=_locale())


def month_words(day: date) -> str:
    """Return a month: December 2026."""
    return format_skeleton("yMMMM", day, locale=_locale())


def moment_words(moment: datetime) -> str:
    """Return a date with the time of day."""
    return say("%(day)s, %(time)s UTC", day=day_words(moment), time=moment.strftime("%H:%M"))


def decimal(number: float, places: int = 2) -> str:
    """Return a number with so many places."""
    return f"{number:.{places}f}".replace(".", get_decimal_symbol(_locale()))


def signed(number: float) -> str:
    """Return a number with its sign, and two places."""
    return f"{number:+z.2f}".replace("-", MINUS).replace(".", get_decimal_symbol(_locale()))


def signed_whole(number: int) -> str:
    """Return a whole number with its sign; nothing is neither more nor less."""
    return f"{number:+}".replace("-", MINUS) if number else "0"


def _locale() -> Locale:
    return _locale_of(spoken().code)


@cache
def _locale_of(code: str) -> Locale:
    return Locale.parse(BRITISH if code == ENGLISH.code else code)
