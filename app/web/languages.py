"""Which languages there are, and which of them somebody reads."""

from collections.abc import Mapping
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from app.settings import ROOT
from game.language import ENGLISH, Language, speaking

COOKIE = "roft-language"
"""Holds the language that somebody has chosen; without it the browser's wishes count."""

DEPENDS_ON = "Accept-Language, Cookie"
API = "/api/"
_CATALOGUE = "LC_MESSAGES/roft.po"


class Languages:
    """English, and every language that has a catalogue in a folder."""

    def __init__(self, folder: Path = ROOT / "locale") -> None:
        """Look which there are; a catalogue is read when somebody reads its language first."""
        found = sorted(path.parent.parent.name for path in folder.glob(f"*/{_CATALOGUE}"))
        self._folder = folder
        self._read = {ENGLISH.code: ENGLISH}
        self.codes = (ENGLISH.code, *found)

    @property
    def names(self) -> Mapping[str, str]:
        """What each language is called by those who read it."""
        return {code: Locale.parse(code).get_display_name() or code for code in self.codes}

    def named(self, code: str) -> Language:
        """Return the language of a code that there is."""
        if code not in self._read:
            self._read[code] = Language(code, _translations(self._folder / code / _CATALOGUE))
        return self._read[code]

    def of(self, request: HTTPConnection) -> Language:
        """Return the language that a request is answered in: chosen, else wished for, else English.

        The API answers in English, whoever asks.
        """
        if request.scope["path"].startswith(API):
            return ENGLISH
        chosen = request.cookies.get(COOKIE)
        if chosen not in self.codes:
            accepted = parse_accept_header(request.headers.get("accept-language"), LanguageAccept)
            wishes = [wish.lower() for wish, quality in accepted if quality > 0]
            chosen = negotiate_locale(wishes, self.codes, sep="-")
        return self.named(chosen or ENGLISH.code)


class Answering:
    """Answers every request in its language."""

    def __init__(self, app: ASGIApp, languages: Languages) -> None:
        """Wrap an application."""
        self._app = app
        self._languages = languages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with speaking(self._languages.of(HTTPConnection(scope))):
            await self._app(scope, receive, send)


def _translations(path: Path) -> GNUTranslations:
    """Return a catalogue as the standard library wants it, compiled in memory."""
    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file))
    compiled.seek(0)
    return GNUTranslations(compiled)
