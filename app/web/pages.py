"""Drawing: a page for a visit, its part for htmx."""

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fastapi import Request
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.settings import ROOT
from app.web.formats import decimal
from app.web.languages import DEPENDS_ON
from app.web.views import ErrorView
from game.genres import genre_words
from game.language import ENGLISH, say, spoken
from game.modes import template_folders

STATIC = Path(__file__).parent / "static"
PARTS_DEPEND_ON = "HX-Request, HX-History-Restore-Request"
NO_CHOICE: Mapping[str, str] = MappingProxyType({})


def wants_part(request: Request) -> bool:
    """Say whether htmx asks for a part; when it restores history it needs the page."""
    headers = request.headers
    return "hx-request" in headers and headers.get("hx-history-restore-request") != "true"


class Pages:
    """The templates of the site and of every mode."""

    def __init__(self, languages: Mapping[str, str] = NO_CHOICE) -> None:
        """Load nothing yet; a mode's templates live under its slug.

        `languages` can be chosen from on every page: what each is called, by its code.
        """
        self._languages = languages
        folders = {slug: FileSystemLoader(folder) for slug, folder in template_folders().items()}
        self._environment = Environment(
            loader=ChoiceLoader([FileSystemLoader(ROOT / "templates"), PrefixLoader(folders)]),
            autoescape=True,
            extensions=["jinja2.ext.i18n"],
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.policies["ext.i18n.trimmed"] = True
        self._environment.install_gettext_callables(_gettext, _ngettext, newstyle=True)  # type: ignore[attr-defined]
        self._environment.globals["asset"] = asset
        self._environment.filters.update(
            decimal=_said_anew(decimal),
            genre=_said_anew(genre_words),
            named=_said_anew(named),
            english=_said_anew(english),
        )

    def page(self, name: str, view: object, *, status: int = 200) -> Response:
        """Draw a whole page."""
        return self._draw(f"pages/{name}.html", view, status, {"Vary": DEPENDS_ON})

    def page_or_part(self, name: str, view: object, *, part: bool, status: int = 200) -> Response:
        """Draw a page, or for htmx the part of the same name that the page includes."""
        template = f"partials/_{name}.html" if part else f"pages/{name}.html"
        return self._draw(template, view, status, {"Vary": f"{PARTS_DEPEND_ON}, {DEPENDS_ON}"})

    def part(self, name: str, view: object) -> Response:
        """Draw a part that htmx asked for."""
        return self._draw(f"partials/_{name}.html", view, 200, {"Vary": DEPENDS_ON})

    def script(self, name: str, view: object) -> Response:
        """Draw a script."""
        text = self._environment.get_template(f"{name}.js").render(view=view)
        return Response(text, media_type="text/javascript")

    def error(self, view: ErrorView, *, status: int, part: bool) -> Response:
        """Draw what could not be done, and what to do now."""
        return self.page_or_part("problem", view, part=part, status=status)

    def _draw(self, template: str, view: object, status: int, headers: Mapping[str, str]) -> Response:
        html = self._environment.get_template(template).render(
            view=view, language=spoken().code, languages=self._languages
        )
        return HTMLResponse(html, status, dict(headers))


def english(text: str) -> Markup:
    """Return a name or a quotation, which is English in every language, so that it is read aloud as such."""
    return Markup('<span lang="{}">{}</span>').format(ENGLISH.code, text)


def named(name: str) -> Markup:
    """Return what a catalogue says for a name; a name that none knows is English."""
    words = say(name)
    return Markup.escape(words) if words != name else english(name)


def _said_anew(words: Callable[..., str]) -> Callable[..., str]:
    """Make a filter of a function that depends on the language.

    Without the context, Jinja would work it out once where it stands on a constant, in whatever
    language came first.
    """

    @pass_context
    def say_anew(_: Context, *values: Any) -> str:
        return words(*values)

    return say_anew


def _gettext(sentence: str) -> str:
    return spoken().translations.gettext(sentence)


def _ngettext(one: str, many: str, num: int) -> str:
    return spoken().translations.ngettext(one, many, num)


@cache
def asset(name: str) -> str:
    """Return the address of a static file; it changes when the file does."""
    digest: Any = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?v={digest}"
