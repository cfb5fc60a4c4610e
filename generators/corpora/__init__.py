"""Documents to build passages from, and the look-up of pointers into them."""

from collections.abc import Iterable, Mapping
from functools import cache, partial
from pathlib import Path

from game.errors import BadRecordError
from game.records import Ref
from generators.corpora import files, hub, press, recipes, speeches, stories
from generators.corpora.document import Corpus, Document
from generators.corpora.gather import gather
from generators.corpora.reading import Origin, Reading
from generators.corpora.shelf import Shelf
from generators.errors import BadCorpusError

CORPORA: Mapping[str, Corpus] = {
    corpus.name: corpus for corpus in (speeches.CORPUS, recipes.CORPUS, stories.CORPUS, press.CORPUS)
}


def corpus_of(genre: str) -> Corpus:
    """Return the corpus that supplies a genre by default."""
    for corpus in CORPORA.values():
        if corpus.genre == genre:
            return corpus
    known = ", ".join(corpus.genre for corpus in CORPORA.values())
    raise BadCorpusError(f"There is no corpus for the genre {genre}; there are {known}.")


def read(source: str | None, genre: str, *, seed: int, most: int) -> Reading:
    """Draw the documents to build passages from, in one pass and bounded memory.

    A seeded hash of the id draws, so the order of the source decides nothing; documents
    that cannot be used are counted by reason, and near-duplicates met once.

    Args:
        source: the name of a corpus, a file or folder, `hf:owner/name[:split]`, or None
            for the genre's default corpus.
        genre: of the documents of a file or data set; those of "recipes" are cut into
            lines, all others into sentences.
        seed: same seed, same source, same documents.
        most: documents at most.

    Raises:
        BadCorpusError: the source as a whole cannot be used.
        CorpusMissingError: the package that supplies it is not installed.
        BackendMissingError: a package that reads such files or cuts sentences is not installed.
    """
    if source is None or source in CORPORA:
        return _installed(source or corpus_of(genre).name, seed=seed, most=most)
    if source.startswith(hub.PREFIX):
        return _streamed(source, genre, seed=seed, most=most)
    return files.reading(Path(source), genre, seed=seed, most=most)


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


def _installed(name: str, *, seed: int, most: int) -> Reading:
    shelf = Shelf(seed=seed, most=most)
    for document in documents(name):
        shelf.offer(document.id, partial(_same, document))
    return shelf.reading()


def _streamed(source: str, genre: str, *, seed: int, most: int) -> Reading:
    name, split = hub.named(source)
    version = f"Hugging Face hub, split {split}"
    origin = Origin(f"data set {name}", name, genre, version, hub.LICENCE, whole=False)
    return gather(hub.found(source, hub.loader()), origin, seed=seed, most=most)


def _same(document: Document) -> Document:
    return document


@cache
def _by_id(name: str) -> Mapping[str, Document]:
    return {document.id: document for document in CORPORA[name].read()}
