"""Softmax between its two limits, and where floating point breaks what mathematics promises."""

from collections.abc import Callable
from typing import TypeAlias

import torch
from torch import Tensor

from clearhead.attention import soft_weights
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import power
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
Softmax: TypeAlias = Callable[[Tensor, float], Tensor]
Z = (4.0, 3.0, 2.0, 1.0)  # the exam's
HOT = (10.0, 100.0, 1e3, 1e4, 1e5)
EVERY = tuple(10.0**power for power in range(-6, 7))


def softmax(z: Tensor, temperature: float) -> Tensor:
    """The weights of our own attention for one row of scores."""
    return soft_weights(z, None, temperature)


def experiment(trial: Trial, softmax: Softmax = softmax) -> Finding:
    z = torch.tensor(Z, dtype=torch.float64)
    drawn = torch.randn(100, 8, dtype=torch.float64)
    from_uniform = [float((softmax(drawn, t) - 1 / 8).abs().max()) for t in HOT]
    gap = float((drawn.topk(2).values @ torch.tensor([1.0, -1.0], dtype=torch.float64)).min())
    winner = torch.nn.functional.one_hot(drawn.argmax(-1), 8)
    from_maximum = float((softmax(drawn, gap / 60) - winner).abs().max())
    equal = max(float((softmax(torch.full((4,), 2.0, dtype=torch.float64), t) - 0.25).abs().max()) for t in EVERY)
    zero_at = {str(dtype).removeprefix("torch."): first_zero(softmax, dtype) for dtype in (torch.float32, torch.float64)}
    broken = {name: lead for name, lead in zero_at.items() if lead is not None}
    rate = power(HOT, [max(distance, 1e-300) for distance in from_uniform])
    return Finding(
        {
            "T": list(HOT),
            "farthest from uniform": from_uniform,
            "power of T in that": rate,
            "farthest from the maximum, T = smallest gap / 60": from_maximum,
            "equal inputs, farthest from uniform at 13 temperatures": equal,
            **{f"a weight is exactly 0 from this lead / T, {name}": lead for name, lead in broken.items()},
        },
        {
            "to uniform as T grows, like 1/T": abs(rate + 1) < 0.05,
            "to the maximum as T falls": from_maximum < 1e-20,
            "uniform at every T for equal inputs": equal < 1e-15,
            "no weight is 0 while the lead is a few T": bool((softmax(z, 1.0) > 0).all()),
        },
        graphs([picture(softmax, z)]),
        when=condition(broken),
    )


def first_zero(softmax: Softmax, dtype: torch.dtype) -> float | None:
    """The lead of the largest score, in T, from which the other weight is exactly 0; None if it never is."""
    low, high = 0.0, 1e4

    def lost(lead: float) -> bool:
        return float(softmax(torch.tensor([0.0, -lead], dtype=dtype), 1.0)[1]) == 0

    if not lost(high):
        return None
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (low, middle) if lost(middle) else (middle, high)
    return round(high, 2)


def condition(broken: dict[str, float]) -> str:
    """Where "never 0" holds: everywhere on paper, up to a lead in floating point."""
    if not broken:
        return ""
    leads = " and ".join(f"{lead:.4g}·T ({name})" for name, lead in broken.items())
    return f"the largest score leads by less than {leads}; on paper always"


def picture(softmax: Softmax, z: Tensor) -> Graph:
    temperatures = [10 ** (step / 10) for step in range(-15, 26)]
    weights = torch.stack([softmax(z, t) for t in temperatures], dim=1).tolist()
    lines = [
        Trace(f"weight of z = {number:g}", list(zip(temperatures, row, strict=True)))
        for number, row in zip(Z, weights, strict=True)
    ]
    return Graph("softmax(z / T): to the maximum, to uniform", Axis("T", logarithmic=True), Axis("weight"), lines)
