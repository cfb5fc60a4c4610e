"""`roft worker`: carries builds out, one after the other."""

import logging
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import uuid4

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
    put_back,
    stored_build,
)
from app.store.database import Database
from cli.devices import alone_on
from cli.errors import Failure
from cli.opening import migrated_database
from cli.planning import submitted_plan
from cli.queues import AgainError, IsLeaving, LeavingError, work_through
from generators import manifest
from generators.build import Tally, whole
from generators.corpora import resolve
from generators.errors import EndpointError, GenerationError, HubError, TooFewPassagesError
from generators.judges import installed_judges
from generators.raw import Batch, Calls
from generators.running import Built, Store, carry_out, read_all

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
    """Somebody cancelled the build, or another worker took it over."""


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
        holder = uuid4().hex
        with self.database.write() as db:
            if not begin_build(db, build_id, holder, now=datetime.now(UTC)):
                return
            build = stored_build(db, build_id)
        assert build is not None  # noqa: S101 - it was begun
        log.info("build %s (%s), attempt %d", build_id, build.title, build.attempts)
        attempt = Attempt(self, build, holder, is_leaving)
        if build.attempts > MOST_ATTEMPTS:
            attempt.end(
                "failed", f"Given up: {MOST_ATTEMPTS} attempts made nothing, and ended without a word."
            )
            return
        attempt.run()


@dataclass
class Attempt:
    """One attempt at a build.

    Attributes:
        holder: tells it from others at the same build; only the last one is heard.
    """

    carrier: Carrier
    build: StoredBuild
    holder: str
    is_leaving: IsLeaving
    _calls: list[Calls] = field(default_factory=list[Calls])
    _begun: float = field(default_factory=time.monotonic)
    _said: float = 0.0
    _made: int = 0
    _at_first: int | None = None

    def run(self) -> None:
        """Make the passages and store them, or write why that did not work."""
        try:
            self._make()
        except StoppedError:
            self.end("cancelled", None)
        except LeavingError:
            self._put_back(None, 0.0)
            raise
        except (EndpointError, HubError) as error:  # it may be started, or mended, meanwhile
            self._again(str(error), error)
        except (GenerationError, BadPlanError) as error:
            self.end("failed", str(error))
        except Exception as error:
            log.exception("build %s broke", self.build.id)
            self._again(f"Something broke ({type(error).__name__}); the worker's log says more.", error)

    def end(self, status: str, sentence: str | None) -> None:
        """Write how the build ended."""
        with self.carrier.database.write() as db:
            end_build(
                db, self.build.id, self.holder, status, now=datetime.now(UTC), sentence=_storable(sentence)
            )
        log.info("build %s %s", self.build.id, status)

    def _make(self) -> None:
        settings = self.carrier.settings
        plan = submitted_plan(self.build.plan, settings)
        readings = read_all(plan, watch=self._stay)
        texts = {genre: reading.documents for genre, reading in readings.items()}
        store = Store(settings.home / "models", self._calls_of)
        built = carry_out(plan, texts, installed_judges(plan.unsafe), store, watch=self._watch)
        self._say([one.tally for one in built])
        described = manifest.plan_manifest(plan, built, readings)
        with self.carrier.database.write() as db:
            finish_build(
                db,
                self.build.id,
                self.holder,
                [_kept(one.tally) for one in built],
                described,
                sentence=_lack(built),
                resolve=resolve,
                now=datetime.now(UTC),
            )
        log.info("build %s done", self.build.id)

    def _again(self, sentence: str, error: Exception) -> None:
        """Let the build wait for another attempt, longer each time, or give it up."""
        with self.carrier.database.read() as db:
            now = stored_build(db, self.build.id)
        attempts = now.attempts if now else self.build.attempts
        if attempts >= MOST_ATTEMPTS:
            self.end("failed", f"Given up after {attempts} attempts: {sentence}")
            return
        wait_s = FIRST_WAIT_S * EACH_LONGER ** (attempts - 1)
        self._put_back(f"Will be tried again: {sentence}", wait_s)
        raise AgainError(sentence, wait_s) from error

    def _put_back(self, sentence: str | None, wait_s: float) -> None:
        now = datetime.now(UTC)
        with self.carrier.database.write() as db:
            put_back(
                db,
                self.build.id,
                self.holder,
                _storable(sentence),
                not_before=now + timedelta(seconds=wait_s),
                now=now,
            )

    def _calls_of(self, _: str) -> Calls:
        self._stay()
        calls = Calls(StoredBatches(self.carrier.database))
        self._calls.append(calls)
        return calls

    def _stay(self) -> None:
        if self.is_leaving():
            raise LeavingError

    def _watch(self, tallies: Sequence[Tally]) -> None:
        self._stay()
        if time.monotonic() - self._said >= SAY_EVERY_S:
            self._say(tallies)

    def _say(self, tallies: Sequence[Tally]) -> None:
        """Say how far it is, and hear whether to stop."""
        self._said = time.monotonic()
        made = sum(one.made for one in self._calls)
        has_news, self._made = made > self._made, made
        told = self._progress(tallies)
        with self.carrier.database.write() as db:
            if note_progress(db, self.build.id, self.holder, told, has_news=has_news):
                raise StoppedError

    def _progress(self, tallies: Sequence[Tally]) -> Progress:
        kept = sum(len(tally.kept) for tally in tallies)
        lacking = sum(condition["count"] for condition in self.build.outline) - kept
        self._at_first = kept if self._at_first is None else self._at_first
        gained = kept - self._at_first
        tokens, seconds = sum(one.tokens for one in self._calls), sum(one.seconds for one in self._calls)
        return Progress(
            conditions=[ConditionProgress(len(one.kept), dict(one.refused)) for one in tallies],
            tokens_per_second=tokens / seconds if tokens else None,
            seconds_left=lacking * (self._said - self._begun) / gained if gained else None,
        )


def _storable(sentence: str | None) -> str | None:
    """Return a sentence without the one character that PostgreSQL does not take."""
    return sentence and sentence.replace("\0", "?")


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
    for library in ("alembic", "procrastinate"):
        logging.getLogger(library).setLevel(logging.WARNING)
    database = migrated_database(settings)
    with alone_on(gpu):
        _check_judges()
        print("Waiting for builds  (stop it with Ctrl-C)", file=sys.stderr)
        work_through(database, settings.home, Carrier(database, settings).carry_out, until_empty=until_empty)


def _check_judges() -> None:
    """Refuse to take builds on a machine that can make no passage."""
    try:
        installed_judges()
    except GenerationError as error:
        raise Failure(str(error)) from error
