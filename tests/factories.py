"""Makes what tests need; a test states only what matters to it."""

from game.errors import BadRecordError
from game.passage import Author, Passage, Sentence
from game.records import GeneratorRecord, PassageRecord, Ref, SentenceRecord, Source, content_id

AUTHORS = {"H": Author.HUMAN, "M": Author.MACHINE, "O": Author.OTHER}


def passage(board: str, *, salt: str = "") -> Passage:
    """Return a passage drawn as a board: `HHHHMMMMMM` has its boundary at 4."""
    return Passage(
        tuple(
            Sentence(f"Sentence {number} {salt}is about a lamp.".replace("  ", " "), AUTHORS[letter])
            for number, letter in enumerate(board)
        )
    )


def board(boundary: int, *, after: str = "M", length: int = 10) -> str:
    """Return the board with that boundary."""
    return "H" * boundary + after * (length - boundary)


def record(*, boundary: int = 5, genre: str = "speeches", salt: str = "", after: str = "M") -> PassageRecord:
    """Return a passage record with its texts written out."""
    content = passage(board(boundary, after=after), salt=f"{salt} ")
    generator = None
    if boundary < len(content.sentences):
        generator = (
            GeneratorRecord(name="splice")
            if after == "O"
            else GeneratorRecord(
                name="transformers", model="toy-model", revision="1", decoding={"top_p": 0.9}, seed=1
            )
        )
    return PassageRecord(
        id=content_id(content.sentences, generator),
        genre=genre,
        sentences=tuple(SentenceRecord(text=one.text, author=one.author) for one in content.sentences),
        source=Source(
            corpus="toy", document=f"toy/{salt}", title=f"Toy {salt}", licence="CC0-1.0", offsets=()
        ),
        generator=generator,
        licence="CC0-1.0",
    )


def no_pointers(ref: Ref) -> str:
    """Resolve nothing: toy passages hold their texts."""
    raise BadRecordError(f"There is no document {ref.document}.")
