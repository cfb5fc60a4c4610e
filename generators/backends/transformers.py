"""A causal language model on this machine, by transformers, many prompts at a time.

The model continues plain text, or is instructed in its own chat template (`manners`). Rows
are padded on the left, leave the batch when their units are there, and draw with dice of
their own, so that a continuation does not depend on its neighbours (up to rounding).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generators import segment
from generators.backends.base import Prompt
from generators.backends.manners import Instructed, Manner, Plain
from generators.backends.sampling import Seen, draw, penalised
from generators.backends.weights import SMOLLM2, weights_of
from generators.decoding import Decoding
from generators.errors import BackendMissingError
from generators.segment import Unit

if TYPE_CHECKING:
    import torch
    from torch import Tensor


TOKENS_PER_UNIT = 60
"""A continuation stops after this many tokens a unit, finished or not."""
LOOK_EVERY = 6
"""Tokens between two looks at how many units are there."""


@dataclass(eq=False)
class _Row:
    """A prompt on its way."""

    prompt: Prompt
    dice: "torch.Generator"
    written: list[int] = field(default_factory=list[int])
    limit: int = 0
    ended: bool = False
    text: str = ""


class TransformersBackend:
    """Continues texts with a causal language model."""

    name = "transformers"

    def __init__(
        self,
        model: str = SMOLLM2,
        *,
        cache: Path,
        batch: int = 256,
        dtype: str = "bfloat16",
        chat: bool = False,
    ) -> None:
        """Load the model, on all GPUs if there are any; bfloat16 is the faster where the CPU has AMX.

        `accelerate` spreads a model over the GPUs that it needs. `chat` instructs the model
        instead of letting it continue plain text.

        Raises:
            BackendMissingError: a package or the model is not there.
            GenerationError: the model has no chat template to be instructed in.
        """
        try:
            import torch
            import transformers
        except ImportError as error:
            raise BackendMissingError(
                "Generating needs torch and transformers; `make install-all` installs them."
            ) from error
        library: Any = transformers
        library.utils.logging.disable_progress_bar()
        folder, digest = weights_of(model, cache)
        self.revision = f"{digest} {dtype}"
        self.model = model
        self.batch = batch
        self.written = 0
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.engine = f"torch {torch.__version__}, transformers {library.__version__}, {self._device.type}"
        self._tokenizer: Any = library.AutoTokenizer.from_pretrained(folder)
        self._manner: Manner = Instructed(self._tokenizer, model) if chat else Plain(self._tokenizer)
        self.template = self._manner.template
        options = {"device_map": "auto"} if self._device.type == "cuda" else {}
        loaded = library.AutoModelForCausalLM.from_pretrained(folder, dtype=getattr(torch, dtype), **options)
        self._network: Any = loaded.eval()
        self._holding: dict[str, Tensor] = {}
        self._context: int = getattr(self._network.config, "max_position_embeddings", None) or 2**31
        self._ends: set[int] = set(self._tokenizer.all_special_ids)

    def applied(self, decoding: Decoding) -> Decoding:
        """Return the settings; all of them are put into effect here."""
        return decoding

    def continuations(
        self, prompts: Sequence[Prompt], decoding: Decoding, *, seeds: Sequence[int]
    ) -> Sequence[str]:
        """Return what comes after each prompt, beginning with the white space between."""
        import torch

        rows = [
            _Row(prompt, torch.Generator().manual_seed(seed))
            for prompt, seed in zip(prompts, seeds, strict=True)
        ]
        order = sorted(rows, key=lambda row: (row.prompt.needed, len(row.prompt.text)))
        with torch.inference_mode():
            for start in range(0, len(order), self.batch):
                self._write(order[start : start + self.batch], decoding)
        self.written += sum(len(row.written) for row in rows)
        return [row.text for row in rows]

    def _fitted(self, row: _Row, context: int | None) -> list[int]:
        """Return a row's prompt with room left to write in; a long one loses its beginning.

        At least half the context is the prompt's.
        """
        row.limit = TOKENS_PER_UNIT * row.prompt.needed
        most = min(context or self._context, self._context)
        kept = self._manner.tokens(row.prompt, max(most - row.limit, most // 2, 1))
        row.limit = min(row.limit, max(1, most - len(kept)))
        return kept

    def _write(self, rows: Sequence[_Row], decoding: Decoding) -> None:
        import torch

        from generators.backends.cache import roomy_cache

        tokens, mask = self._padded([self._fitted(row, decoding.context) for row in rows])
        seen = Seen(torch.where(mask > 0, tokens, tokens[:, -1:]), tokens[:, :0])
        cache, active = roomy_cache(), list(rows)
        while True:
            logits = penalised(self._logits(tokens, mask, cache), seen, decoding)
            chosen = self._drawn(logits, decoding, active)
            going = self._going(active, list(map(int, chosen)))
            if not going:
                return
            if len(going) < len(active):
                kept = self._tensor(going)
                cache.batch_select_indices(kept)
                seen, mask, chosen = seen.keep(kept), mask[kept], chosen[kept]
                active = [active[index] for index in going]
            seen.add(chosen)
            tokens, mask = chosen[:, None], _longer(mask)

    def _logits(self, tokens: "Tensor", mask: "Tensor", cache: Any) -> "Tensor":
        """Return the logits of each row's next token; places count from its first real token."""
        places = (mask.cumsum(-1) - 1).clamp_min(0)[:, -tokens.shape[1] :]
        output = self._network(
            input_ids=tokens,
            attention_mask=mask,
            position_ids=places,
            cache=cache,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: Tensor = output.logits[:, -1].float()
        return logits

    def _drawn(self, logits: "Tensor", decoding: Decoding, rows: Sequence[_Row]) -> "Tensor":
        import torch

        if decoding.suppressed:
            logits.index_fill_(1, self._tokens_with(decoding.suppressed), -torch.inf)
        uniforms = torch.stack([torch.rand((), generator=row.dice) for row in rows])
        return draw(logits, decoding, uniforms.to(self._device))

    def _going(self, rows: Sequence[_Row], chosen: Sequence[int]) -> list[int]:
        """Give each row its token; return the places of those that need more."""
        for row, token in zip(rows, chosen, strict=True):
            self._take(row, token)
        return [index for index, row in enumerate(rows) if not row.ended]

    def _take(self, row: _Row, token: int) -> None:
        if token in self._ends:
            row.ended = True
        else:
            row.written.append(token)
            row.ended = len(row.written) >= row.limit
        if row.ended or len(row.written) % LOOK_EVERY == 0:
            row.text = self._manner.continuation(row.prompt, self._tokenizer.decode(row.written))
            row.ended = row.ended or _is_done(row)

    def _tokens_with(self, signs: str) -> "Tensor":
        if signs not in self._holding:
            texts = self._tokenizer.batch_decode([[token] for token in range(len(self._tokenizer))])
            found = [token for token, text in enumerate(texts) if set(text) & set(signs)]
            self._holding[signs] = self._tensor(found).long()
        return self._holding[signs]

    def _padded(self, encoded: Sequence[Sequence[int]]) -> tuple["Tensor", "Tensor"]:
        width = max(map(len, encoded))
        tokens = [[0] * (width - len(row)) + list(row) for row in encoded]
        mask = [[0] * (width - len(row)) + [1] * len(row) for row in encoded]
        return self._tensor(tokens), self._tensor(mask)

    def _tensor(self, numbers: Sequence[Any]) -> "Tensor":
        import torch

        return torch.tensor(numbers, device=self._device)


def _longer(mask: "Tensor") -> "Tensor":
    import torch

    return torch.cat([mask, mask.new_ones(len(mask), 1)], dim=1)


def _is_done(row: _Row) -> bool:
    """Whether enough units are there and the next has begun, or one is spoilt or has no end.

    The parser is slow, so it is asked only where the rules say so.
    """
    unit = row.prompt.unit
    if unit is Unit.PARSED and not _is_done_by(Unit.SENTENCE, row):
        return False
    return _is_done_by(unit, row)


def _is_done_by(unit: Unit, row: _Row) -> bool:
    prompt = row.prompt
    *whole, last = segment.body(row.text, unit) or ("",)
    is_endless = prompt.longest is not None and len(last) > prompt.longest
    return is_endless or len(whole) >= prompt.needed or any(map(prompt.spoilt, whole))
