"""Documents to build passages from, and the look-up of pointers into them."""

from collections.abc import Iterable, Mapping
from functools import cache

from game.errors import BadRecordError
from game.records import Ref
from generators.corpora import recipes, speeches, stories
from generators.corpora.document import Corpus, Document
from generators.errors import BadCorpusError

CORPORA: Mapping[str, Corpus] = {
    corpus.name: corpus for corpus in (speeches.CORPUS, recipes.CORPUS, stories.CORPUS)
}


def corpus_of(genre: str) -> Corpus:
    """Return the corpus that supplies a genre by default."""
    for corpus in CORPORA.values():
        if corpus.genre == genre:
            return corpus
    known = ", ".join(corpus.genre for corpus in CORPORA.values())
    raise BadCorpusError(f"There is no corpus for the genre {genre}; there are {known}.")


def documents(name: str) -> Iterable[Document]:
    """Return the documents of a corpus."""
    return _by_id(name).values()


def resolve(ref: Ref) -> str:
    """Return the text a pointer leads to, verified.

    Raises:
        BadRecordError: the document is unknown, reads differently here, or is too short.
        CorpusMissingError: the package that supplies it is not installed.
    """
    name = ref.document.partition("/")[0]
    document = _by_id(name).get(ref.document) if name in CORPORA else None
    if document is None:
        raise BadRecordError(f"There is no document {ref.document} on this machine.")
    if document.sha256 != ref.sha256:
        raise BadRecordError(f"The document {ref.document} reads differently here ({document.version}).")
    start, end = ref.span
    if not 0 <= start < end <= len(document.text):
        raise BadRecordError(f"The document {ref.document} has no text at {start} to {end}.")
    return document.text[start:end]


@cache
def _by_id(name: str) -> Mapping[str, Document]:
    return {document.id: document for document in CORPORA[name].read()}
