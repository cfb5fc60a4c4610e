"""What a check costs: human units of our corpora that the other checks let through."""

from collections.abc import Mapping, Sequence

from generators.checks import judged_units, unit_refusal
from generators.corpora import documents
from generators.segment import units

CORPORA = ("sotu", "cookbook", "stories", "press")


def shown_units(*, forgiven: str | None = None) -> Mapping[str, Sequence[str]]:
    """Return the units by corpus, with those that one check refuses; `make install-all` brings all four."""
    return {name: _units(name, {None, forgiven}) for name in CORPORA}


def _units(corpus: str, reasons: set[str | None]) -> Sequence[str]:
    return [
        text
        for document in documents(corpus)
        for text in judged_units(units(document.text, document.unit), document.unit)
        if unit_refusal(text, document.unit) in reasons
    ]
