"""Every function of formulas once more, in torch: the name of a case, the formula, the same in torch, and the shapes put in."""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F


class Case(NamedTuple):
    formula: str
    torch: Callable[..., Tensor]
    shapes: tuple[tuple[int, int], ...]
    positive: bool = False
    smooth: bool = True  # whether it has a gradient to compare


def normal(x: Tensor, dim: int, eps: float = 0.0) -> Tensor:
    return (x - x.mean(dim, keepdim=True)) / torch.sqrt(x.var(dim, unbiased=False, keepdim=True) + eps)


def rotated(x: Tensor, base: float = 10000.0) -> Tensor:
    """Pairs of neighbouring columns as complex numbers, turned by position · base^(−2k/d)."""
    n, d = x.shape
    angle = torch.arange(n)[:, None] * base ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)[None, :]
    pairs = torch.view_as_complex(x.reshape(n, d // 2, 2).contiguous())
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angle), angle)).reshape(n, d)


def slid(x: Tensor, k: Tensor, stride: int = 1, padding: int = 0) -> Tensor:
    return F.conv2d(x[None, None], k[None, None], stride=stride, padding=padding)[0, 0]


def kept(x: Tensor, k: int) -> Tensor:
    best = x.topk(k, dim=1).indices
    return torch.full_like(x, -math.inf).scatter(1, best, x.gather(1, best))


A23, B23, B34, R3 = (2, 3), (2, 3), (3, 4), (1, 3)
CASES = [
    Case("A B", lambda a, b: a @ b, (A23, B34)),
    Case("A @ B / 3", lambda a, b: a @ b / 3, (A23, B34)),
    Case("A B^T / sqrt(3)", lambda a, b: a @ b.T / math.sqrt(3), (A23, (4, 3))),
    Case("Aᵀ B", lambda a, b: a.T @ b, (A23, (2, 4))),
    Case("A + B", lambda a, b: a + b, (A23, R3)),
    Case("A - B", lambda a, b: a - b, (R3, A23)),
    Case("A ⊙ B", lambda a, b: a * b, (A23, R3)),
    Case("A .* B", lambda a, b: a * b, (A23, B23)),
    Case("A * B", lambda a, b: a * b, (A23, B23)),
    Case("A / B", lambda a, b: a / b, (A23, B23), positive=True),
    Case("A / B / 2", lambda a, b: a / b / 2, (A23, R3), positive=True),
    Case("2 A - B / 4 + 1", lambda a, b: 2 * a - b / 4 + 1, (A23, B23)),
    Case("-A^2 + A^3", lambda a: -(a**2) + a**3, (A23,)),
    Case("A^(1/2) + A^-1", lambda a: a.sqrt() + 1 / a, (A23,), positive=True),
    Case("[A, B]", lambda a, b: torch.cat([a, b], 1), (A23, (2, 2))),
    Case("[A; B] ", lambda a, b: torch.cat([a, b], 0), (A23, R3)),
    Case("concat(A, B, A)", lambda a, b: torch.cat([a, b, a], 1), (A23, (2, 2))),
    Case("A[2, :] + A[1]", lambda a: a[1:2] + a[0:1], (A23,)),
    Case("A[:, 2..3] A[1, 1]", lambda a: a[:, 1:3] * a[0, 0], (A23,)),
    Case("reshape(A, 3, 2)", lambda a: a.reshape(3, 2), (A23,)),
    Case("exp(A)", torch.exp, (A23,)),
    Case("ln(A) + log2(A) + log10(A)", lambda a: a.log() + a.log2() + a.log10(), (A23,), positive=True),
    Case("sqrt(A)", torch.sqrt, (A23,), positive=True),
    Case("abs(A)", torch.abs, (A23,)),
    Case("sin(A) + cos(A)", lambda a: a.sin() + a.cos(), (A23,)),
    Case("tanh(A)", torch.tanh, (A23,)),
    Case("sigmoid(A)", torch.sigmoid, (A23,)),
    Case("relu(A)", torch.relu, (A23,)),
    Case("leaky_relu(A)", lambda a: F.leaky_relu(a, 0.01), (A23,)),
    Case("leaky_relu(A, 0.2)", lambda a: F.leaky_relu(a, 0.2), (A23,)),
    Case("gelu(A)", F.gelu, (A23,)),
    Case("silu(A)", F.silu, (A23,)),
    Case("softmax(A)", lambda a: a.softmax(1), (A23,)),
    Case("colsoftmax(A)", lambda a: a.softmax(0), (A23,)),
    Case("softmax(A B) B^T", lambda a, b: (a @ b).softmax(1) @ b.T, (A23, B34)),
    Case("layernorm(A)", lambda a: normal(a, 1), (B34,)),
    Case("layernorm(A, 0.5)", lambda a: normal(a, 1, 0.5), (B34,)),
    Case("batchnorm(A, 0.1)", lambda a: normal(a, 0, 0.1), (B34,)),
    Case("collayernorm(A)", lambda a: normal(a, 0), (B34,)),
    Case("rmsnorm(A)", lambda a: a / torch.sqrt((a**2).mean(1, keepdim=True)), (B34,)),
    Case("rmsnorm(A, 0.1)", lambda a: a / torch.sqrt((a**2).mean(1, keepdim=True) + 0.1), (B34,)),
    Case("rowsum(A)", lambda a: a.sum(1, keepdim=True), (A23,)),
    Case("colsum(A)", lambda a: a.sum(0, keepdim=True), (A23,)),
    Case("rowmean(A)", lambda a: a.mean(1, keepdim=True), (A23,)),
    Case("colmean(A)", lambda a: a.mean(0, keepdim=True), (A23,)),
    Case("rowmax(A)", lambda a: a.max(1, keepdim=True).values, (A23,)),
    Case("colmin(A)", lambda a: a.min(0, keepdim=True).values, (A23,)),
    Case("rowmin(A)", lambda a: a.min(1, keepdim=True).values, (A23,)),
    Case("min(A)", lambda a: a.min().reshape(1, 1), (A23,)),
    Case("max(0, A)", lambda a: a.clamp(min=0), (A23,)),
    Case("max(A, 1)", lambda a: a.clamp(min=1), (A23,)),
    Case("min(A, 1)", lambda a: a.clamp(max=1), (A23,)),
    Case("min(max(A, -1), 1)", lambda a: a.clamp(-1, 1), (A23,)),
    Case("colmax(A)", lambda a: a.max(0, keepdim=True).values, (A23,)),
    Case("rowvar(A)", lambda a: a.var(1, unbiased=False, keepdim=True), (B34,)),
    Case("colstd(A, 0.5)", lambda a: torch.sqrt(a.var(0, unbiased=False, keepdim=True) + 0.5), (B34,)),
    Case("rownorm(A)", lambda a: a.norm(dim=1, keepdim=True), (A23,)),
    Case("sum(A) A", lambda a: a.sum() * a, (A23,)),
    Case("mean(A ⊙ B)", lambda a, b: (a * b).mean().reshape(1, 1), (A23, B23)),
    Case("max(A)", lambda a: a.max().reshape(1, 1), (A23,)),
    Case("norm(A)", lambda a: a.norm().reshape(1, 1), (A23,)),
    Case(
        "cross_entropy(softmax(A), onehot([2; 1], 3))", lambda a: F.cross_entropy(a, torch.tensor([1, 0])).reshape(1, 1), (A23,)
    ),
    Case("mse(A, B)", lambda a, b: F.mse_loss(a, b).reshape(1, 1), (A23, B23)),
    Case(
        "kl(softmax(A), softmax(B))",
        lambda a, b: F.kl_div(b.log_softmax(1), a.softmax(1), reduction="batchmean").reshape(1, 1),
        (A23, B23),
    ),
    Case("cosine(A, B)", lambda a, b: F.normalize(a, dim=1) @ F.normalize(b, dim=1).T, (A23, (4, 3))),
    Case("conv(A, B)", slid, ((4, 5), (2, 3))),
    Case("conv(A, B, 2, 1)", lambda a, b: slid(a, b, 2, 1), ((4, 5), (3, 3))),
    Case("maxpool(A, 2)", lambda a: F.max_pool2d(a[None, None], 2)[0, 0], ((4, 6),)),
    Case("maxpool(A, 2, 1)", lambda a: F.max_pool2d(a[None, None], 2, 1)[0, 0], ((3, 4),)),
    Case("avgpool(A, 2)", lambda a: F.avg_pool2d(a[None, None], 2)[0, 0], ((4, 6),)),
    Case("rope(A)", rotated, ((3, 4),)),
    Case("rope(A, 100)", lambda a: rotated(a, 100.0), ((3, 6),)),
    Case("A + positions(3, 4)", lambda a: a + sinusoids(3, 4), ((3, 4),)),
    Case("A + positions(2, 3)", lambda a: a + sinusoids(2, 3), ((2, 3),)),
    Case(
        "softmax(A + causal_mask(3))", lambda a: a.masked_fill(torch.ones(3, 3).triu(1).bool(), -math.inf).softmax(1), ((3, 3),)
    ),
    Case("softmax(causal_mask(A))", lambda a: a.masked_fill(torch.ones(3, 3).triu(1).bool(), -math.inf).softmax(1), ((3, 3),)),
    Case("softmax(topk(A, 2))", lambda a: kept(a, 2).softmax(1), ((2, 4),), smooth=False),
    Case("A ⊙ topk_mask(A, 1)", lambda a: a * F.one_hot(a.argmax(1), 4), ((2, 4),), smooth=False),
    Case("argmax(A)", lambda a: a.argmax(1, keepdim=True).to(a.dtype) + 1, ((3, 4),), smooth=False),
    Case("dropout(A, B, 1/4)", lambda a, b: a * b / 0.75, (A23, B23), smooth=False),
    Case("A ones(3, 2) + zeros(2, 2) + identity(2)", lambda a: a.sum(1, keepdim=True) + torch.eye(2), (A23,)),
    Case("step(A) + relu'(A)", lambda a: 2 * (a > 0).to(a.dtype), (A23,), smooth=False),
    Case("silu'(A) + gelu'(A) + tanh'(A) + sigmoid'(A)", lambda a: slopes(a), (A23,), smooth=False),
]


def slopes(a: Tensor) -> Tensor:
    return sum(torch.func.vmap(torch.func.vmap(torch.func.grad(f)))(a) for f in (F.silu, F.gelu, torch.tanh, torch.sigmoid))


def sinusoids(n: int, d: int) -> Tensor:
    """sin and cos in turns, of position / 10000^(2k/d)."""
    rows = [[(math.cos if j % 2 else math.sin)(i / 10000 ** (2 * (j // 2) / d)) for j in range(d)] for i in range(n)]
    return torch.tensor(rows, dtype=torch.float64)
