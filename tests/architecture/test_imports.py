"""The site starts fast and small: it never loads what only generation needs."""

import json
import subprocess
import sys

from app.settings import ROOT

HEAVY = ("torch", "transformers", "accelerate", "openai", "spacy", "sklearn", "numpy")
PACKAGES = ("app", "game", "scoring", "cli")

LOADED = """
import importlib, json, pkgutil, sys
for name in sys.argv[1].split(","):
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{name}."):
        importlib.import_module(module.name)
print(json.dumps(sorted(sys.modules)))
"""


def test_nothing_of_the_site_loads_a_model() -> None:
    command = (sys.executable, "-c", LOADED, ",".join(PACKAGES))
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    loaded = set(json.loads(ran.stdout))

    assert loaded >= {"app.main", "cli.main", "game.modes", "scoring.points"}
    assert loaded.isdisjoint(HEAVY)
