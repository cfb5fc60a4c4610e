"""All tables. Rules do not see them; migrations and the store do.

Triggers (in the migrations) refuse what a constraint cannot: `passage`, `move`, `event`,
`mark`, `batch` and `consent` are append-only, a closed `round` and an ended `build` never
change, and a `move` follows the one before it in an open round. Two things are let through:
rounds change hands between a guest and the account that the guest was merged into, and what
an erased player has played may be deleted.
"""

from app.store.tables.base import metadata, table_of
from app.store.tables.builds import BatchRow, BuildPassage, BuildRow
from app.store.tables.passages import Deck, DeckPassage, LazyLine, PassageRow
from app.store.tables.people import (
    Account,
    Consent,
    FormerHandle,
    Identity,
    Merger,
    Player,
    SessionRow,
    SignInKey,
    Throttle,
)
from app.store.tables.published import EstimateRow, RatingRun
from app.store.tables.reports import Hold, Notice, Report
from app.store.tables.rounds import EventRow, Mark, MoveRow, RatingRow, RoundRow, Standing

__all__ = [
    "Account",
    "BatchRow",
    "BuildPassage",
    "BuildRow",
    "Consent",
    "Deck",
    "DeckPassage",
    "EstimateRow",
    "EventRow",
    "FormerHandle",
    "Hold",
    "Identity",
    "LazyLine",
    "Mark",
    "Merger",
    "MoveRow",
    "Notice",
    "PassageRow",
    "Player",
    "RatingRow",
    "RatingRun",
    "Report",
    "RoundRow",
    "SessionRow",
    "SignInKey",
    "Standing",
    "Throttle",
    "metadata",
    "table_of",
]
