"""The practice board."""

from fastapi import APIRouter
from starlette.responses import Response

from app.services.genres import boarded
from app.services.standings import board
from app.web.board_views import board_view
from app.web.deps import SiteDep, Visitor
from game.modes import modes
from game.standings import Window

router = APIRouter(include_in_schema=False)


@router.get("/leaderboard")
def leaderboard(site: SiteDep, claim: Visitor, genre: str | None = None, window: Window = "all") -> Response:
    """Show the board over all genres or of one, over all time or of this month or week."""
    player_id = claim.player_id if claim else None
    with site.database.read() as db:
        genres = boarded(db, genre)
        found = board(db, next(iter(modes())), genre, player_id, now=site.now(), window=window)
    return site.pages.page("leaderboard", board_view(found, genres, player_id))
