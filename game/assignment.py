"""Which passage comes next."""

from collections.abc import Callable, Sequence
from random import Random

from game.errors import NothingLeftError
from game.language import say
from game.passage import Passage


def next_passage(
    unseen: Sequence[str],
    *,
    load: Callable[[str], Passage],
    accepts: Callable[[Passage], bool],
    rng: Random,
) -> str:
    """Return one of the passages a player has not met, each as likely as the other.

    Args:
        unseen: ids of the passages not met.
        load: gives the passage of an id.
        accepts: says whether the mode can play on it.
        rng: the dice.

    Raises:
        NothingLeftError: none is left that the mode accepts.
    """
    left = list(unseen)
    while left:
        at = rng.randrange(len(left))
        left[at], left[-1] = left[-1], left[at]
        passage_id = left.pop()
        if accepts(load(passage_id)):
            return passage_id
    raise NothingLeftError(say("You have played every passage there is here."))
