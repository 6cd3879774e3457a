"""Several attentions side by side: each head works on its own slice of the width."""

from collections.abc import Callable
from typing import TypeAlias

from torch import Tensor, nn

from clearhead.attention import Attended, Attending, Mask, attend
from clearhead.errors import ConfigError, ShapeError

Pair: TypeAlias = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]
"""A change of two tensors at once, both (batch, heads, n, head width)."""


def split_heads(x: Tensor, heads: int) -> Tensor:
    """Cut the width into heads: (..., n, heads·d) to (..., heads, n, d).

    >>> import torch
    >>> split_heads(torch.arange(8.).reshape(2, 4), 2).tolist()
    [[[0.0, 1.0], [4.0, 5.0]], [[2.0, 3.0], [6.0, 7.0]]]
    """
    if heads < 1 or x.shape[-1] % heads:
        raise ShapeError(f"heads must divide the width: {heads} heads, width {x.shape[-1]}.")
    return x.reshape(*x.shape[:-1], heads, x.shape[-1] // heads).transpose(-3, -2)  # (..., heads, n, d)


def merge_heads(x: Tensor) -> Tensor:
    """Put the heads side by side again: (..., heads, n, d) to (..., n, heads·d).

    >>> import torch
    >>> x = torch.arange(8.).reshape(2, 4)
    >>> bool((merge_heads(split_heads(x, 2)) == x).all())
    True
    """
    return x.transpose(-3, -2).flatten(-2)  # (..., n, heads·d)


def rows_of(x: Tensor, wanted: Tensor) -> Tensor:
    """The wanted tokens of all texts, one below the other: x (batch, n, width), numbers (count,) give (count, width).

    >>> import torch
    >>> rows_of(torch.arange(6.).reshape(2, 3, 1), torch.tensor([1, 5])).tolist()
    [[1.0], [5.0]]
    """
    return x.flatten(0, 1).index_select(0, wanted)


def as_they_are(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """No change."""
    return first, second


Watching: TypeAlias = Callable[[Attending, Tensor, Tensor, Tensor, Mask], Attended | Tensor]
"""What stands between every head and what it attends with: it may keep what passes, or change it."""


def unwatched(attending: Attending, q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Attended | Tensor:
    """Nobody looks."""
    return attending(q, k, v, mask)


class MultiHeadAttention(nn.Module):
    """Attention with learned maps to queries, keys and values, in several heads, and a learned map out.

    What a call may bring, each a value: `source`, what to look at (x itself if None: self-attention); `mask`, one for all
    heads, (n_q, n_k) or (batch, n_q, n_k); `attending`, `attend` to see the working and `attend_fused` to train;
    `turn(q, k)`, done after the split, such as norms and rotary positions; `remember(k, v)`, which gives back every key and
    value so far, such as a cache; `wanted`, which tokens of the batch somebody goes on with. `watching` is the one place
    where somebody may look on: all heads of all models pass it.
    """

    def __init__(self, width: int, heads: int, bias: bool = False) -> None:
        super().__init__()
        if heads < 1 or width < 1 or width % heads:
            fits = [h for h in range(1, width + 1) if width % h == 0]
            raise ConfigError(f"heads={heads} must divide width={width}; heads that do: {fits}")
        self.width, self.heads = width, heads
        self.watching: Watching = unwatched
        self.query = nn.Linear(width, width, bias=bias)
        self.key = nn.Linear(width, width, bias=bias)
        self.value = nn.Linear(width, width, bias=bias)
        self.projection = nn.Linear(width, width, bias=bias)

    def forward(
        self,
        x: Tensor,
        source: Tensor | None = None,
        *,
        mask: Mask = None,
        attending: Attending = attend,
        turn: Pair = as_they_are,
        remember: Pair = as_they_are,
        wanted: Tensor | None = None,
    ) -> tuple[Tensor, Attended | None]:
        """x (batch, n_q, width), source (batch, n_k, width): the projected output, and the working if there is one.

        Where only some tokens are wanted, the output is theirs alone: (count, width).
        """
        source = x if source is None else source
        for name, tensor in (("x", x), ("source", source)):
            if tensor.dim() < 2 or tensor.shape[-1] != self.width:
                raise ShapeError(f"{name} must be (..., n, {self.width}): it is {tuple(tensor.shape)}.")
        q = split_heads(self.query(x), self.heads)  # (batch, heads, n_q, head width)
        k = split_heads(self.key(source), self.heads)  # (batch, heads, n_k, head width)
        v = split_heads(self.value(source), self.heads)  # (batch, heads, n_k, head width)
        q, k = turn(q, k)
        k, v = remember(k, v)
        result = self.watching(attending, q, k, v, over_heads(mask))
        attended = result if isinstance(result, Attended) else None
        output = merge_heads(result.output if isinstance(result, Attended) else result)  # (batch, n_q, width)
        return self.projection(output if wanted is None else rows_of(output, wanted)), attended


def over_heads(mask: Mask) -> Mask:
    """The same mask for every head: (batch, n_q, n_k) becomes (batch, 1, n_q, n_k)."""
    if isinstance(mask, Tensor) and mask.dim() > 2:
        return mask.unsqueeze(-3)
    return mask
