"""Builds on both databases: carried out by real worker processes, killed, cancelled, tried again."""

import json
import re
import signal
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.errors import BadPlanError
from app.services.building import cancel_build, submit_build
from app.services.signing_in import new_user
from app.settings import Settings
from app.store.builds import StoredBuild, stored_build
from app.store.database import Database
from app.store.players import person_named
from cli.planning import plan_reader
from tests.generators.texts import sentences
from tests.shell import Running, begin, variables_of

pytest.importorskip("nupunkt")
pytest.importorskip("spacy")

pytestmark = pytest.mark.xdist_group("worker")

PATIENCE_S = 120
PLAN = """
seed = 3
[corpora]
stories = "mine.txt"
[generators.a]
backend = "fake"
[generators.other]
backend = "splice"
[decodings.low]
top_p = 0.4
[decodings.high]
temperature = 1.5
[[conditions]]
genres = ["stories"]
generators = ["a"]
decodings = ["low", "high"]
count = 20
[[conditions]]
genres = ["stories"]
generators = ["other"]
count = 9
"""
SHORT = """
[corpora]
stories = "one.txt"
[generators.other]
backend = "splice"
[[conditions]]
genres = ["stories"]
generators = ["other"]
count = 9
"""
SERVED = """
[generators.far]
backend = "openai"
model = "m"
endpoint = "http://127.0.0.1:{port}/v1"
[[conditions]]
genres = ["stories"]
generators = ["far"]
count = 10
[corpora]
stories = "mine.txt"
"""


@dataclass
class Works:
    """A site with a corpus, its researcher, and workers."""

    settings: Settings
    database: Database
    researcher: str
    extra: Mapping[str, str] = field(default_factory=dict)
    started: list[Running] = field(default_factory=list[Running])

    def submit(self, plan: str = PLAN) -> str:
        """Submit a plan as the page does."""
        settings = self.settings.model_copy(update={"endpoints": self.extra.get("ROFT_ENDPOINTS", "")})
        outline = plan_reader(settings)(plan)
        with self.database.write() as db:
            return submit_build(db, self.researcher, "A build", plan, outline, now=datetime.now(UTC))

    @property
    def variables(self) -> dict[str, str]:
        """What a worker finds in its environment; the folder of locks is the site's own."""
        return {
            **variables_of(self.settings),
            "TMPDIR": str(self.settings.home),
            "OMP_NUM_THREADS": "1",
            **self.extra,
        }

    def worker(self, *options: str) -> Running:
        """Start a worker."""
        self.started.append(begin("worker", *options, variables=self.variables))
        return self.started[-1]

    def run(self) -> None:
        """Let a worker do what can be done now."""
        ran = self.worker("--until-empty").wait()
        assert ran.returncode == 0, ran.stderr

    def build(self, build_id: str) -> StoredBuild:
        """Return a build as it stands."""
        with self.database.read() as db:
            found = stored_build(db, build_id)
        assert found is not None
        return found

    def kept(self, build_id: str) -> list[Any]:
        """Return the passages of a build, in order."""
        question = (
            "SELECT condition, number, passage_id FROM build_passage WHERE build_id = :id ORDER BY 1, 2"
        )
        with self.database.read() as db:
            return [tuple(row) for row in db.execute(text(question), {"id": build_id})]

    def batches(self) -> int:
        """Return how many calls of models are kept."""
        with self.database.read() as db:
            return int(db.execute(text("SELECT count(*) FROM batch")).scalar_one())

    def await_batches(self, number: int) -> None:
        """Wait until so many calls were made."""
        until = time.monotonic() + PATIENCE_S
        while self.batches() < number:
            assert time.monotonic() < until
            time.sleep(0.02)

    def let_time_pass(self) -> None:
        """Make every heartbeat of a worker a minute older."""
        if self.database.engine.dialect.name == "postgresql":
            older = "UPDATE queue.procrastinate_workers SET last_heartbeat = now() - interval '1 minute'"
            with self.database.write() as db:
                db.execute(text(older))


@pytest.fixture
def works(settings: Settings, database: Database) -> Iterator[Works]:
    """A site whose operator has put a corpus into the folder for corpora."""
    (settings.home / "corpora").mkdir()
    texts = [" ".join(sentences(60, at)) for at in range(30)]
    (settings.home / "corpora" / "mine.txt").write_text("\n".join(texts), encoding="utf-8")
    (settings.home / "corpora" / "one.txt").write_text(texts[0], encoding="utf-8")
    with database.write() as db:
        new_user(db, "ada", "researcher", now=datetime.now(UTC))
        claim = person_named(db, "ada")
    assert claim is not None
    works = Works(settings, database, claim.player_id)
    yield works
    for one in works.started:
        one.interrupt(signal.SIGKILL)
        one.wait()


def test_a_worker_carries_out_what_waits_and_a_killed_one_leaves_neither_gap_nor_double(
    works: Works,
) -> None:
    undisturbed = works.submit()
    works.run()
    found = works.build(undisturbed)
    assert (found.status, found.attempts, found.sentence) == ("done", 1, None)
    assert [one["kept"] for one in (found.progress or {})["conditions"]] == [20, 20, 9]
    assert len(works.kept(undisturbed)) == 49
    assert found.manifest is not None
    assert found.manifest["kept"] == 49
    calls = works.batches()
    _forget_batches(works)

    killed = works.submit()
    for more in (1, 2):
        before = works.batches()
        worker = works.worker()
        works.await_batches(before + more)
        worker.interrupt(signal.SIGKILL)
        assert worker.wait().returncode == -signal.SIGKILL
        assert works.build(killed).status == "running"
        works.let_time_pass()
    works.run()

    assert works.build(killed).attempts == 1
    assert works.build(killed).status == "done"
    assert works.kept(killed) == works.kept(undisturbed)
    assert works.batches() == calls
    assert works.build(killed).manifest == found.manifest


def test_a_running_build_that_is_cancelled_stops_and_keeps_nothing(works: Works) -> None:
    build_id = works.submit(PLAN.replace("count = 20", "count = 400"))
    works.worker()
    works.await_batches(2)
    with works.database.write() as db:
        cancel_build(db, build_id, now=datetime.now(UTC))
    _await(works, build_id, "cancelled")

    assert works.kept(build_id) == []


def test_a_worker_that_is_told_to_leave_hands_its_build_on(works: Works) -> None:
    build_id = works.submit(PLAN.replace("count = 20", "count = 60"))
    worker = works.worker()
    works.await_batches(2)
    worker.interrupt(signal.SIGTERM)
    assert worker.wait().returncode == 0
    assert works.build(build_id).status == "waiting"
    works.run()

    assert works.build(build_id).status == "done"
    assert len(works.kept(build_id)) == 129


def test_a_build_that_cannot_be_made_says_why(works: Works) -> None:
    missing = works.submit(PLAN.replace("mine.txt", "yours.txt"))
    short = works.submit(SHORT)
    works.run()

    assert works.build(missing).status == "failed"
    assert "yours.txt" in (works.build(missing).sentence or "")
    assert works.build(short).status == "done"
    assert "Only 0 of 9 passages could be made of stories by other" in (works.build(short).sentence or "")


def test_a_server_that_is_not_there_is_tried_again_later(works: Works) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    works.extra = {"ROFT_ENDPOINTS": f"http://127.0.0.1:{port}/v1"}
    build_id = works.submit(SERVED.format(port=port))
    works.run()

    found = works.build(build_id)
    assert (found.status, found.attempts) == ("waiting", 1)
    assert "Will be tried again: " in (found.sentence or "")


def test_two_workers_do_not_share_a_device(works: Works) -> None:
    works.submit(PLAN.replace("count = 20", "count = 400"))
    works.worker()
    works.await_batches(1)
    second = works.worker("--until-empty").wait()

    assert second.returncode == 1
    assert second.stderr.strip() == (
        "Another worker is at work on this machine; stop it, or give each a GPU by --gpu."
    )


@pytest.mark.parametrize(
    ("found", "put", "sentence"),
    [
        ('"mine.txt"', '"/etc/passwd"', "There is no corpus “/etc/passwd” here"),
        ('"mine.txt"', '"../secret"', "There is no corpus “../secret” here"),
        ('backend = "fake"', 'backend = "transformers"\nmodel = "/models/x"', "names a model of its own"),
        ('backend = "fake"', 'backend = "transformers"\nmodel = "../x"', "names a model of its own"),
        ('backend = "fake"', 'backend = "transformers"\nmodel = "app"', "names a model of its own"),
        ('backend = "fake"', 'backend = "transformers"\nmodel = "tests/app"', "names a model of its own"),
        ('"mine.txt"', '"hf:tests/app"', "is a folder of this machine"),
        ('"mine.txt"', '"hf:nothing"', "is no data set"),
        ('genres = ["stories"]', 'genres = ["odes"]', "There is no corpus for the genre odes"),
        (
            'backend = "fake"',
            'backend = "openai"\nmodel = "x"\nendpoint = "http://10.0.0.1/v1"',
            "asks a server that this site may not ask",
        ),
        ("count = 9", "count = 0", "The plan is wrong at conditions.1.count"),
        ("count = 9", "count = 1_000_000_000", "The plan is wrong at conditions.1.count"),
        ("seed = 3", "seed = ", "The plan is not TOML"),
        ("seed = 3", f"seed = {'9' * 5000}", "The plan is not TOML"),
        ("seed = 3", f"a = {'[' * 9000}", "The plan is not TOML"),
        ("temperature = 1.5", "temperature = inf", "Temperature and penalties are finite numbers"),
        ("[generators.a]", '[generators."a\\u0000"]', "The plan is wrong at generators"),
        (
            'decodings = ["low", "high"]',
            'decodings = ["low", "low"]',
            "“stories, a, low” twice",
        ),
        ('["low", "high"]', str(["low"] * 600).replace("'", '"'), "a plan has 500 conditions at most"),
    ],
)
def test_a_plan_from_a_page_names_no_path_and_no_server_of_its_own(
    tmp_path: Path, found: str, put: str, sentence: str
) -> None:
    with pytest.raises(BadPlanError, match=re.escape(sentence)):
        plan_reader(Settings(home=tmp_path))(PLAN.replace(found, put))


def _forget_batches(works: Works) -> None:
    """Begin with an empty log: what is kept of calls is only removed where the trigger is off."""
    with works.database.write() as db:
        if works.database.engine.dialect.name == "sqlite":
            db.execute(text("DROP TRIGGER batch_no_DELETE"))
        else:
            db.execute(text("ALTER TABLE batch DISABLE TRIGGER batch_append_only"))
        db.execute(text("DELETE FROM batch"))


def _await(works: Works, build_id: str, status: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while works.build(build_id).status != status:
        assert time.monotonic() < until, json.dumps(works.build(build_id).progress)
        time.sleep(0.05)
