"""What was built: with which model, settings, seed, texts and code."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generators import typography
from generators.corpora.document import Document
from generators.corpora.packages import package_version
from generators.corpora.reading import Reading
from generators.judges import ENGLISH, LangidLinguist, ProfanityScorer, SpacyTagger
from generators.plan import Plan
from generators.running import Built
from generators.segment import PARSER, Segmenter


def file_manifest(plan: Plan, built: Built, readings: Mapping[str, Reading]) -> dict[str, Any]:
    """Describe a passage file of one condition."""
    return {**_condition(plan, built), "seed": plan.seed, **_circumstances(plan, readings)}


def plan_manifest(plan: Plan, built: Sequence[Built], readings: Mapping[str, Reading]) -> dict[str, Any]:
    """Describe a passage file of many conditions."""
    return {
        "seed": plan.seed,
        "kept": sum(len(one.tally.kept) for one in built),
        "refused": sum(one.tally.refused.total() for one in built),
        "conditions": [{"name": one.wanted.name, **_condition(plan, one)} for one in built],
        **_circumstances(plan, readings),
    }


def _condition(plan: Plan, built: Built) -> dict[str, Any]:
    tally = built.tally
    records = [record.generator for record in tally.kept if record.generator]
    first = records[0] if records else None
    decoding = plan.decodings[built.wanted.decoding].record() if built.wanted.decoding else {}
    return {
        "genre": built.wanted.genre,
        "generator": plan.generators[built.wanted.generator].backend,
        "model": first and first.model,
        "revision": first and first.revision,
        "decoding": decoding,
        "controls": list(built.wanted.controls),
        "prompt_template": first and first.prompt_template,
        "wanted": built.wanted.count,
        "kept": len(tally.kept),
        "boundaries": dict(sorted(tally.filled.items())),
        "refused": dict(tally.refused.most_common()),
    }


def _circumstances(plan: Plan, readings: Mapping[str, Reading]) -> dict[str, Any]:
    return {
        "corpora": corpora_of([text for reading in readings.values() for text in reading.documents]),
        "documents_skipped": {genre: dict(reading.skipped) for genre, reading in readings.items()},
        "code": {"sha256": code_sha256(), "typography": typography.VERSION},
        "tools": {
            "nupunkt": package_version("nupunkt"),
            "spacy": package_version("spacy"),
            "tagger": SpacyTagger.model,
            "segmenter": plan.segmenter,
            "parser": PARSER if plan.segmenter is Segmenter.PARSER else None,
        },
        "checks": {
            "unsafe": {**_package(ProfanityScorer.package), "threshold": plan.unsafe},
            "another language": {**_package(LangidLinguist.package), "threshold": ENGLISH},
        },
    }


def _package(name: str) -> dict[str, Any]:
    return {"package": name, "version": package_version(name)}


def corpora_of(documents: Sequence[Document]) -> list[Mapping[str, Any]]:
    """Name the corpora of documents, with version and licence."""
    found = Counter((document.corpus, document.version, document.licence) for document in documents)
    return [
        {"name": name, "version": version, "licence": licence, "documents": many}
        for (name, version, licence), many in sorted(found.items())
    ]


def code_sha256() -> str:
    """Hash the source of this package, so that a file names the code that wrote it."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()
