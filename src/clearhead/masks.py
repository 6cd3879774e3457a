"""Who may look at whom, as tables of booleans (..., n_q, n_k): True where a query may look. No row hides every key."""

from collections.abc import Sequence

import torch
from torch import Tensor

from clearhead.errors import InputError, ShapeError


def causal(n: int, before: int = 0) -> Tensor:
    """n queries after `before` keys that are there already (a cache): each sees the keys up to its own place.

    >>> causal(2, before=1).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    require_sizes(n=n)
    require_sizes(least=0, before=before)
    return at_or_before(places(n) + before, places(before + n))  # (n, before + n)


def at_or_before(queries: Tensor, keys: Tensor) -> Tensor:
    """Each query sees the keys that stand no later than it, by their places: (..., n_q) and (..., n_k) give (..., n_q, n_k).

    >>> at_or_before(torch.tensor([1, 3]), torch.tensor([0, 1, 2])).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    return keys[..., None, :] <= queries[..., None]


def nearest(queries: Tensor, keys: Tensor, size: int) -> Tensor:
    """Each query sees the keys at its own place and the size − 1 before it: (..., n_q, n_k).

    >>> nearest(torch.tensor([1, 3]), torch.tensor([0, 1, 2]), 2).int()
    tensor([[1, 1, 0],
            [0, 0, 1]], dtype=torch.int32)
    """
    return at_or_before(queries, keys) & (keys[..., None, :] > queries[..., None] - size)


def window(n: int, size: int) -> Tensor:
    """Each query sees its own place and the size − 1 before it.

    >>> window(3, 2).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [0, 1, 1]], dtype=torch.int32)
    """
    require_sizes(n=n, size=size)
    return nearest(places(n), places(n), size)  # (n, n)


def padding(lengths: Sequence[int] | Tensor, n: int) -> Tensor:
    """Sequences of these lengths, padded at the end to n: no query sees the padding.

    A causal mask does this already for the real tokens, whose padding all comes later.

    >>> padding([1, 3], 3).int()
    tensor([[[1, 0, 0]],
    <BLANKLINE>
            [[1, 1, 1]]], dtype=torch.int32)
    """
    lengths = torch.as_tensor(lengths)
    if lengths.dim() != 1 or lengths.is_floating_point() or bool(((lengths < 1) | (lengths > n)).any()):
        raise InputError(f"lengths must be whole numbers from 1 to n = {n}, one a sequence: they are {lengths.tolist()}.")
    return (places(n).to(lengths.device) < lengths[:, None])[:, None]  # (batch, 1, n)


def all_of(mask: Tensor, *others: Tensor) -> Tensor:
    """A query may look where every mask lets it.

    >>> all_of(causal(2), padding([1], 2)).int()
    tensor([[[1, 0],
             [1, 0]]], dtype=torch.int32)
    """
    for other in others:
        try:
            mask = mask & other
        except RuntimeError as error:
            shapes = f"{tuple(mask.shape)} and {tuple(other.shape)}"
            raise ShapeError(f"masks must have sizes that are equal or 1: these are {shapes}.") from error
    return require_seeing(mask)


def require_seeing(mask: Tensor) -> Tensor:
    """The mask itself; refused if it is not boolean, or if a row hides every key.

    >>> bool(require_seeing(torch.tensor([[True, False]])).any())
    True
    """
    if mask.dtype != torch.bool:
        raise InputError(f"a mask must be boolean, True where a query may look: it is {mask.dtype}.")
    blind = ~mask.any(-1)  # (..., n_q)
    if bool(blind.any()):
        row = blind.nonzero()[0].tolist()
        raise InputError(f"row {row} of the mask (from 0) hides every key: each query must see at least one.")
    return mask


def course_down(m: int, n: int) -> Tensor:
    """The course's simplified Perceiver, tokens to m basis vectors: vector i sees tokens 0 to i, so the rest are lost.

    >>> course_down(2, 3).int()
    tensor([[1, 0, 0],
            [1, 1, 0]], dtype=torch.int32)
    """
    require_latents(m, n)
    return at_or_before(places(m), places(n))  # (m, n)


def course_up(n: int, m: int) -> Tensor:
    """The course's simplified Perceiver, m basis vectors to tokens: token t sees vectors 0 to t.

    >>> course_up(3, 2).int()
    tensor([[1, 0],
            [1, 1],
            [1, 1]], dtype=torch.int32)
    """
    require_latents(m, n)
    return at_or_before(places(n), places(m))  # (n, m)


def perceiver_ar(m: int, n: int) -> Tensor:
    """Perceiver AR: m latents are the last m of n tokens, and latent i sees token j iff j ≤ n − m + i.

    >>> perceiver_ar(2, 4).int()
    tensor([[1, 1, 1, 0],
            [1, 1, 1, 1]], dtype=torch.int32)
    """
    require_latents(m, n)
    return causal(m, before=n - m)  # (m, n)


def strided_places(n: int, stride: int) -> Tensor:
    """Where the latents of the strided Perceiver stand: pᵢ = (i + 1)·stride − 1, as many as fit in n tokens.

    >>> strided_places(7, 3)
    tensor([2, 5])
    """
    require_sizes(n=n, stride=stride)
    return places(n // stride) * stride + stride - 1  # (n // stride,)


def strided_down(n: int, stride: int) -> Tensor:
    """The strided Perceiver, tokens to latents: latent i sees token j iff j ≤ pᵢ.

    >>> strided_down(4, 2).int()
    tensor([[1, 1, 0, 0],
            [1, 1, 1, 1]], dtype=torch.int32)
    """
    return at_or_before(strided_places(n, stride), places(n))  # (n // stride, n)


def strided_up(n: int, stride: int) -> Tensor:
    """The strided Perceiver, latents and then tokens to tokens: t sees latent i iff pᵢ ≤ t, and the last `stride` tokens.

    The latents alone would hide every key from the first stride − 1 tokens, so the local window belongs to the mask.

    >>> strided_up(4, 2).int()
    tensor([[0, 0, 1, 0, 0, 0],
            [1, 0, 1, 1, 0, 0],
            [1, 0, 0, 1, 1, 0],
            [1, 1, 0, 0, 1, 1]], dtype=torch.int32)
    """
    latents = at_or_before(places(n), strided_places(n, stride))  # (n, n // stride)
    return torch.cat([latents, window(n, stride)], dim=-1)  # (n, n // stride + n)


def places(n: int) -> Tensor:
    """0 to n − 1; tables of masks are made on the CPU, and brought from there to where they are used."""
    return torch.arange(n, device="cpu")


def require_sizes(least: int = 1, **sizes: int) -> None:
    for name, size in sizes.items():
        if size < least:
            raise InputError(f"{name} must be at least {least}: it is {size}.")


def require_latents(m: int, n: int) -> None:
    if not 1 <= m <= n:
        raise InputError(f"there must be at least one latent, and no more than tokens: m = {m}, n = {n}.")
