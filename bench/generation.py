"""Speed of generation: ours beside the predecessor's way, same model, same prompts, same run.

The predecessor gave one prompt after another to `generate` and let each run to 1,024 tokens,
whatever was needed. Run by `python -m bench.generation`; on two cores it takes some minutes.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers

from app.settings import Settings
from game.passage import LENGTH
from generators import segment
from generators.backends.base import Prompt
from generators.backends.transformers import TransformersBackend
from generators.backends.weights import SMOLLM2, weights_of
from generators.corpora import documents
from generators.decoding import Decoding
from generators.segment import Unit
from generators.windows import windows
from generators.writers import Attempt, prompt_of, seed_for

OURS, THEIRS = 96, 2
"""Prompts; the predecessor's way is so slow that a few must do."""
MOST_TOKENS = 1024
DECODING = Decoding(top_p=0.9, temperature=0.8, repetition_penalty=1.05)
TARGETS = {"tokens a second": 2.5, "passages an hour": 8.0}


@dataclass(frozen=True, slots=True)
class Pace:
    """What a way of generating got done."""

    name: str
    prompts: int
    tokens: int
    finished: int
    seconds: float

    @property
    def rates(self) -> dict[str, float]:
        """Return tokens a second and finished passages an hour."""
        return {
            "tokens a second": self.tokens / self.seconds,
            "passages an hour": self.finished * 3600 / self.seconds,
        }


def asked(number: int) -> Sequence[Prompt]:
    """Return prompts out of the speeches, with every boundary from one to nine."""
    found = [window for text in documents("sotu") for window in windows(text) if window.reach == LENGTH]
    chosen = found[:: len(found) // number][:number]
    attempts = [
        Attempt(window, 1 + at % (LENGTH - 1), seed_for("bench", at)) for at, window in enumerate(chosen)
    ]
    return [prompt_of(attempt) for attempt in attempts]


def ours(backend: TransformersBackend, prompts: Sequence[Prompt], count: Callable[[str], int]) -> Pace:
    """Continue all prompts in batches; each row stops when its sentences are there."""
    begun = time.perf_counter()
    texts = backend.continuations(prompts, DECODING, seeds=range(len(prompts)))
    seconds = time.perf_counter() - begun
    return _pace("ours", prompts, texts, count, seconds)


def theirs(
    network: Any, tokenizer: Any, prompts: Sequence[Prompt], count: Callable[[str], int], name: str
) -> Pace:
    """Continue one prompt after another, up to 1,024 tokens each."""
    texts: list[str] = []
    begun = time.perf_counter()
    for number, prompt in enumerate(prompts, start=1):
        torch.manual_seed(42)
        given = tokenizer(prompt.text, return_tensors="pt").to(network.device)
        written = network.generate(
            **given,
            do_sample=True,
            top_p=DECODING.top_p,
            temperature=DECODING.temperature,
            repetition_penalty=DECODING.repetition_penalty,
            max_length=MOST_TOKENS,
            pad_token_id=tokenizer.eos_token_id,
        )
        texts.append(tokenizer.decode(written[0, given["input_ids"].shape[1] :], skip_special_tokens=True))
        print(f"  {name}: {number} of {len(prompts)}", flush=True)
    return _pace(name, prompts, texts, count, time.perf_counter() - begun)


def _pace(
    name: str, prompts: Sequence[Prompt], texts: Sequence[str], count: Callable[[str], int], seconds: float
) -> Pace:
    finished = sum(
        len(segment.units(text.strip(), Unit.SENTENCE)) > prompt.needed
        for prompt, text in zip(prompts, texts, strict=True)
    )
    return Pace(name, len(prompts), sum(map(count, texts)), finished, seconds)


def main() -> None:
    """Measure both ways and print the table."""
    library: Any = transformers
    library.utils.logging.set_verbosity_error()
    cache = Path(os.environ.get("ROFT_HOME", Settings().home)) / "models"
    backend = TransformersBackend(SMOLLM2, cache=cache)
    folder, _ = weights_of(SMOLLM2, cache)
    tokenizer = library.AutoTokenizer.from_pretrained(folder)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    prompts = asked(OURS)
    few = prompts[:: OURS // THEIRS][:THEIRS]

    def count(text: str) -> int:
        return len(tokenizer(text).input_ids)

    print(f"Generating with {SMOLLM2} on {device}, {torch.get_num_threads()} threads", flush=True)
    backend.continuations(prompts[:2], DECODING, seeds=[1, 2])
    found = [ours(backend, prompts, count)]
    for dtype in (torch.float32, torch.bfloat16):
        network = library.AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).to(device).eval()
        name = f"one by one, {str(dtype).removeprefix('torch.')}"
        found.append(theirs(network, tokenizer, few, count, name))
    _print(found)


def _print(found: Sequence[Pace]) -> None:
    print(f"\n{'':<24}{'prompts':>8}{'finished':>10}{'seconds':>10}{'tokens/s':>10}{'passages/h':>12}")
    for pace in found:
        rates = list(pace.rates.values())
        print(
            f"{pace.name:<24}{pace.prompts:>8}{pace.finished:>10}{pace.seconds:>10.1f}"
            f"{rates[0]:>10.1f}{rates[1]:>12.0f}"
        )
    ours_found, *others = found
    for rate, target in TARGETS.items():
        best = max(other.rates[rate] for other in others)
        print(f"{rate}: {ours_found.rates[rate] / best:.1f} times the faster of the others (target {target})")


if __name__ == "__main__":
    main()
