"""The boundary game: say where the machine takes over."""

from game.mode import Mode
from game.modes.boundary.mode import BoundaryMode, BoundaryMove, BoundaryState

MODE: Mode[BoundaryState, BoundaryMove] = BoundaryMode()
