"""Signs of life for whoever runs the site."""

from fastapi import APIRouter
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import PlainTextResponse, Response

from app.store.migrating import is_current
from app.web.deps import SiteDep

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> Response:
    """Say that the process answers."""
    return PlainTextResponse("ok")


@router.get("/readyz")
def readyz(site: SiteDep) -> Response:
    """Say whether the database is there and up to date."""
    try:
        ready = is_current(site.database)
    except SQLAlchemyError:
        ready = False
    return PlainTextResponse(
        "ready" if ready else "the database is missing or not migrated", 200 if ready else 503
    )
