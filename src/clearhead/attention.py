"""The one attention that trains: it returns its working, in the order a person writes it."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
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

    M is 0 where mask is True (may look) and −∞ elsewhere; no mask means M = 0. With "causal" the queries stand at the last
    n_q of the n_k places, and none sees what comes after its own. T = 0 is the limit: the maximum takes all and ties share
    equally, so nothing flows back to q and k, while v still learns.
    Shapes: q (..., n_q, d_k), k (..., n_k, d_k), v (..., n_k, d_v), mask (..., n_q, n_k).

    >>> attend(torch.tensor([[2., 0., 0., 0.]]), torch.zeros(2, 4), torch.tensor([[8.], [4.]])).output
    tensor([[6.]])
    """
    shape = require_matching(q, k, v)
    require_temperature(temperature)
    visible = table(mask, shape, q.device)
    cold = temperature < torch.finfo(q.dtype).tiny  # 0 in the tensors' own dtype
    scores = tying_scores(q, k) if cold else q @ k.mT  # (..., n_q, n_k)
    scaled = scores / math.sqrt(q.shape[-1])
    weights = limit_weights(scaled, visible) if cold else soft_weights(scaled, visible, temperature)
    return Attended(scaled, weights, weights @ v)


def attend_fused(q: Tensor, k: Tensor, v: Tensor, mask: Mask = None) -> Tensor:
    """The output of `attend` at temperature 1 from one fused kernel, and nothing else: no weights are kept.

    "causal" builds no table when there are as many queries as keys, or one query alone.

    >>> attend_fused(torch.tensor([[2., 0., 0., 0.]]), torch.zeros(2, 4), torch.tensor([[8.], [4.]]))
    tensor([[6.]])
    """
    shape = require_matching(q, k, v)
    if isinstance(mask, str) and mask == "causal" and shape[-2] == shape[-1]:
        return scaled_dot_product_attention(q, k, v, is_causal=True)
    return scaled_dot_product_attention(q, k, v, attn_mask=table(mask, shape, q.device))


def tying_scores(q: Tensor, k: Tensor) -> Tensor:
    """QKᵀ such that equal keys get equal scores, on every processor.

    A matrix product adds up the last columns of a table in another order than the first, so that the same key twice may get
    scores a last bit apart, and at temperature 0 one of the two would take all. Here each cell is a sum over its own row.
    """
    keys = k.contiguous().unsqueeze(-3)  # (..., 1, n_k, d_k); a sum goes along each row only where the row lies together
    each = [(query.unsqueeze(-2) * keys).sum(-1) for query in torch.split(q, 1, dim=-2)]  # (..., 1, n_k): one query at a time
    return torch.cat(each, dim=-2)  # (..., n_q, n_k)


def soft_weights(scaled: Tensor, visible: Tensor | None, temperature: float) -> Tensor:
    """softmax(scaled / T + M) for T > 0."""
    if temperature != 1:
        # Shifting a row does not change its softmax; with the maximum at 0, division by a small T overflows nowhere.
        scaled = (scaled - maximum(scaled, visible)) / temperature
    return masked(scaled, visible).softmax(-1)


def limit_weights(scaled: Tensor, visible: Tensor | None) -> Tensor:
    """The limit of softmax(scaled / T + M) as T goes to 0: 1, shared equally among the largest."""
    below = masked(scaled - maximum(scaled, visible), visible)
    best = 1 + below.sign()  # 1 at the maximum, 0 elsewhere: a step, so that its slope is there and is 0
    return best / best.sum(-1, keepdim=True)


def maximum(scaled: Tensor, visible: Tensor | None) -> Tensor:
    """The largest visible cell of each row, as a constant."""
    return masked(scaled.detach(), visible).amax(-1, keepdim=True)  # (..., n_q, 1)


def masked(scaled: Tensor, visible: Tensor | None) -> Tensor:
    """scaled + M."""
    return scaled if visible is None else scaled.masked_fill(~visible, -math.inf)


def table(mask: Mask, shape: tuple[int, ...], device: torch.device) -> Tensor | None:
    """The mask as a checked table of booleans that fits `shape`, (..., n_q, n_k); None if nothing is hidden."""
    if mask is None:
        return None
    if isinstance(mask, Tensor):
        require_fitting(mask, shape)
        return mask
    n_q, n_k = shape[-2:]
    if mask != "causal":
        raise InputError(f'mask must be a boolean tensor, "causal" or None: it is {mask!r}.')
    if n_q > n_k:
        raise ShapeError(f"causal queries stand at the last of the keys' places: {n_q} queries do not fit in {n_k} keys.")
    if n_q == 1:
        return None
    return torch.ones(n_q, n_k, dtype=torch.bool, device=device).tril(n_k - n_q)


def require_matching(q: Tensor, k: Tensor, v: Tensor) -> tuple[int, ...]:
    """The shape of the scores, (..., n_q, n_k); refused, saying what would fit, if there is none."""
    for name, tensor in (("q", q), ("k", k), ("v", v)):
        if tensor.dim() < 2:
            raise ShapeError(f"{name} must have rows and columns, (..., n, d): it is {tuple(tensor.shape)}.")
        if not tensor.is_floating_point() or tensor.dtype != q.dtype:
            raise InputError(f"q, k and v must be of one floating-point type: q is {q.dtype}, {name} is {tensor.dtype}.")
    if q.shape[-1] != k.shape[-1]:
        hint = " k looks transposed already; pass it as (n_k, d_k)." if q.shape[-1] == k.shape[-2] else ""
        raise ShapeError(f"q and k must agree on d_k: q is {tuple(q.shape)}, k is {tuple(k.shape)}.{hint}")
    if k.shape[-2] != v.shape[-2]:
        raise ShapeError(f"each key needs one value: {k.shape[-2]} keys, {v.shape[-2]} values.")
    if 0 in k.shape[-2:]:
        raise ShapeError(f"there must be at least one key, and d_k must be at least 1: k is {tuple(k.shape)}.")
    leading_axes(q, k, v)
    return (*leading_axes(q, k), q.shape[-2], k.shape[-2])


def leading_axes(*tensors: Tensor) -> tuple[int, ...]:
    """The axes before the last two, as torch broadcasts them."""
    first, *others = (x.shape[:-2] for x in tensors)
    if all(axes == first for axes in others):
        return tuple(first)
    axes: list[int] = []
    for sizes in zip_longest(*(reversed(x.shape[:-2]) for x in tensors), fillvalue=1):
        size = next((size for size in sizes if size != 1), 1)
        if any(other not in (1, size) for other in sizes):
            came = ", ".join(str(tuple(x.shape)) for x in tensors)
            raise ShapeError(f"the axes before the last two must be equal or 1: q, k and v are {came}.")
        axes.insert(0, size)
    return tuple(axes)


def require_temperature(temperature: float) -> None:
    if not 0 <= temperature < math.inf:  # NaN is refused here too
        raise InputError(f"temperature must be a finite number, 0 or more: it is {temperature}; at 0 the maximum takes all.")


def require_fitting(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean, does not fit, or hides every key from a query."""
    if mask.dtype != torch.bool:
        raise InputError(f"mask must be boolean, True where a query may look: it is {mask.dtype}.")
    if mask.dim() > len(shape) or any(
        size not in (1, wanted) for size, wanted in zip(reversed(mask.shape), reversed(shape), strict=False)
    ):
        raise ShapeError(f"mask must fit (..., n_q, n_k) = {shape}: it is {tuple(mask.shape)}.")
    # One look at each cell of the mask in every call. A compiled graph cannot raise: there a mask is trusted as it was made.
    if not torch.compiler.is_compiling() and not bool(mask.any(-1).all()):
        row = (~mask.any(-1)).nonzero()[0].tolist()
        raise InputError(f"row {row} of the mask (from 0) hides every key: each query must see at least one.")
