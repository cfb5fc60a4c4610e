"""The queue of builds: procrastinate's on PostgreSQL; on SQLite the table of builds itself."""

import procrastinate
from sqlalchemy import Connection, text

from app.store.builds import going_builds

SCHEMA = "queue"
"""Of the database; procrastinate's tables lie there by themselves."""
BUILD_TASK = "build"
QUEUE = "builds"

_deferring = procrastinate.App(connector=procrastinate.SyncPsycopgConnector())


def enqueue_build(db: Connection, build_id: str) -> None:
    """Put a build into the queue; with the transaction it is there or not.

    Its lock lets no two workers carry out the same build at a time.
    """
    if db.dialect.name == "sqlite":
        return
    db.execute(text(f"SET LOCAL search_path TO {SCHEMA}"))
    _deferring.configure_task(
        BUILD_TASK,
        queue=QUEUE,
        lock=build_id,
        queueing_lock=build_id,
        connection=db.connection.driver_connection,
    ).defer(build_id=build_id)
    db.execute(text("SET LOCAL search_path TO DEFAULT"))


def lost_builds(db: Connection) -> list[str]:
    """Return the builds that have not ended and are in no queue, whatever became of their job."""
    queued = text(f"SELECT lock FROM {SCHEMA}.procrastinate_jobs WHERE status IN ('todo', 'doing')")  # noqa: S608
    locks = set(db.execute(queued).scalars())
    return [build_id for build_id in going_builds(db) if build_id not in locks]
