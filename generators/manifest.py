"""What was built: with which model, settings, seed, texts and code."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from generators import typography
from generators.build import Plan, Tally
from generators.checks import SpacyTagger
from generators.corpora.document import Document
from generators.corpora.packages import package_version


def manifest(plan: Plan, tally: Tally, documents: Sequence[Document], generator: str) -> dict[str, Any]:
    """Describe a build."""
    records = [record.generator for record in tally.kept if record.generator]
    first = records[0] if records else None
    return {
        "genre": plan.genre,
        "generator": generator,
        "model": first and first.model,
        "revision": first and first.revision,
        "decoding": first and dict(first.decoding),
        "prompt_template": first and first.prompt_template,
        "seed": plan.seed,
        "kept": len(tally.kept),
        "boundaries": dict(sorted(tally.filled.items())),
        "refused": dict(tally.refused.most_common()),
        "corpora": corpora_of(documents),
        "code": {"sha256": code_sha256(), "typography": typography.VERSION},
        "tools": {
            "nupunkt": package_version("nupunkt"),
            "spacy": package_version("spacy"),
            "tagger": SpacyTagger.model,
        },
    }


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
