"""Why scores are divided by √d_k: what happens to softmax and to its gradient without."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Interval, Trial
from clearhead.lab.intervals import mean, power, spread
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "100 queries a width instead of 1,000"
WIDTHS = tuple(2**power for power in range(1, 13))  # 2 … 4096
KEYS = 16


@dataclass(frozen=True, slots=True)
class Width:
    """What was measured at one d_k."""

    spread: Interval  # standard deviation of the scores
    largest: Interval  # weight of the best key
    gradient: Interval  # ‖∂weights/∂scores‖, the mean: what of a gradient comes through the softmax
    typical: float  # the median of the same; the mean lives on the few queries whose best two keys nearly tie


def unit_normal(n: int, d: int) -> Tensor:
    """Vectors as attention meets them: each cell with mean 0 and variance 1."""
    return torch.randn(n, d)


def experiment(
    trial: Trial, draw: Callable[[int, int], Tensor] = unit_normal, scale: Callable[[int], float] = math.sqrt
) -> Finding:
    queries = 100 if trial.quick else 1000
    plain = [measure(draw, queries, d, 1.0) for d in WIDTHS]
    scaled = [measure(draw, queries, d, scale(d)) for d in WIDTHS]
    growth, calm = (power(WIDTHS, [each.spread.value for each in side]) for side in (plain, scaled))
    left, kept = (side[-1].gradient.value / side[0].gradient.value for side in (plain, scaled))
    typical, steady = (side[-1].typical / side[0].typical for side in (plain, scaled))
    return Finding(
        {
            "d": list(WIDTHS),
            "spread of q·k": [each.spread for each in plain],
            "power of d in that": growth,
            "power of d with √d_k": calm,
            "largest of 16 weights at d = 4096": plain[-1].largest,
            "largest with √d_k": scaled[-1].largest,
            "gradient left at d = 4096, of that at 2: mean, median query": [left, typical],
            "the same with √d_k": [kept, steady],
        },
        {
            "the spread grows like √d": abs(growth - 0.5) < 0.03,
            "softmax saturates: one key takes over 0.95": plain[-1].largest.low > 0.95,
            "the gradient vanishes: for most queries under 1e-3 is left": typical < 1e-3,
            "with √d_k the spread stays": abs(calm) < 0.03,
            "with √d_k softmax stays soft": scaled[-1].largest.high < 0.6,
            "with √d_k the gradient stays": min(kept, steady) > 0.5,
        },
        graphs(
            [
                picture("spread of the scores", plain, scaled, "spread"),
                picture("gradient through the softmax", plain, scaled, "gradient"),
            ]
        ),
    )


def measure(draw: Callable[[int, int], Tensor], queries: int, d: int, scale: float) -> Width:
    """Scores of fresh queries against fresh keys, divided by `scale`."""
    scores = torch.stack([(draw(1, d) @ draw(KEYS, d).mT)[0] for _ in range(queries)]) / scale  # (queries, keys)
    weights = scores.double().softmax(-1)
    jacobian = torch.diag_embed(weights) - weights[:, :, None] * weights[:, None, :]  # (queries, keys, keys)
    norms = torch.linalg.matrix_norm(jacobian)
    return Width(spread(scores[:, 0].tolist()), mean(weights.amax(-1).tolist()), mean(norms.tolist()), float(norms.median()))


def picture(title: str, plain: list[Width], scaled: list[Width], name: str) -> Graph:
    lines = []
    for words, side in (("without √d_k", plain), ("with √d_k", scaled)):
        found: list[Interval] = [getattr(each, name) for each in side]
        points = [(float(d), each.value) for d, each in zip(WIDTHS, found, strict=True)]
        lines.append(Trace(words, points, [(max(each.low, each.value / 3), each.high) for each in found]))
    return Graph(title, Axis("d_k", logarithmic=True), Axis(name, logarithmic=True), lines)
