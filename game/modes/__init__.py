"""Finds the modes: every folder beside this file that holds a `MODE`."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from game.errors import NoSuchModeError
from game.language import say
from game.mode import Mode


@cache
def modes() -> Mapping[str, Mode[Any, Any]]:
    """Return every mode by its slug, in the order of menus."""
    found = [import_module(f"{__name__}.{module.name}").MODE for module in iter_modules(__path__)]
    return {mode.slug: mode for mode in sorted(found, key=lambda mode: (mode.order, mode.slug))}


def mode_named(slug: str) -> Mode[Any, Any]:
    """Return a mode, or raise `NoSuchModeError`."""
    try:
        return modes()[slug]
    except KeyError:
        known = ", ".join(modes())
        raise NoSuchModeError(
            say("There is no mode “%(mode)s”; there is: %(known)s.", mode=slug, known=known)
        ) from None


def template_folders() -> Mapping[str, Path]:
    """Return the folder with the templates of each mode, by its slug."""
    return {slug: Path(__path__[0]) / slug / "templates" for slug in modes()}
