"""How much gradient is left at the first layer of a deep net: what two claims measure."""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from clearhead.lab.claim import Interval
from clearhead.lab.intervals import mean

WIDTH, ROWS = 64, 16
Join: TypeAlias = Callable[[Tensor, Tensor], Tensor]
"""What goes on from what came in and what a layer made of it."""


def passed_on(x: Tensor, made: Tensor) -> Tensor:
    """A plain net: what the layer made."""
    return made


def added(x: Tensor, made: Tensor) -> Tensor:
    """A residual net: the layer adds to what came in."""
    return x + made


def gradient_left(
    depth: int, activation: Callable[[Tensor], Tensor], gain: float, join: Join = passed_on, nets: int = 8
) -> Interval:
    """‖∂L/∂x at the first layer‖ over ‖∂L/∂x at the last‖, mean of its logarithm over random nets and losses: log₁₀."""
    logs = []
    for _ in range(nets):
        x = first = torch.randn(ROWS, WIDTH, dtype=torch.float64, requires_grad=True)
        for _ in range(depth):
            weight = torch.randn(WIDTH, WIDTH, dtype=torch.float64) * gain / WIDTH**0.5
            x = join(x, activation(x @ weight))
        sent = torch.randn_like(x)  # ∂L/∂x at the end
        arrived = torch.autograd.grad(x, first, sent)[0]
        logs.append(float((arrived.norm() / sent.norm()).clamp(min=1e-300).log10()))
    return mean(logs)
