"""Tuning a model on the texts of a genre, as the paper did for recipes.

One document in ten is held out, by the hash of its id; perplexity is measured on those
before the first step and at every checkpoint, and the best checkpoint is kept.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators.backends.weights import weights_of
from generators.corpora.document import Document
from generators.errors import BackendMissingError, TooFewPassagesError

if TYPE_CHECKING:
    import torch

HELD_OUT = 10
"""One document in so many is never trained on."""
NOT_COUNTED = -100
"""The label of padding, which no loss counts."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How to tune.

    Attributes:
        model: package, folder or name on the hub.
        steps: optimiser steps.
        batch: texts a step.
        tokens: the longest stretch of a text, in tokens; the paper's were 256.
        rate: learning rate at the start; it falls to zero in a straight line.
        checkpoints: how often the held-out texts are looked at on the way.
        seed: of the order of the texts.
    """

    model: str
    steps: int = 200
    batch: int = 8
    tokens: int = 256
    rate: float = 5e-5
    checkpoints: int = 5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Tuned:
    """What tuning did to the perplexity of held-out texts (e to the mean loss of a token)."""

    before: float
    after: float
    best_step: int
    documents: int
    held_out: int


def tune(
    tuning: Tuning,
    documents: Sequence[Document],
    out: Path,
    *,
    cache: Path,
    watch: Callable[[int], None] = lambda _: None,
) -> Tuned:
    """Tune a model and save it, tokenizer and `tuning.json` beside it, as a folder to generate with.

    Checkpoints that an earlier run left in the folder are gone on with.

    Raises:
        BackendMissingError: torch, transformers or the weights are not there.
        TooFewPassagesError: no text is left to train on, or none to measure by.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise BackendMissingError(
            "Tuning needs torch and transformers; `make install-all` installs them."
        ) from error
    library: Any = transformers
    folder, revision = weights_of(tuning.model, cache)
    tokenizer = library.AutoTokenizer.from_pretrained(folder)
    network = library.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    seen, held_out = _parted(documents)
    trainer = library.Trainer(
        model=network,
        args=library.TrainingArguments(**_arguments(tuning, out / "checkpoints")),
        train_dataset=_stretches(tokenizer, seen, tuning.tokens),
        eval_dataset=_stretches(tokenizer, held_out, tuning.tokens),
        data_collator=_padded,
        callbacks=[_watching(library.TrainerCallback, watch)],
    )
    before = _perplexity(trainer)
    trainer.train(resume_from_checkpoint=any(out.glob("checkpoints/checkpoint-*")))
    tuned = Tuned(before, _perplexity(trainer), _best_step(trainer), len(seen), len(held_out))
    trainer.save_model(str(out))
    tokenizer.save_pretrained(out)
    described = {**asdict(tuning), "revision": revision, **asdict(tuned)}
    described["corpora"] = sorted({f"{one.corpus}, {one.version}, {one.licence}" for one in seen})
    (out / "tuning.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
    return tuned


def _parted(documents: Sequence[Document]) -> tuple[list[Document], list[Document]]:
    held_out = [one for one in documents if _is_held_out(one)]
    seen = [one for one in documents if not _is_held_out(one)]
    if not seen or not held_out:
        raise TooFewPassagesError(
            f"{len(documents)} documents are too few to tune by; some are needed to measure on."
        )
    return seen, held_out


def _is_held_out(document: Document) -> bool:
    return int(hashlib.sha256(document.id.encode()).hexdigest(), 16) % HELD_OUT == 0


def _stretches(tokenizer: Any, documents: Sequence[Document], size: int) -> list[list[int]]:
    """Cut every text into stretches of so many tokens; a stretch of one token predicts nothing."""
    texts = tokenizer([one.text for one in documents]).input_ids
    stretches = [text[at : at + size] for text in texts for at in range(0, len(text), size)]
    return [stretch for stretch in stretches if len(stretch) > 1]


def _padded(stretches: Sequence[Sequence[int]]) -> dict[str, "torch.Tensor"]:
    import torch

    width = max(map(len, stretches))

    def table(fill: int, values: Sequence[Sequence[int]]) -> torch.Tensor:
        return torch.tensor([[*row, *[fill] * (width - len(row))] for row in values])

    return {
        "input_ids": table(0, stretches),
        "attention_mask": table(0, [[1] * len(row) for row in stretches]),
        "labels": table(NOT_COUNTED, stretches),
    }


def _arguments(tuning: Tuning, folder: Path) -> dict[str, Any]:
    import torch

    every = max(1, tuning.steps // tuning.checkpoints)
    return {
        "output_dir": str(folder),
        "max_steps": tuning.steps,
        "per_device_train_batch_size": tuning.batch,
        "per_device_eval_batch_size": tuning.batch,
        "learning_rate": tuning.rate,
        "seed": tuning.seed,
        "eval_strategy": "steps",
        "save_strategy": "steps",
        "eval_steps": every,
        "save_steps": every,
        "save_total_limit": 2,
        "load_best_model_at_end": True,
        "metric_for_best_model": "eval_loss",
        "report_to": "none",
        "disable_tqdm": True,
        "logging_strategy": "no",
        "remove_unused_columns": False,
        "dataloader_pin_memory": torch.cuda.is_available(),
    }


def _watching(base: Any, watch: Callable[[int], None]) -> Any:
    class Watching(base):  # type: ignore[misc]
        def on_step_end(self, arguments: Any, state: Any, control: Any, **_: Any) -> None:
            del arguments, control
            watch(state.global_step)

    return Watching()


def _perplexity(trainer: Any) -> float:
    return math.exp(trainer.evaluate()["eval_loss"])


def _best_step(trainer: Any) -> int:
    checkpoint = trainer.state.best_model_checkpoint
    return int(checkpoint.rpartition("-")[2]) if checkpoint else int(trainer.state.global_step)
