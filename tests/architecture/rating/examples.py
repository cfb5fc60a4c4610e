"""Rounds of rating, played out."""

from game.mode import Example
from game.passage import Author, Passage, Sentence

_AUTHORS = (Author.HUMAN,) * 6 + (Author.MACHINE,) * 4
_PASSAGE = Passage(
    tuple(Sentence(f"Step {number} needs a spoon.", author) for number, author in enumerate(_AUTHORS))
)
_SECRETS = ("<strong>", "'machine'")

EXAMPLES = (
    Example("a good text", _PASSAGE, [{"rating": 5}, {"again": "yes"}], None, _SECRETS),
    Example("as a form sends it", _PASSAGE, [{"rating": "1"}, {"again": "no"}], None, _SECRETS),
)
