"""Wiring: settings, database, routes. Nothing else."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from random import Random, SystemRandom

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from app.mail import Postbox, postbox_of
from app.providers.provider import providers_of
from app.services.building import Condition, no_plans
from app.settings import Settings
from app.store.database import Database
from app.web.errors import handle_errors
from app.web.headers import SecurityHeaders
from app.web.languages import Answering, Languages
from app.web.pages import STATIC, Pages
from app.web.routes import (
    account,
    api,
    builds,
    daily,
    docs,
    generators,
    health,
    installing,
    language,
    leaderboard,
    learn,
    play,
    players,
    providers,
    sign_in,
    start,
)
from app.web.site import Site
from app.web.tokens import Tokens
from game.mode import REPLICATION, SITE

DESCRIPTION = """
The same game as on the pages. Get a token from `POST /api/v1/guests`, send it as
`Authorization: Bearer …`, start a round, and send one move a turn. While a round is open
no reply tells an author, the boundary or a later sentence.

Errors are `application/problem+json` (RFC 9457); `type` names the rule.
"""


def create_app(
    settings: Settings,
    database: Database | None = None,
    *,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    rng: Random | None = None,
    read_plan: Callable[[str], Sequence[Condition]] = no_plans,
    postbox: Postbox | None = None,
    languages: Languages | None = None,
) -> FastAPI:
    """Return the site; the clock, the dice, who reads plans and takes mails, and what is spoken come in."""
    languages = languages or Languages()
    app = FastAPI(title="RoFT", version="1", description=DESCRIPTION, docs_url=None, redoc_url=None)
    app.state.site = Site(
        settings=settings,
        policy=REPLICATION if settings.policy == "replication" else SITE,
        database=database or Database(settings.url, durability=settings.durability),
        tokens=Tokens(settings.secret.get_secret_value()),
        pages=Pages(languages.names),
        languages=languages,
        now=now,
        rng=rng or SystemRandom(),
        read_plan=read_plan,
        postbox=postbox or postbox_of(settings),
        providers=providers_of(settings),
    )
    app.mount("/static", GZipMiddleware(StaticFiles(directory=STATIC)), name="static")
    for part in (  # routes are tried in this order, so what is asked for most comes first
        play,
        api,
        start,
        learn,
        daily,
        leaderboard,
        generators,
        sign_in,
        providers,
        account,
        players,
        builds,
        language,
        docs,
        health,
        installing,
    ):
        app.include_router(part.router)
    handle_errors(app)
    app.add_middleware(Answering, languages=languages)
    app.add_middleware(SecurityHeaders)
    return app
