"""`roft worker`: carries builds out, one after the other."""

import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

import typer

from app.errors import BadPlanError
from app.services.building import ConditionProgress, Kept, Progress, finish_build, note_progress
from app.settings import Settings
from app.store.builds import (
    StoredBuild,
    add_batch,
    batch_texts,
    begin_build,
    end_build,
    stored_build,
    wait_again,
)
from app.store.database import Database
from cli.devices import alone_on
from cli.opening import migrated_database
from cli.passages import MOST_DOCUMENTS
from cli.planning import submitted_plan
from cli.queues import AgainError, IsLeaving, LeavingError, work_through
from generators import manifest
from generators.build import Tally, whole
from generators.corpora import read, resolve
from generators.errors import EndpointError, GenerationError, TooFewPassagesError
from generators.judges import installed_judges
from generators.plan import Plan
from generators.raw import Batch, Calls
from generators.running import Built, Store, carry_out

log = logging.getLogger("roft.worker")

Gpu = Annotated[
    int | None, typer.Option(min=0, help="Number of the GPU to work on; without it, the CPU or all GPUs.")
]
UntilEmpty = Annotated[bool, typer.Option("--until-empty", help="End when nothing is left to do now.")]

MOST_ATTEMPTS = 5
FIRST_WAIT_S = 30.0
EACH_LONGER = 4
"""The second attempt waits half a minute, the third two, the fourth eight."""
SAY_EVERY_S = 1.0
"""Seconds between two words of progress."""


class StoppedError(Exception):
    """Somebody cancelled the build."""


@dataclass(frozen=True)
class StoredBatches:
    """What models wrote, in the database, where every worker finds it."""

    database: Database

    def find(self, key: str) -> Sequence[str] | None:
        """Return what was written in a call."""
        with self.database.read() as db:
            return batch_texts(db, key)

    def keep(self, key: str, batch: Batch) -> None:
        """Keep what was written in a call."""
        row = {
            "key": key,
            "texts": list(batch.texts),
            "tokens": batch.tokens,
            "seconds": batch.seconds,
            "made_at": datetime.now(UTC),
        }
        with self.database.write() as db:
            add_batch(db, row)


@dataclass(frozen=True)
class Carrier:
    """Carries builds out on this machine."""

    database: Database
    settings: Settings

    def carry_out(self, build_id: str, is_leaving: IsLeaving) -> None:
        """Carry a build out, or go on with it; one that has ended stays as it is.

        Raises:
            AgainError: it failed in a way that another attempt may not.
            LeavingError: the worker was told to leave before it was done.
        """
        with self.database.write() as db:
            if not begin_build(db, build_id, now=datetime.now(UTC)):
                return
            build = stored_build(db, build_id)
        assert build is not None  # noqa: S101 - it was begun
        log.info("build %s (%s), attempt %d", build_id, build.title, build.attempts)
        try:
            self._attempt(build, is_leaving)
        except StoppedError:
            self._end(build_id, "cancelled", None)
        except LeavingError:
            raise
        except EndpointError as error:  # it may be started, or mended, meanwhile
            self._again(build, str(error), error)
        except (GenerationError, BadPlanError) as error:
            self._end(build_id, "failed", str(error))
        except Exception as error:
            log.exception("build %s broke", build_id)
            self._again(
                build, f"Something broke ({type(error).__name__}); the worker's log says more.", error
            )

    def _attempt(self, build: StoredBuild, is_leaving: IsLeaving) -> None:
        plan = submitted_plan(build.plan, self.settings)
        readings = {
            genre: read(plan.corpora.get(genre), genre, seed=plan.seed, most=MOST_DOCUMENTS)
            for genre in plan.genres
        }
        word = _Word(self.database, build.id, plan, is_leaving)
        store = Store(self.settings.home / "models", word.calls_of)
        texts = {genre: reading.documents for genre, reading in readings.items()}
        built = carry_out(plan, texts, installed_judges(plan.unsafe), store, watch=word.say)
        described = manifest.plan_manifest(plan, built, readings)
        word.say([one.tally for one in built], at_once=True)
        with self.database.write() as db:
            finish_build(
                db,
                build.id,
                [_kept(one.tally) for one in built],
                described,
                sentence=_lack(built),
                resolve=resolve,
                now=datetime.now(UTC),
            )
        log.info("build %s done", build.id)

    def _again(self, build: StoredBuild, sentence: str, error: Exception) -> None:
        if build.attempts >= MOST_ATTEMPTS:
            self._end(build.id, "failed", f"Given up after {build.attempts} attempts: {sentence}")
            return
        with self.database.write() as db:
            wait_again(db, build.id, f"Will be tried again: {sentence}")
        raise AgainError(sentence, FIRST_WAIT_S * EACH_LONGER ** (build.attempts - 1)) from error

    def _end(self, build_id: str, status: str, sentence: str | None) -> None:
        with self.database.write() as db:
            end_build(db, build_id, status, now=datetime.now(UTC), sentence=sentence)
        log.info("build %s %s", build_id, status)


@dataclass
class _Word:
    """Says how far an attempt is, and hears whether it is to stop."""

    database: Database
    build_id: str
    plan: Plan
    is_leaving: IsLeaving
    _calls: list[Calls] = field(default_factory=list[Calls])
    _begun: float = field(default_factory=time.monotonic)
    _said: float = 0.0
    _at_first: int | None = None

    def calls_of(self, _: str) -> Calls:
        calls = Calls(StoredBatches(self.database))
        self._calls.append(calls)
        return calls

    def say(self, tallies: Sequence[Tally], *, at_once: bool = False) -> None:
        if self.is_leaving():
            raise LeavingError
        now = time.monotonic()
        if now - self._said < SAY_EVERY_S and not at_once:
            return
        self._said = now
        with self.database.write() as db:
            if note_progress(db, self.build_id, self._progress(tallies, now)):
                raise StoppedError

    def _progress(self, tallies: Sequence[Tally], now: float) -> Progress:
        kept = sum(len(tally.kept) for tally in tallies)
        lacking = sum(one.count for one in self.plan.wanted) - kept
        self._at_first = kept if self._at_first is None else self._at_first
        gained = kept - self._at_first
        tokens, seconds = sum(one.tokens for one in self._calls), sum(one.seconds for one in self._calls)
        return Progress(
            conditions=[ConditionProgress(len(one.kept), dict(one.refused)) for one in tallies],
            tokens_per_second=tokens / seconds if seconds else None,
            seconds_left=lacking * (now - self._begun) / gained if gained else None,
        )


def _kept(tally: Tally) -> Kept:
    return Kept([one.id for one in tally.kept], [one.model_dump_json() for one in tally.kept])


def _lack(built: Sequence[Built]) -> str | None:
    """Say which conditions could not be filled."""
    sentences: list[str] = []
    for one in built:
        try:
            whole(one.wanted, one.tally)
        except TooFewPassagesError as error:
            sentences.append(str(error))
    return " ".join(sentences) or None


def register(app: typer.Typer) -> None:
    """Add the command to the top level."""
    app.command("worker")(run_worker)


def run_worker(gpu: Gpu = None, until_empty: UntilEmpty = False) -> None:
    """Carry out the builds that researchers submit, one after the other.

    A build that was interrupted goes on where it was. Start one worker for each GPU.

    Example: roft worker --gpu 0
    """
    settings = Settings()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    logging.getLogger("procrastinate").setLevel(logging.WARNING)
    database = migrated_database(settings)
    with alone_on(gpu):
        print("Waiting for builds  (stop it with Ctrl-C)", file=sys.stderr)
        work_through(database, settings.home, Carrier(database, settings).carry_out, until_empty=until_empty)
