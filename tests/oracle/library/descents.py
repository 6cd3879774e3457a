"""Regressions, and the steps of optimisers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, descended, leaves, solves, with_gradients


def optimised(g: Given, make: Callable[[list[Tensor]], torch.optim.Optimizer], state: dict[str, Any] | None = None) -> Worked:
    """One step of torch's own optimiser on the valley sum(c w²)/2."""
    w = torch.nn.Parameter(torch.tensor(g.w))
    optimiser = make([w])
    optimiser.state[w].update(state or {})
    c = torch.tensor(getattr(g, "c", np.ones_like(g.w)))
    (c * w**2).sum().div(2).backward()
    optimiser.step()
    return {"d_w": w.grad, "new_w": w.detach()}


@solves("adam")
def _(g: Given) -> Worked:
    w = torch.nn.Parameter(torch.tensor(g.w))
    loss = F.mse_loss(torch.tensor(g.X) @ w, torch.tensor(g.y))
    loss.backward()
    torch.optim.Adam([w], lr=0.1).step()
    return {"loss": loss.detach(), "d_w": w.grad, "new_w": w.detach()}


@solves("adam-second-step")
def _(g: Given) -> Worked:
    past = {"step": torch.tensor(1.0), "exp_avg": torch.tensor(g.m0_w), "exp_avg_sq": torch.tensor(g.v0_w)}
    return optimised(g, lambda w: torch.optim.Adam(w, lr=0.1), past)


@solves("momentum")
def _(g: Given) -> Worked:
    return optimised(g, lambda w: torch.optim.SGD(w, lr=0.1, momentum=0.5), {"momentum_buffer": torch.tensor(g.v0_w)})


@solves("rmsprop")
def _(g: Given) -> Worked:
    return optimised(g, lambda w: torch.optim.RMSprop(w, lr=0.1, alpha=0.75, eps=0.0))


@solves("linear-regression")
def _(g: Given) -> Worked:
    slope, start = np.polyfit(g.x[0], g.y[0], 1)
    t = leaves(g)
    loss = F.mse_loss(t.a * t.x + t.b, t.y)
    return descended(g, with_gradients(t, loss, "a", "b", loss=loss), 0.05, "a", "b") | {"slope": slope, "start": start}


@solves("logistic-regression")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = F.binary_cross_entropy_with_logits(t.X @ t.w, t.y)
    return with_gradients(t, loss, "w", loss=loss)


@solves("softmax-regression")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = F.cross_entropy(t.X @ t.W, t.Y)
    return descended(g, with_gradients(t, loss, "W", loss=loss), 0.5, "W")


@solves("support-vectors")
def _(g: Given) -> Worked:
    t = leaves(g)
    hinge = (1 - t.y * (t.X @ t.w)).clamp(min=0)
    loss = t.w.square().sum() / 2 + 2 * hinge.sum()
    return descended(g, with_gradients(t, loss, "w", loss=loss, hinge=hinge), 0.1, "w")
