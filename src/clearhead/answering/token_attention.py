"""Who looked at whom, token by token: the attention of each layer, or of all layers together where it goes through latents."""

from collections.abc import Sequence

import torch
from torch import Tensor

from clearhead.models.gpt import GPT
from clearhead.models.perceiver import Perceiver


@torch.no_grad()
def token_maps(model: GPT, tokens: Sequence[int]) -> list[tuple[str, Tensor]]:
    """Maps (n, n) with a title each, the mean of the heads; each row sums to 1."""
    maps = [layer.weights[0].mean(0).cpu() for layer in model.trace(torch.tensor([tokens], device=model.device))]
    if isinstance(model, Perceiver):
        return [("through the latents", composed(maps))]
    return [(f"layer {number}", each) for number, each in enumerate(maps, 1)]


def composed(maps: Sequence[Tensor]) -> Tensor:
    r"""Down, along and up as one map, $\text{up}_\text{latents} \cdots \text{down} + \text{up}_\text{window}$: (n, n).

    What reaches a token by way of a latent is shared out among the tokens that the latent looked at.

    >>> down, up = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.0, 1.0, 0.0], [0.5, 0.0, 0.5]])
    >>> composed([down, up]).tolist()
    [[1.0, 0.0], [0.25, 0.75]]
    """
    through, *middle = maps[:-1]  # (latents, n)
    for among in middle:
        through = among @ through
    latents, up = len(through), maps[-1]  # (n, latents) or (n, latents + n)
    reached = up[:, :latents] @ through  # (n, n)
    return reached + up[:, latents:] if up.shape[1] > latents else reached
