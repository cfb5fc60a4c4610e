"""From logits to the next token of every row, each row by its own dice."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.decoding import Decoding

if TYPE_CHECKING:
    from torch import Tensor

FIRST_LOOK = 1024
"""Tokens looked at before a full sort; nearly always they hold the mass of top_p."""


@dataclass
class Counts:
    """How often each token stands in the prompt and in the continuation, a row a prompt."""

    in_prompt: "Tensor"
    written: "Tensor"

    def keep(self, rows: "Tensor") -> "Counts":
        """Return the counts of some rows."""
        return Counts(self.in_prompt[rows], self.written[rows])

    def add(self, tokens: "Tensor") -> None:
        """Count one written token a row."""
        ones = self.written.new_ones(len(tokens), 1)
        self.written.scatter_add_(1, tokens[:, None], ones)


def penalised(logits: "Tensor", counts: Counts, decoding: Decoding) -> "Tensor":
    """Apply the repetition, frequency and presence penalties."""
    if decoding.repetition_penalty != 1:
        weight = decoding.repetition_penalty
        lowered = logits.where(logits > 0, logits * weight**2) / weight
        logits = lowered.where((counts.in_prompt > 0) | (counts.written > 0), logits)
    if decoding.frequency_penalty or decoding.presence_penalty:
        presence = (counts.written > 0) * decoding.presence_penalty
        logits = logits - counts.written * decoding.frequency_penalty - presence
    return logits


def draw(logits: "Tensor", decoding: Decoding, uniforms: "Tensor") -> "Tensor":
    """Return a token a row: the one where the row's uniform number falls in its distribution."""
    logits = logits / decoding.temperature
    looked_at = min(decoding.top_k or logits.shape[-1], logits.shape[-1])
    values, tokens = logits.topk(min(FIRST_LOOK, looked_at))
    total = _mass(logits, looked_at)
    if looked_at > FIRST_LOOK and _lacks_mass(values, total, decoding.top_p):
        values, tokens = logits.topk(looked_at)
    weights = (values - total).exp()
    before = weights.cumsum(-1) - weights
    weights = weights.masked_fill(before >= decoding.top_p, 0)
    weights[:, 0] = weights[:, 0].clamp_min(1e-30)
    sums = weights.double().cumsum(-1)
    place = (sums <= uniforms[:, None].double() * sums[:, -1:]).sum(-1, keepdim=True)
    return tokens.gather(1, place.clamp_max(tokens.shape[-1] - 1))[:, 0]


def _mass(logits: "Tensor", looked_at: int) -> "Tensor":
    """Return the log of the normaliser over the tokens that top_k leaves."""
    if looked_at < logits.shape[-1]:
        logits = logits.topk(looked_at).values
    return logits.logsumexp(-1, keepdim=True)


def _lacks_mass(values: "Tensor", total: "Tensor", top_p: float) -> bool:
    return bool(((values - total).exp().sum(-1) < top_p).any())
