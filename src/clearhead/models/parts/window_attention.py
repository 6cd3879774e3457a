"""A local window beside other keys in one softmax, computed in blocks: no table of all tokens by all tokens is ever made."""

import math
from functools import partial

import torch
from torch import Tensor
from torch.nn.functional import pad

from clearhead.attention import Attended, Attending, Mask, attend, masked
from clearhead.masks import nearest

LEAST = 8  # places of a block at least: smaller products are mostly overhead


def attend_nearby(
    attending: Attending, size: int, others: int, q: Tensor, k: Tensor, v: Tensor, mask: Mask
) -> Attended | Tensor:
    r"""Each of n queries mixes `others` keys, where mask lets it, and the last `size` tokens: one softmax over both.

    The window W of a query is one key to `attending`, whose score is its total and whose value is left open:

    $$\ell = \log\sum_{j \in W} e^{\text{scaled}_j}, \quad
    \text{output} = \sum_{i \notin W} \text{weights}_i v_i + \text{weight}_W \cdot \text{output}_W$$

    so the weights are those of one softmax, and the working of `attending` is the working of the whole. The extra column that
    carries ℓ in and the weight of W out makes keys and values one wider.
    Shapes: q (batch, heads, n, d), k and v (batch, heads, others + n, d), mask (n, others).
    """
    d = q.shape[-1]
    near = attend_blocks(q, k[..., others:, :], v[..., others:, :], size)
    # `attending` divides by the root of one column more than the d that the scores stand for.
    wide_q = torch.cat([q * math.sqrt((d + 1) / d), near.total.unsqueeze(-1) * math.sqrt(d + 1)], dim=-1)  # (..., n, d + 1)
    whole = q.new_zeros(d + 1)
    whole[d] = 1.0  # the key, and the value, that stands for the window
    wide_k, wide_v = (
        torch.cat([whole.expand(*x.shape[:-2], 1, d + 1), pad(x, (0, 1))], dim=-2)
        for x in (k[..., :others, :], v[..., :others, :])
    )
    visible = torch.ones(q.shape[-2], 1 + others, dtype=torch.bool, device=q.device)
    if isinstance(mask, Tensor):
        visible[:, 1:] = mask
    result = attending(wide_q, wide_k, wide_v, visible)  # (..., n, d + 1)
    output = result.output if isinstance(result, Attended) else result
    output = torch.addcmul(output[..., :d], output[..., d:], near.output)  # (..., n, d)
    if not isinstance(result, Attended):
        return output
    scaled = torch.cat([result.scaled[..., 1:], near.spread(near.scaled, -math.inf)], dim=-1)  # (..., n, others + n)
    shares = near.spread(near.weights, 0.0) * result.weights[..., :1]  # (..., n, n)
    return Attended(scaled, torch.cat([result.weights[..., 1:], shares], dim=-1), output)


def whole_mask(attending: Attending, mask: Mask, n: int) -> Mask:
    """The mask over all the keys that an attending mixes: with a window, its table stands beside that of the others.

    >>> others = torch.tensor([[True], [True]])
    >>> whole_mask(partial(attend_nearby, attend, 1, 1), others, 2).int().tolist()
    [[1, 1, 0], [1, 0, 1]]
    """
    if not isinstance(attending, partial) or attending.func is not attend_nearby:
        return mask
    _, size, others = attending.args
    places = torch.arange(n)
    seen = torch.ones(n, others, dtype=torch.bool) if not isinstance(mask, Tensor) else mask.cpu()
    return torch.cat([seen, nearest(places, places, size)], dim=-1)  # (n, others + n)


class Nearby:
    """The working of a window attention, in blocks: block b holds queries b·rows …, and keys from size − 1 places before."""

    def __init__(self, attended: Attended, visible: Tensor, n: int) -> None:
        self.n = n
        self.scaled = masked(attended.scaled, visible)  # (..., blocks, rows, rows + size − 1)
        self.weights = attended.weights  # (..., blocks, rows, rows + size − 1)
        self.total = self.scaled.logsumexp(-1).flatten(-2)[..., :n]  # (..., n)
        self.output = attended.output.flatten(-3, -2)[..., :n, :]  # (..., n, d)

    def spread(self, blocks: Tensor, empty: float) -> Tensor:
        """Cells of blocks as one table of all tokens by all tokens, for looking at: (..., n, n)."""
        *leading, count, rows, keys = blocks.shape
        first = torch.arange(count, device=blocks.device)[:, None, None] * rows  # (blocks, 1, 1)
        at = (first + torch.arange(keys, device=blocks.device)).expand(count, rows, keys).flatten(0, 1)  # (blocks·rows, keys)
        table = blocks.new_full((*leading, count * rows, count * rows + keys - rows), empty)
        table = table.scatter(-1, at.expand(*leading, -1, -1), blocks.flatten(-3, -2))
        return table[..., : self.n, keys - rows : keys - rows + self.n]


def attend_blocks(q: Tensor, k: Tensor, v: Tensor, size: int) -> Nearby:
    """Each query sees its own place and the size − 1 before it: q, k and v (..., n, d), worked block by block."""
    n, rows = q.shape[-2], max(size, LEAST)
    count = -(-n // rows)
    after = count * rows - n
    blocks = pad(q, (0, 0, 0, after)).reshape(*q.shape[:-2], count, rows, q.shape[-1])  # (..., blocks, rows, d)
    keys, values = (
        pad(x, (0, 0, size - 1, after)).unfold(-2, rows + size - 1, rows).mT  # (..., blocks, rows + size − 1, d)
        for x in (k, v)
    )
    visible = block_mask(count, rows, size, q.device)
    return Nearby(attend(blocks, keys, values, visible), visible, n)


def block_mask(count: int, rows: int, size: int, device: torch.device | str = "cpu") -> Tensor:
    """Who sees whom in each block: (blocks, rows, rows + size − 1); what stands before the first place is hidden.

    >>> block_mask(2, 2, 2).int().tolist()
    [[[0, 1, 0], [0, 1, 1]], [[1, 1, 0], [0, 1, 1]]]
    """
    keys = torch.arange(rows + size - 1, device=device)
    ahead = keys - torch.arange(rows, device=device)[:, None]  # (rows, keys): 0 is the farthest of the window, size − 1 its own
    places = torch.arange(count, device=device)[:, None, None] * rows + keys - (size - 1)  # (blocks, 1, keys)
    return (ahead >= 0) & (ahead < size) & (places >= 0)
