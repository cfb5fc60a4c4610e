"""News of the Australian Broadcasting Corporation, out of the test data of `gensim`.

The texts are read where they lie and never handed on: passages hold pointers only.
"""

from collections.abc import Iterable

from generators.corpora.document import Corpus, Document
from generators.corpora.packages import zipped_text
from generators.typography import flowing

RENDERING = "1"
ARCHIVE = "gensim-4.4.0-cp311-cp311-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl"
"""One and the same archive on every machine; nothing of it is ever run."""
MEMBER = "gensim/test/test_data/lee_background.cor"


def documents() -> Iterable[Document]:
    """Read the news items, one a line of the file."""
    lines = zipped_text(ARCHIVE, MEMBER).splitlines()
    for number, line in enumerate(lines, start=1):
        if text := flowing(line):
            yield _document(number, text)


def _document(number: int, text: str) -> Document:
    return Document(
        id=f"news/lee-{number:03}",
        genre="news",
        text=text,
        corpus="news",
        version=f"gensim 4.4.0, rendering {RENDERING}",
        licence="Licence not stated; not for redistribution",
        title=f"News item {number} of the Lee background corpus",
        attribution="Australian Broadcasting Corporation, news mail service; typography simplified",
    )


CORPUS = Corpus("news", "news", documents)
