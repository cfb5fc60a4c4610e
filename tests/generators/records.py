"""Passage records for tests of what is said about them."""

from collections.abc import Callable, Mapping

from game.passage import Author, Sentence
from game.records import GeneratorRecord, PassageRecord, SentenceRecord, Source, content_id
from tests.generators.texts import sentences

Change = Callable[[str], str]


def record(
    at: int,
    boundary: int,
    *,
    genre: str = "stories",
    model: str | None = None,
    decoding: Mapping[str, float | int | str | None] | None = None,
    spoil: Change = str,
    dress: Change = str,
    licence: str = "none",
) -> PassageRecord:
    """Return a passage; `spoil` changes what the machine wrote, `dress` every sentence."""
    generator = GeneratorRecord(name="fake", model=model, decoding=decoding or {})
    return passed_on(at, boundary, generator, genre=genre, spoil=spoil, dress=dress, licence=licence)


def switched(at: int, boundary: int, *, genre: str = "stories") -> PassageRecord:
    """Return a passage that another document goes on."""
    return passed_on(at, boundary, GeneratorRecord(name="splice"), genre=genre, other=True)


def passed_on(
    at: int,
    boundary: int,
    generator: GeneratorRecord,
    *,
    genre: str,
    other: bool = False,
    spoil: Change = str,
    dress: Change = str,
    licence: str = "none",
) -> PassageRecord:
    """Return a passage of ten made-up sentences."""
    later = Author.OTHER if other else Author.MACHINE
    shown = [
        Sentence(dress(text), Author.HUMAN) if place < boundary else Sentence(spoil(dress(text)), later)
        for place, text in enumerate(sentences(10, at))
    ]
    by = generator if boundary < 10 else None
    source = Source(corpus="tests", document=f"tests/{at % 25}", licence=licence, offsets=())
    return PassageRecord(
        id=content_id(shown, by),
        genre=genre,
        sentences=tuple(SentenceRecord(text=one.text, author=one.author) for one in shown),
        source=source,
        other=source if other else None,
        generator=by,
        licence=licence,
    )
