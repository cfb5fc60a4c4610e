"""Tuning on a genre: held-out texts get likelier, and what comes out can generate."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from generators.backends.base import Prompt
from generators.corpora.document import Document
from generators.decoding import Decoding
from generators.errors import TooFewPassagesError
from generators.segment import Unit
from tests.generators.texts import documents

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")

from generators.backends.transformers import TransformersBackend
from generators.tuning import Tuned, Tuning, tune


@pytest.fixture(scope="module")
def texts() -> Sequence[Document]:
    return documents(60, length=12)


@pytest.fixture(scope="module")
def tuned(
    tiny: Path, texts: Sequence[Document], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Tuned]:
    out = tmp_path_factory.mktemp("tuned")
    tuning = Tuning(str(tiny), steps=40, batch=16, tokens=64, rate=5e-3)
    return out, tune(tuning, texts, out, cache=tiny)


def test_texts_that_were_held_out_get_likelier(tuned: tuple[Path, Tuned]) -> None:
    _, result = tuned
    assert result.after < 0.8 * result.before
    assert result.documents + result.held_out == 60


def test_the_folder_says_what_was_done(tuned: tuple[Path, Tuned]) -> None:
    out, result = tuned
    told = json.loads((out / "tuning.json").read_text())
    assert told["after"] == result.after
    assert told["steps"] == 40
    assert told["revision"].startswith("sha256:")
    assert told["corpora"] == ["tests, 1, none"]


def test_the_tuned_model_generates_by_its_folder(tuned: tuple[Path, Tuned], tiny: Path) -> None:
    out, _ = tuned
    backend = TransformersBackend(str(out), cache=tiny, dtype="float32")
    (text,) = backend.continuations(
        [Prompt("The baker sold two letters.", Unit.SENTENCE, 1)], Decoding(top_p=0.5), seeds=[1]
    )
    assert text
    assert backend.revision != TransformersBackend(str(tiny), cache=tiny, dtype="float32").revision


def test_the_best_checkpoint_is_kept_not_the_last(
    tiny: Path, texts: Sequence[Document], tmp_path: Path
) -> None:
    """At such a rate later steps undo what the first ones did."""
    ruinous = Tuning(str(tiny), steps=20, batch=16, tokens=64, rate=0.5)
    result = tune(ruinous, texts, tmp_path, cache=tiny)
    states = [json.loads(path.read_text()) for path in tmp_path.glob("checkpoints/*/trainer_state.json")]
    losses = {
        entry["step"]: entry["eval_loss"]
        for state in states
        for entry in state["log_history"]
        if "eval_loss" in entry and entry["step"]
    }
    assert len(losses) == 5
    assert result.best_step == min(losses, key=lambda step: losses[step])
    assert math.isclose(math.log(result.after), min(losses.values()), rel_tol=1e-3)


def test_too_few_texts_to_measure_by_are_refused(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(TooFewPassagesError, match="too few to tune by"):
        tune(Tuning(str(tiny)), documents(1), tmp_path, cache=tiny)
