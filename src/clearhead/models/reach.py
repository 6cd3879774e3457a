"""Which earlier tokens really reach the logits at a place: found by changing them, one after the other."""

import torch
from torch import Tensor

from clearhead.models.model import LanguageModel

TRIED = 3  # other tokens put into each place: two phrases of a memory may share a row, hardly four


@torch.no_grad()
def fill_randomly(model: LanguageModel, seed: int, spread: float = 0.4) -> None:
    """Give every weight a random value: a weight that starts at zero would hide what goes through it."""
    source = torch.Generator().manual_seed(seed)
    for weight in model.parameters():
        weight.normal_(std=spread, generator=source)


@torch.no_grad()
def influence(model: LanguageModel, n: int, seed: int) -> Tensor:
    """How far the logits at place t move, at most, when token j of a random text is another one: (n, n), row t, column j."""
    source = torch.Generator().manual_seed(seed)
    vocab = logits_of(model, torch.zeros(1, 1, dtype=torch.long)).shape[-1]
    text = torch.randint(vocab, (1, n), generator=source)
    before = logits_of(model, text)  # (1, n, vocab)
    columns = []
    for place in range(n):
        others = text.repeat(TRIED, 1)
        others[:, place] += torch.randperm(vocab - 1, generator=source)[:TRIED] + 1
        columns.append((logits_of(model, others % vocab) - before).abs().amax(dim=(0, 2)))  # (n,)
    return torch.stack(columns, dim=1)


def logits_of(model: LanguageModel, tokens: Tensor) -> Tensor:
    """(batch, n, vocab); a model that carries a state from text to text gives logits and state."""
    said: Tensor | tuple[Tensor, Tensor] = model(tokens)
    return said if isinstance(said, Tensor) else said[0]
