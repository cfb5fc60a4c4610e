"""A mode that the site does not have: say how good a text is."""

from game.mode import Mode

from .mode import RatingMode, RatingMove, RatingState

MODE: Mode[RatingState, RatingMove] = RatingMode()
