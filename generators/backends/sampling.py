"""From logits to the next token of every row, each row by its own dice.

Vocabularies are large (262,144 tokens for Gemma), and rows are many; so penalties touch only
the tokens that a row has seen, and whole rows are sorted only where nothing less will do.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from generators.decoding import Decoding

if TYPE_CHECKING:
    from torch import Tensor

LOOKS = (1024, 16384)
"""Tokens looked at, one after the other, before a full sort; nearly always they hold the mass of top_p."""
BLOCK = 512
"""Tokens whose mass is summed before it is known which of them is drawn."""


@dataclass
class Seen:
    """The tokens of prompts and continuations, a row a prompt; a token may stand there often."""

    in_prompt: "Tensor"
    written: "Tensor"

    def keep(self, rows: "Tensor") -> "Seen":
        """Return some rows."""
        return Seen(self.in_prompt[rows], self.written[rows])

    def add(self, tokens: "Tensor") -> None:
        """Add one written token a row."""
        import torch

        self.written = torch.cat([self.written, tokens[:, None]], dim=1)


def penalised(logits: "Tensor", seen: Seen, decoding: Decoding) -> "Tensor":
    """Apply the repetition, frequency and presence penalties to the logits, in place."""
    if decoding.repetition_penalty != 1:
        logits = _repetition(logits, seen, decoding.repetition_penalty)
    if (decoding.frequency_penalty or decoding.presence_penalty) and seen.written.shape[1]:
        logits = _frequency(logits, seen.written, decoding)
    return logits


def _repetition(logits: "Tensor", seen: Seen, weight: float) -> "Tensor":
    import torch

    tokens = torch.cat([seen.in_prompt, seen.written], dim=1)
    values = logits.gather(1, tokens)
    return logits.scatter_(1, tokens, torch.where(values > 0, values / weight, values * weight))


def _frequency(logits: "Tensor", written: "Tensor", decoding: Decoding) -> "Tensor":
    times = (written[:, :, None] == written[:, None, :]).sum(-1)
    lowered = logits.gather(1, written) - times * decoding.frequency_penalty - decoding.presence_penalty
    return logits.scatter_(1, written, lowered)


def draw(logits: "Tensor", decoding: Decoding, uniforms: "Tensor") -> "Tensor":
    """Return a token a row: the one where the row's uniform number falls in its distribution.

    A row's token depends on its own logits and number alone. Tokens are counted off from
    the most probable one; where all of them are in play (top_p 1, top_k 0), by number.
    """
    if decoding.temperature != 1:
        logits = logits / decoding.temperature
    size = logits.shape[-1]
    looked_at = min(decoding.top_k or size, size)
    if decoding.top_p >= 1 and looked_at == size:
        return _by_number(logits, uniforms)
    return _by_rank(logits, decoding.top_p, looked_at, uniforms)


def _by_number(logits: "Tensor", uniforms: "Tensor") -> "Tensor":
    """Find each row's block first, then the token in it; a running sum over all would cost more."""
    import torch

    weights = logits.softmax(-1)
    padded = torch.nn.functional.pad(weights, (0, -weights.shape[1] % BLOCK))
    blocks = padded.view(len(weights), -1, BLOCK)
    masses = blocks.sum(-1).double()
    block, left = _found(masses, uniforms.double() * masses.sum(-1))
    inside = blocks[torch.arange(len(weights), device=logits.device), block].double()
    token, _ = _found(inside, left)
    return block * BLOCK + token


def _found(weights: "Tensor", place: "Tensor") -> tuple["Tensor", "Tensor"]:
    """Return where a running sum of weights passes a place, and how far into that weight it lies.

    What rounding leaves beyond the last weight goes to the last one above zero.
    """
    sums = weights.cumsum(-1)
    last = (weights > 0).cumsum(-1).argmax(-1)
    found = (sums <= place[:, None]).sum(-1).minimum(last)
    before = (sums - weights).gather(1, found[:, None])[:, 0]
    return found, place - before


def _by_rank(logits: "Tensor", top_p: float, looked_at: int, uniforms: "Tensor") -> "Tensor":
    """Sort only as many tokens of a row as it takes to hold its share of the mass."""
    import torch

    total = _mass(logits, looked_at)
    drawn = torch.empty(len(logits), dtype=torch.long, device=logits.device)
    rows = torch.arange(len(logits), device=logits.device)
    left = logits
    for look in (*[look for look in LOOKS if look < looked_at], looked_at):
        values, tokens = left.topk(look)
        weights = (values - total[rows]).exp().double()
        sums = weights.cumsum(-1)
        enough = (sums[:, -1] >= top_p) | (look == looked_at)
        kept = weights.masked_fill(sums - weights >= top_p, 0)
        kept[:, 0] = kept[:, 0].clamp_min(1e-30)
        place, _ = _found(kept, uniforms[rows].double() * kept.sum(-1))
        found = tokens.gather(1, place[:, None])[:, 0]
        drawn[rows[enough]] = found[enough]
        rows, left = rows[~enough], left[~enough]
        if not len(rows):
            break
    return drawn


def _mass(logits: "Tensor", looked_at: int) -> "Tensor":
    """Return the log of the normaliser over the tokens that top_k leaves."""
    if looked_at < logits.shape[-1]:
        logits = logits.topk(looked_at).values
    return logits.logsumexp(-1, keepdim=True)
