"""All tables. Rules do not see them; migrations and the store do.

Triggers (in the migrations) refuse what a constraint cannot: `passage`, `move`, `event`,
`mark`, `batch`, `consent` and
`guide_reading` are append-only, a closed `round` and an ended `build` never
change, and a `move` follows the one before it in an open round. Two things are let through:
rounds change hands between a guest and the account that the guest was merged into, and what
an erased player has played may be deleted.
"""

from app.store.tables.base import metadata, table_of
from app.store.tables.builds import BatchRow, BuildPassage, BuildRow
from app.store.tables.daily import DailyPlay, DailyRow, Presence
from app.store.tables.learning import GuideReading, Opinion
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
    "DailyPlay",
    "DailyRow",
    "Deck",
    "DeckPassage",
    "EstimateRow",
    "EventRow",
    "FormerHandle",
    "GuideReading",
    "Hold",
    "Identity",
    "LazyLine",
    "Mark",
    "Merger",
    "MoveRow",
    "Notice",
    "Opinion",
    "PassageRow",
    "Player",
    "Presence",
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
