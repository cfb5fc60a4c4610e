"""Profiles."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.services.profiles import profile_of
from app.web.deps import SiteDep, Visitor
from app.web.profile_views import profile_view

router = APIRouter(prefix="/players", include_in_schema=False)


@router.get("/{handle}")
def show_player(site: SiteDep, claim: Visitor, handle: str) -> Response:
    """Show what a player's rounds add up to; a name that was given up leads to the new one."""
    with site.database.read() as db:
        found = profile_of(db, handle, claim.player_id if claim else None)
    if found.person.handle != handle:
        return RedirectResponse(f"/players/{found.person.handle}", status_code=302)
    is_own = claim is not None and claim.player_id == found.person.player_id
    return site.pages.page("player", profile_view(found, is_own=is_own))
