"""Everything the rules can refuse, in the language of the game.

GameError
├── BadMoveError            the form is no move of this mode
│   └── UnfinishedMoveError   a move that can be completed (a reason is missing)
├── IllegalMoveError        a move that the state of the round does not allow
│   ├── TurnAlreadyPlayedError
│   ├── RoundClosedError
│   └── TurnNotReachedError
├── NoSuchModeError
├── NoSuchGenreError
├── NothingLeftError        the player has met every passage
├── RoundNotFoundError      not this player's round, or none
├── TooManyEventsError       the log of a round is full
└── BadRecordError          a line of a passage file that cannot be used
"""


class GameError(Exception):
    """A refusal by the rules; its text is one sentence for the person who asked."""


class BadMoveError(GameError):
    """The form holds no move of this mode."""


class UnfinishedMoveError(BadMoveError):
    """The move is understood but lacks something the player can still give.

    Attributes:
        rule: the name of the rule that asks for more, such as `reason-missing`.
    """

    def __init__(self, rule: str, sentence: str) -> None:
        super().__init__(sentence)
        self.rule = rule


class IllegalMoveError(GameError):
    """The state of the round does not allow this move."""


class TurnAlreadyPlayedError(IllegalMoveError):
    """The turn was played before, with another move."""


class RoundClosedError(IllegalMoveError):
    """The round is over."""


class TurnNotReachedError(IllegalMoveError):
    """The round has not come to this turn yet."""


class NoSuchModeError(GameError):
    """No mode of that name is installed."""


class NoSuchGenreError(GameError):
    """No deck holds passages of that genre."""


class NothingLeftError(GameError):
    """The player has met every passage there is."""


class RoundNotFoundError(GameError):
    """There is no such round, or it is another player's."""


class TooManyEventsError(GameError):
    """The log of a round is full."""


class BadRecordError(GameError):
    """A passage record contradicts itself or its source."""
