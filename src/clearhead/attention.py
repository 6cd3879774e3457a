"""The one attention that trains: it returns its working, in the order a person writes it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from clearhead.errors import InputError, ShapeError

Mask: TypeAlias = Tensor | Literal["causal"] | None
"""True where a query may look, (..., n_q, n_k); "causal": at its own place and before; None: everywhere."""


@dataclass(frozen=True, slots=True)
class Attended:
    """The working of one attention step."""

    scaled: Tensor  # (..., n_q, n_k)  scores / √d_k, before the mask
    weights: Tensor  # (..., n_q, n_k)  each row sums to 1
    output: Tensor  # (..., n_q, d_v)


Attending: TypeAlias = Callable[[Tensor, Tensor, Tensor, Mask], Attended | Tensor]
"""What a block is given to attend with: `attend` to look, `attend_fused` to train."""


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None, temperature: float = 1.0) -> Attended:
    r"""Mix the values by how well each query matches each key.

    $$\text{scaled} = QK^\top/\sqrt{d_k}, \quad \text{weights} = \text{softmax}(\text{scaled}/T + M), \quad
    \text{output} = \text{weights}\,V$$

    M is 0 where mask is True (may look) and −∞ elsewhere; no mask means M = 0, and "causal" hides the future: the queries
    are the last n_q of the n_k places. T = 0 is the limit: the maximum takes all and ties share equally, so that nothing
    flows back to q and k, while v still learns.
    Shapes: q (..., n_q, d_k), k (..., n_k, d_k), v (..., n_k, d_v), mask (..., n_q, n_k).

    >>> attend(torch.tensor([[2., 0., 0., 0.]]), torch.zeros(2, 4), torch.tensor([[8.], [4.]])).output
    tensor([[6.]])
    """
    require_matching(q, k, v)
    require_temperature(temperature)
    scaled = q @ k.mT / math.sqrt(q.shape[-1])  # (..., n_q, n_k)
    hidden = hidden_by(mask, scaled)
    weights = limit_weights(scaled, hidden) if is_zero(temperature, scaled.dtype) else soft_weights(scaled, hidden, temperature)
    return Attended(scaled, weights, weights @ v)


def attend_fused(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Tensor:
    """The output of `attend` in one fused kernel, and nothing else: the weights are never held in memory.

    "causal" is the fast mask: no table is built when there are as many queries as keys, or one query alone.

    >>> attend_fused(torch.tensor([[2., 0., 0., 0.]]), torch.zeros(2, 4), torch.tensor([[8.], [4.]]))
    tensor([[6.]])
    """
    require_matching(q, k, v)
    n_q, n_k = q.shape[-2], k.shape[-2]
    if mask is None or isinstance(mask, str):
        require_causal(mask, n_q, n_k)
        if mask is None or n_q in (1, n_k):
            return scaled_dot_product_attention(q, k, v, is_causal=mask == "causal" and n_q > 1)
        return scaled_dot_product_attention(q, k, v, attn_mask=earlier(n_q, n_k, q.device))
    require_fitting(mask, (*q.shape[:-1], n_k))
    return scaled_dot_product_attention(q, k, v, attn_mask=mask)


def soft_weights(scaled: Tensor, hidden: Tensor | None, temperature: float) -> Tensor:
    """softmax(scaled / T + M) for T > 0."""
    if temperature != 1:
        # Softmax does not change when a row is shifted; with its maximum at 0, no division by a small T can overflow.
        scaled = (scaled - maximum(scaled, hidden)) / temperature
    return (scaled if hidden is None else scaled.masked_fill(hidden, -math.inf)).softmax(-1)


def limit_weights(scaled: Tensor, hidden: Tensor | None) -> Tensor:
    """The limit of softmax(scaled / T + M) as T goes to 0: 1 shared among the largest, 0 elsewhere."""
    below = scaled - maximum(scaled, hidden)
    below = below if hidden is None else below.masked_fill(hidden, -math.inf)
    best = 1 + below.sign()  # 1 at the maximum, 0 elsewhere; a step, so its slope is 0 and not missing
    return best / best.sum(-1, keepdim=True)


def maximum(scaled: Tensor, hidden: Tensor | None) -> Tensor:
    """The largest visible cell of each row, as a constant."""
    visible = scaled if hidden is None else scaled.masked_fill(hidden, -math.inf)
    return visible.detach().amax(-1, keepdim=True)  # (..., n_q, 1)


def is_zero(temperature: float, dtype: torch.dtype) -> bool:
    """Whether T is 0 once it is written in the dtype of the tensors."""
    return temperature < torch.finfo(dtype).tiny


def hidden_by(mask: Mask, scaled: Tensor) -> Tensor | None:
    """Where M is −∞; None if nowhere."""
    n_q, n_k = scaled.shape[-2:]
    if mask is None or isinstance(mask, str):
        require_causal(mask, n_q, n_k)
        return None if mask is None or n_q == 1 else ~earlier(n_q, n_k, scaled.device)
    require_fitting(mask, scaled.shape)
    return ~mask


def earlier(n_q: int, n_k: int, device: torch.device) -> Tensor:
    """The causal table for n_q queries that stand at the end of n_k keys."""
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril(n_k - n_q)


def require_matching(q: Tensor, k: Tensor, v: Tensor) -> None:
    """Refuse what cannot be attended over, and say what would fit."""
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        if tensor.dim() < 2:
            raise ShapeError(f"{name} must have rows and columns, (..., n, d): it is {tuple(tensor.shape)}.")
        if not tensor.is_floating_point() or tensor.dtype != q.dtype:
            raise InputError(
                f"q, k and v must share one floating-point dtype: q is {q.dtype}, {name} is {tensor.dtype}; try .float()."
            )
    if q.shape[-1] != k.shape[-1]:
        hint = " k looks transposed already; pass it as (n_k, d_k)." if q.shape[-1] == k.shape[-2] else ""
        raise ShapeError(f"q and k must agree on d_k: q is {tuple(q.shape)}, k is {tuple(k.shape)}.{hint}")
    if k.shape[-2] != v.shape[-2]:
        raise ShapeError(f"each key needs one value: {k.shape[-2]} keys, {v.shape[-2]} values.")
    if 0 in (k.shape[-2], k.shape[-1]):
        raise ShapeError(f"there must be a key to look at, and d_k must be at least 1: k is {tuple(k.shape)}.")


def require_temperature(temperature: float) -> None:
    if not 0 <= temperature < math.inf:  # false for NaN too
        raise InputError(
            f"temperature must be a number from 0 up: it is {temperature}; 0 is the limit, where the maximum takes all."
        )


def require_causal(mask: str | None, n_q: int, n_k: int) -> None:
    if mask not in (None, "causal"):
        raise InputError(f'mask must be "causal", None or a tensor of booleans: it is {mask!r}.')
    if mask == "causal" and n_q > n_k:
        raise ShapeError(
            f"causal queries are the last of the keys' places, so n_q may not exceed n_k: {n_q} queries, {n_k} keys."
        )


def require_fitting(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean, does not fit (..., n_q, n_k), or hides every key from a query."""
    if mask.dtype != torch.bool:
        raise InputError(f"mask must be boolean, True where a query may look: it is {mask.dtype}.")
    sizes = zip(reversed(mask.shape), reversed(shape), strict=False)
    if mask.dim() > len(shape) or any(size not in (1, wanted) for size, wanted in sizes):
        raise ShapeError(f"mask must fit (..., n_q, n_k) = {tuple(shape)}: it is {tuple(mask.shape)}.")
    # One pass over the mask a call, far less than the products; inside torch.compile a mask is trusted as it was made.
    if not torch.compiler.is_compiling() and not bool(mask.any(-1).all()):
        place = tuple((~mask.any(-1)).nonzero()[0].tolist())
        raise InputError(f"mask row {place} hides every key: each query must see at least one.")
