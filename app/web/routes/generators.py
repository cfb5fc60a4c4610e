"""Which machine fools people."""

from fastapi import APIRouter
from starlette.responses import Response

from app.services.publishing import publication
from app.web.deps import SiteDep
from app.web.rating_views import generators_view
from game.modes import modes

router = APIRouter(include_in_schema=False)


@router.get("/generators")
def show_generators(site: SiteDep) -> Response:
    """Show what players earn on the texts of each generator."""
    with site.database.read() as db:
        found = publication(db, next(iter(modes())))
    return site.pages.page("generators", generators_view(found))
