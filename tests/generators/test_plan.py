"""Plans: what they say, what they refuse, and what becomes of them."""

import json
import re
import signal
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from generators.backends.base import Prompt
from generators.backends.fake import FakeBackend
from generators.build import Builder, Condition
from generators.deck import boundary_of
from generators.decoding import DOUBLE_QUOTES, Decoding
from generators.errors import PlanError
from generators.passage_files import read_records
from generators.plan import Wanted, read_plan
from generators.raw import Calls, FileLog
from generators.segment import Segmenter
from generators.writers import HumanWriter, ModelWriter
from tests.generators.texts import documents, judges, sentences
from tests.shell import Ran, begin

pytest.importorskip("nupunkt")
pytest.importorskip("spacy")
pytest.importorskip("profanity_check")
pytest.importorskip("py3langid")

pytestmark = pytest.mark.xdist_group("plans")
"""They share a plan that takes a while."""

PLANS = Path(__file__).parents[2] / "plans"
SMALL = """
seed = 3
[corpora]
stories = "{corpus}"
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
count = 40
[[conditions]]
genres = ["stories"]
generators = ["other"]
count = 9
"""


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    """A plan for texts of dice."""
    return small_plan(tmp_path)


def small_plan(tmp_path: Path) -> Path:
    corpus = tmp_path / "mine.txt"
    corpus.write_text("\n".join(" ".join(sentences(60, at)) for at in range(30)), encoding="utf-8")
    path = tmp_path / "plan.toml"
    path.write_text(SMALL.format(corpus=corpus), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.toml")), ids=lambda path: path.stem)
def test_a_plan_that_we_ship_can_be_read(path: Path) -> None:
    assert read_plan(path).wanted


def test_every_combination_is_a_condition_of_its_own(plan_file: Path) -> None:
    assert read_plan(plan_file).wanted == [
        Wanted("stories", "a", "low", 40),
        Wanted("stories", "a", "high", 40),
        Wanted("stories", "other", None, 9),
    ]


def test_a_decoding_of_a_plan_suppresses_quotes_unless_it_says_otherwise(plan_file: Path) -> None:
    plan_file.write_text(plan_file.read_text().replace("temperature = 1.5", 'suppressed = "#"'))
    decodings = read_plan(plan_file).decodings
    assert decodings == {
        "plain": Decoding(suppressed=DOUBLE_QUOTES),
        "low": Decoding(top_p=0.4, suppressed=DOUBLE_QUOTES),
        "high": Decoding(suppressed="#"),
    }


def test_prose_is_cut_by_rules_unless_a_plan_names_the_parser(plan_file: Path) -> None:
    assert read_plan(plan_file).segmenter is Segmenter.RULES
    plan_file.write_text('segmenter = "parser"\n' + plan_file.read_text())
    assert read_plan(plan_file).segmenter is Segmenter.PARSER


def test_an_instruct_model_on_this_machine_is_named_in_a_plan(plan_file: Path) -> None:
    plan_file.write_text(
        plan_file.read_text().replace('backend = "fake"', 'backend = "transformers"\nchat = true')
    )
    assert read_plan(plan_file).generators["a"].chat


def test_the_papers_plan_changes_one_thing_at_a_time() -> None:
    plan = read_plan(PLANS / "paper.toml")
    base = plan.decodings["base"].record()
    for name in ("greedy", "pure"):
        changed = {key for key, value in plan.decodings[name].record().items() if base[key] != value}
        assert changed == {"top_p"}


@pytest.mark.parametrize(
    ("found", "put", "sentence"),
    [
        ('generators = ["a"]', 'generators = ["b"]', "there is no generator “b”"),
        ('decodings = ["low", "high"]', 'decodings = ["lower"]', "there is no decoding “lower”"),
        ("top_p = 0.4", "top_p = 4", "decodings.low: top_p lies between 0 and 1."),
        ("top_p = 0.4", "top_b = 0.4", "decodings.low.top_b: "),
        ("top_p = 0.4", 'top_p = "low"', "decodings.low.top_p: Input should be a valid number"),
        (
            'backend = "fake"',
            'backend = "fake"\nchat = true',
            "generators.a: only the back ends transformers",
        ),
        ("seed = 3", 'segmenter = "ruler"', "segmenter: Input should be 'rules' or 'parser'"),
        ("count = 40", "count = 0", "conditions.0.count: Input should be greater than"),
        ("count = 40", "", "conditions.0.count: Field required"),
        ('backend = "fake"', 'backend = "oracle"', "generators.a.backend: Input should be 'transformers'"),
        ("seed = 3", "sead = 3", "sead: Extra inputs are not permitted"),
        ("seed = 3", "seed = ", "is not TOML"),
        ("seed = 3", "unsafe = 0", "wrong at unsafe: Input should be greater than 0."),
        ("seed = 3", "unsafe = 1.5", "wrong at unsafe: Input should be less than or equal to 1."),
        ("seed = 3", "unsafe = true", "wrong at unsafe: Input should be a valid number."),
    ],
)
def test_a_wrong_plan_is_refused_with_the_place(plan_file: Path, found: str, put: str, sentence: str) -> None:
    plan_file.write_text(plan_file.read_text().replace(found, put, 1))
    with pytest.raises(PlanError) as caught:
        read_plan(plan_file)
    assert sentence in str(caught.value)
    assert re.search(r"[^.]\.$", str(caught.value))


def command(plan_file: Path, folder: Path, *more: str) -> list[str]:
    return ["passages", "build", "--plan", str(plan_file), "--out", str(folder), *more]


def run(plan_file: Path, folder: Path, *more: str) -> Ran:
    return begin(*command(plan_file, folder, *more)).wait()


def killed(plan_file: Path, folder: Path, *more: str, after: int) -> None:
    """Start the command and kill it when so many bytes of raw continuations are there."""
    log = folder / "raw" / "a.jsonl"
    build = begin(*command(plan_file, folder, *more))
    until = time.monotonic() + 60
    while not log.exists() or log.stat().st_size < after:
        assert not build.is_over, "It ended before it could be killed."
        assert time.monotonic() < until
        time.sleep(0.001)
    build.interrupt(signal.SIGKILL)
    assert build.wait().returncode == -signal.SIGKILL


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A plan that was carried out undisturbed."""
    folder = tmp_path_factory.mktemp("alone")
    done = run(small_plan(folder), folder / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("Kept 89 passages in")
    return folder / "out"


def test_a_plan_killed_twice_and_resumed_equals_one_that_was_left_alone(
    alone: Path, plan_file: Path, tmp_path: Path
) -> None:
    hunted = tmp_path / "hunted"
    size = (alone / "raw" / "a.jsonl").stat().st_size

    killed(plan_file, hunted, after=1)
    killed(plan_file, hunted, "--resume", after=size // 2)
    assert run(plan_file, hunted, "--resume").returncode == 0

    for name in ("passages.jsonl", "manifest.json"):
        assert (hunted / name).read_bytes() == (alone / name).read_bytes()


def test_a_plan_fills_every_cell_and_tells_the_tale(alone: Path) -> None:
    records = read_records(alone / "passages.jsonl")
    manifest = json.loads((alone / "manifest.json").read_text())

    assert [one["kept"] for one in manifest["conditions"]] == [40, 40, 9]
    assert manifest["conditions"][0]["boundaries"] == {str(at): 4 for at in range(1, 11)}
    assert manifest["conditions"][1]["decoding"]["temperature"] == 1.5
    assert len({record.id for record in records}) == len(records) == manifest["kept"] == 89


def test_work_of_an_earlier_run_is_not_thrown_away_by_mistake(alone: Path, plan_file: Path) -> None:
    before = (alone / "raw" / "a.jsonl").read_bytes()

    again = run(plan_file, alone)

    assert again.returncode == 1
    assert "--resume" in again.stderr
    assert (alone / "raw" / "a.jsonl").read_bytes() == before


def test_when_the_texts_do_not_suffice_what_there_is_is_kept_and_balanced(
    plan_file: Path, tmp_path: Path
) -> None:
    plan_file.write_text(plan_file.read_text().replace("count = 40", "count = 4000"))
    (tmp_path / "mine.txt").write_text(" ".join(sentences(40, 1)))

    done = run(plan_file, tmp_path / "out")

    assert done.returncode == 1
    assert "of 4000 passages could be made of stories by a, low" in done.stderr
    counts = Counter(
        str(record.generator.decoding["top_p"])
        for record in read_records(tmp_path / "out" / "passages.jsonl")
        if record.generator
    )
    assert min(counts.values()) > 0


def writer(tmp_path: Path, *, batch: int = 8) -> ModelWriter:
    log = Calls(FileLog(tmp_path / "raw.jsonl", resume=False))
    return ModelWriter(FakeBackend(batch), Decoding(), log)


def test_the_condition_that_lags_goes_on(tmp_path: Path) -> None:
    builder = Builder({"stories": documents(40)}, 1, judges())
    gaps: list[float] = []

    builder.fill(
        [Condition("stories", writer(tmp_path, batch=2), count) for count in (20, 40)],
        watch=lambda now: gaps.append(abs(now[0].share - now[1].share)),
    )

    assert gaps[-1] == 0
    assert max(gaps) <= 2 / 20


def test_a_control_code_stands_before_the_prompt_and_in_the_record(tmp_path: Path) -> None:
    asked: list[str] = []

    class Listening(FakeBackend):
        def continuations(
            self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
        ) -> Sequence[str]:
            asked.extend(prompt.text for prompt in prompts)
            return super().continuations(prompts, decoding, seeds=seeds)

    log = Calls(FileLog(tmp_path / "raw.jsonl", resume=False))
    listening = ModelWriter(Listening(), Decoding(), log, ["Politics", "Books"])
    builder = Builder({"stories": documents(20)}, 1, judges())
    (tally,) = builder.fill([Condition("stories", listening, 40)])

    codes = Counter(record.generator.decoding["control_code"] for record in tally.kept if record.generator)
    assert set(codes) == {"Politics", "Books"}
    assert {text.split(" ")[0] for text in asked} == {"Politics", "Books"}
    for record in tally.kept:
        assert not (record.sentences[0].text or "").startswith(("Politics", "Books"))


def test_without_control_codes_the_record_has_none(tmp_path: Path) -> None:
    builder = Builder({"stories": documents(20)}, 1, judges())
    (tally,) = builder.fill([Condition("stories", writer(tmp_path), 20)])
    for record in tally.kept:
        assert record.generator is None or "control_code" not in record.generator.decoding


def test_conditions_of_one_genre_do_not_repeat_each_other(tmp_path: Path) -> None:
    builder = Builder({"stories": documents(40)}, 1, judges())
    one, two = builder.fill(
        [Condition("stories", writer(tmp_path), 40), Condition("stories", HumanWriter(), 10)]
    )
    shown = [
        (record.source.document, record.source.offsets)
        for record in [*one.kept, *two.kept]
        if boundary_of(record) == 10
    ]
    assert len(set(shown)) == len(shown) == 14
