"""The receptive field by torch's own gradients: which inputs move one output. Imports nothing of the package under test."""

from typing import Any

import torch


def extent(net: Any, length: int = 601) -> int:
    """The longest reach, over outputs in the middle, from the first input that moves an output to the last.

    All weights are set to one, so that no gradient cancels.
    """
    for parameter in net.parameters():
        torch.nn.init.ones_(parameter)
    x = torch.ones(1, 1, length, dtype=torch.float64, requires_grad=True)
    y = net.double()(x)
    middle = y.shape[-1] // 2
    reach = 0
    for place in range(max(0, middle - 36), min(y.shape[-1], middle + 36)):
        (gradient,) = torch.autograd.grad(y[0, :, place].sum(), x, retain_graph=True)
        seen = gradient[0, 0].nonzero().flatten()
        if len(seen):
            reach = max(reach, int(seen[-1] - seen[0]) + 1)
    return reach
