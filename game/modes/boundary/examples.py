"""Rounds of the boundary game, played out."""

from game.mode import Example
from game.passage import Author, Passage, Sentence

_WORDS = ("river", "lamp", "gate", "kettle", "orchard", "ladder", "harbour", "meadow", "clock", "stove")
_AUTHORS = {"H": Author.HUMAN, "M": Author.MACHINE, "O": Author.OTHER}


def _passage(board: str) -> Passage:
    return Passage(
        tuple(
            Sentence(f"The {word} was where we had left it.", _AUTHORS[letter])
            for word, letter in zip(_WORDS, board, strict=True)
        )
    )


def _human(times: int) -> list[dict[str, object]]:
    return [{"call": "human"}] * times


_MACHINE = {"call": "machine", "reasons": ["generic"]}
_ALL_HUMAN = {"call": "human", "reasons": ["voice"]}
_UNSEEN = ("stove", "boundary&#34;", "machine took over")

EXAMPLES = (
    Example("an exact hit", _passage("HHHMMMMMMM"), [*_human(2), _MACHINE], 5, _UNSEEN),
    Example("one sentence late", _passage("HHHMMMMMMM"), [*_human(3), _MACHINE], 4, _UNSEEN),
    Example("too early", _passage("HHHHHHHMMM"), [*_human(2), _MACHINE], 0, _UNSEEN),
    Example("at once, and right", _passage("HMMMMMMMMM"), [_MACHINE], 5, _UNSEEN),
    Example("read to the end, all human", _passage("HHHHHHHHHH"), [*_human(8), _ALL_HUMAN], 5),
    Example("missed altogether", _passage("HMMMMMMMMM"), [*_human(8), _ALL_HUMAN], 0),
    Example("the last sentence", _passage("HHHHHHHHHM"), [*_human(8), _MACHINE], 5),
    Example("a switched document", _passage("HHHHHOOOOO"), [*_human(4), _MACHINE], 5, _UNSEEN),
)
