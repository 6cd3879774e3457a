"""The (sub)gradient of ½λ‖w‖∞²: which coordinates a step touches, and what happens where two are equally large."""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "200 draws instead of 2,000"
WIDTH, LAMBDA, H = 6, 0.1, 1e-6
Penalty: TypeAlias = Callable[[Tensor], Tensor]


def max_norm(w: Tensor) -> Tensor:
    """½λ‖w‖∞²."""
    return LAMBDA / 2 * w.abs().amax(-1) ** 2


def experiment(trial: Trial, penalty: Penalty = max_norm) -> Finding:
    draws = 200 if trial.quick else 2000
    w = torch.randn(draws, WIDTH, dtype=torch.float64)
    found = gradient(penalty, w)
    largest = torch.nn.functional.one_hot(w.abs().argmax(-1), WIDTH)  # e of the exam's formula
    formula = LAMBDA * w * largest
    without_bars = LAMBDA * w * torch.nn.functional.one_hot(w.argmax(-1), WIDTH)  # as the exam's cases are printed
    touched = (found != 0).sum(-1)
    tied = torch.tensor([[3.0, -3.0, 1.0, 0.5, 0.0, -2.0]], dtype=torch.float64)
    right, left = (one_sided(penalty, tied[0], sign) for sign in (1, -1))
    shared = gradient(penalty, tied)[0]
    kinks = int(((right - left).abs() > 1e-3).sum())
    return Finding(
        {
            "draws of w that touch one coordinate": share(int((touched == 1).sum()), draws),
            "autograd against λ w ⊙ e_argmax|w|, at most apart": float((found - formula).abs().max()),
            "differences against it, at most apart": float((differences(penalty, w) - formula).abs().max()),
            "draws where the exam's cases without |·| are wrong": share(
                int(((without_bars - found).abs().amax(-1) > 1e-9).sum()), draws
            ),
            "a tie": "w = (3, −3, 1, 0.5, 0, −2), λ = 0.1",
            "slope to the right of each coordinate": right.tolist(),
            "slope to the left": left.tolist(),
            "autograd there": shared.tolist(),
        },
        {
            "one coordinate is touched": bool((touched == 1).all()),
            "it is λ w of the largest |w|": float((found - formula).abs().max()) < 1e-12,
            "differences agree": float((differences(penalty, w) - formula).abs().max()) < 1e-6,
        },
        graphs([descent(penalty, tied[0])]),
        when="no two are equally large; in a tie there is no gradient, and autograd halves the step between them"
        if kinks
        else "",
    )


def gradient(penalty: Penalty, w: Tensor) -> Tensor:
    w = w.clone().requires_grad_()
    return torch.autograd.grad(penalty(w).sum(), w)[0]


def differences(penalty: Penalty, w: Tensor) -> Tensor:
    """Central differences by each coordinate: (draws, width)."""
    steps = H * torch.eye(WIDTH, dtype=w.dtype)
    return torch.stack([(penalty(w + step) - penalty(w - step)) / (2 * H) for step in steps], dim=-1)


def one_sided(penalty: Penalty, w: Tensor, sign: int) -> Tensor:
    """The slope when a coordinate is moved to one side only: (width,)."""
    steps = sign * H * torch.eye(WIDTH, dtype=w.dtype)
    return (penalty(w + steps) - penalty(w)) / (sign * H)


def descent(penalty: Penalty, w: Tensor) -> Graph:
    """Where descent on the penalty alone takes each coordinate: the largest come down until they tie."""
    path = [w]
    for _ in range(300):
        path.append(path[-1] - gradient(penalty, path[-1][None])[0])
    lines = [Trace(f"w{k + 1}", [(step, float(at[k])) for step, at in enumerate(path)]) for k in range(WIDTH)]
    return Graph("Descent on ½λ‖w‖∞² alone", Axis("step"), Axis("w"), lines)
