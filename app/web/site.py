"""What every route may use, made once at the start."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random

from app.mail import Postbox
from app.providers.provider import Provider
from app.services.building import Condition
from app.settings import Settings
from app.store.database import Database
from app.web.languages import Languages
from app.web.pages import Pages
from app.web.tokens import Tokens
from game.mode import Policy


@dataclass(frozen=True, slots=True)
class Site:
    """The installation: its data, clock and dice; who reads plans, takes mails, and knows people.

    New rounds are played by `policy`; `languages` are those it can be read in.
    """

    settings: Settings
    policy: Policy
    database: Database
    tokens: Tokens
    pages: Pages
    languages: Languages
    now: Callable[[], datetime]
    rng: Random
    read_plan: Callable[[str], Sequence[Condition]]
    postbox: Postbox | None
    providers: Mapping[str, Provider]
