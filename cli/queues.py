"""Where a worker finds builds: procrastinate's queue, or on SQLite the table itself."""

import asyncio
import fcntl
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

import procrastinate
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from procrastinate.jobs import Job
from sqlalchemy import make_url

from app.store.builds import going_builds
from app.store.database import Database
from app.store.queue import BUILD_TASK, QUEUE, SCHEMA, enqueue_build, lost_builds

LOOK_EVERY_S = 2.0
STALLED_S = 30.0
"""Seconds without a heartbeat after which a worker counts as dead, and its build goes to another."""
GRACE_S = 1.0
"""Seconds that a build may take to end by itself when the worker is told to leave."""

IsLeaving = Callable[[], bool]
Work = Callable[[str, IsLeaving], None]
"""Carries out the build of an id, and asks now and then whether to leave."""


class LeavingError(Exception):
    """The worker was told to leave; the build goes on with the next one."""


class AgainError(Exception):
    """An attempt failed in a way that another may not.

    Attributes:
        wait_s: seconds to wait before it.
    """

    def __init__(self, sentence: str, wait_s: float) -> None:
        super().__init__(sentence)
        self.wait_s = wait_s


def work_through(database: Database, home: Path, work: Work, *, until_empty: bool) -> None:
    """Carry builds out as they come; with `until_empty`, only those that can be done now."""
    if database.engine.dialect.name == "sqlite":
        _work_through_table(database, home / "builds", work, until_empty=until_empty)
    else:
        asyncio.run(_work_through_queue(database, work, until_empty=until_empty))


def _work_through_table(database: Database, claims: Path, work: Work, *, until_empty: bool) -> None:
    """Take the oldest build that no worker holds; a worker that dies lets go of its build."""
    claims.mkdir(parents=True, exist_ok=True)
    is_leaving = _told_to_leave()
    while not is_leaving():
        if _work_on_next(database, claims, work, is_leaving):
            continue
        if until_empty:
            return
        time.sleep(LOOK_EVERY_S)


def _work_on_next(database: Database, claims: Path, work: Work, is_leaving: IsLeaving) -> bool:
    """Carry out one build; False if none can be done now."""
    with database.read() as db:
        going = going_builds(db, now=datetime.now(UTC))
    for build_id in going:
        with _claim(claims / f"{build_id}.lock") as is_ours:
            if is_ours:
                with suppress(AgainError, LeavingError):
                    work(build_id, is_leaving)
                return True
    return False


@contextmanager
def _claim(path: Path) -> Generator[bool]:
    """Hold a build; the file stays, for somebody may be waiting at it."""
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def _told_to_leave() -> IsLeaving:
    """Return whether the process was asked to end since now; asked twice, it ends at once."""
    told: list[int] = []

    def hear(number: int, _: FrameType | None) -> None:
        told.append(number)
        signal.signal(number, signal.SIG_DFL)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hear)
    return lambda: bool(told)


async def _work_through_queue(database: Database, work: Work, *, until_empty: bool) -> None:
    app = _queue(database, work)
    async with app.open_async():
        await _hand_on(app, database)
        await app.run_worker_async(
            queues=[QUEUE],
            wait=not until_empty,
            delete_jobs="successful",
            shutdown_graceful_timeout=GRACE_S,
            stalled_worker_timeout=STALLED_S,
        )


def _queue(database: Database, work: Work) -> procrastinate.App:
    address = make_url(database.url).set(drivername="postgresql").render_as_string(hide_password=False)
    connector = procrastinate.PsycopgConnector(
        conninfo=address, kwargs={"options": f"-c search_path={SCHEMA}"}
    )
    app = procrastinate.App(connector=connector)

    @app.task(name=BUILD_TASK, queue=QUEUE, pass_context=True, retry=_Again())
    def build(context: procrastinate.JobContext, build_id: str) -> None:
        work(build_id, context.should_abort)

    @app.periodic(cron="* * * * *")
    @app.task(name="hand-on", queue=QUEUE, queueing_lock="hand-on")
    async def hand_on(timestamp: int) -> None:  # noqa: ARG001
        await _hand_on(app, database)

    return app


async def _hand_on(app: procrastinate.App, database: Database) -> None:
    """Put the builds of dead workers back into the queue, and those that fell out of it.

    Two workers may try at once: whoever comes second finds the job changed, or queued.
    """
    stalled = await app.job_manager.get_stalled_jobs(task_name=BUILD_TASK, seconds_since_heartbeat=STALLED_S)
    for job in stalled:
        with suppress(ConnectorException):
            await app.job_manager.retry_job(job)
    await asyncio.to_thread(_enqueue_lost, database)


def _enqueue_lost(database: Database) -> None:
    with database.read() as db:
        lost = lost_builds(db)
    for build_id in lost:
        with suppress(AlreadyEnqueued), database.write() as db:
            enqueue_build(db, build_id)


class _Again(procrastinate.BaseRetryStrategy):
    """Asks the exception how long to wait; the build itself counts its attempts."""

    def get_retry_decision(
        self,
        *,
        exception: BaseException,
        job: Job,  # noqa: ARG002
    ) -> procrastinate.RetryDecision:
        """Return when the build is to be taken up again."""
        if isinstance(exception, LeavingError):
            return procrastinate.RetryDecision(retry_in={"seconds": 0})
        wait_s = exception.wait_s if isinstance(exception, AgainError) else STALLED_S
        return procrastinate.RetryDecision(retry_in={"seconds": int(wait_s)})
