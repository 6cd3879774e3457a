"""Logistic regression on data that a line can part: the loss falls for ever, unless the weights are penalised."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import softplus

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "20,000 steps instead of 200,000"
POINTS, RATE, PENALTY, MARGIN = 20, 0.5, 0.01, 1.0


def parted(n: int) -> tuple[Tensor, Tensor]:
    """Points (n, 3), the first cell 1 for the bias, and labels ±1 that a line parts with a margin."""
    x = torch.randn(n, 2, dtype=torch.float64)
    y = x.sum(1).sign()
    return torch.cat([torch.ones(n, 1, dtype=torch.float64), x + MARGIN * y[:, None] / 2], dim=1), y


def experiment(trial: Trial, data: Callable[[int], tuple[Tensor, Tensor]] = parted, penalty: float = PENALTY) -> Finding:
    steps = 20_000 if trial.quick else 200_000
    x, y = data(POINTS)
    free, held = (descend(x, y, steps, strength) for strength in (0.0, penalty))
    late = [record for record in free if record[0] >= steps / 100]  # the last two powers of ten
    growth = slope([math.log(t) for t, _, _ in late], [norm for _, norm, _ in late])
    at = {t: (norm, loss) for t, norm, loss in free}
    halves = [at[nearest(at, steps / 100)], at[nearest(at, steps / 10)], at[steps]]
    gains = [halves[1][0] - halves[0][0], halves[2][0] - halves[1][0]]  # of ‖w‖ over each power of ten: equal if ∝ log t
    last_move = abs(held[-1][1] - held[-len(held) // 4][1])
    return Finding(
        {
            "steps": [nearest(at, steps / 100), nearest(at, steps / 10), steps],
            "‖w‖": [norm for norm, _ in halves],
            "what ‖w‖ gains over each power of ten": gains,
            "‖w‖ per ln t": growth,
            "loss": [loss for _, loss in halves],
            "with the penalty, ‖w‖ at the end": held[-1][1],
            "and how far it moved in the last quarter of the records": last_move,
        },
        {
            "the loss keeps falling: by two thirds or more over a power of ten": halves[2][1] < halves[1][1] / 3,
            "‖w‖ grows like log t: as much over each power of ten": gains[0] > 0.1 and abs(gains[1] / gains[0] - 1) < 0.15,
            "with a penalty it stops": last_move < 1e-6 and held[-1][1] < free[-1][1],
        },
        graphs(
            [
                Graph(
                    "The length of w",
                    Axis("step", logarithmic=True),
                    Axis("‖w‖"),
                    [
                        Trace("no penalty", [(t, norm) for t, norm, _ in free]),
                        Trace(f"with ½·{penalty:g}·‖w‖²", [(t, norm) for t, norm, _ in held]),
                    ],
                ),
                Graph(
                    "The logistic loss",
                    Axis("step", logarithmic=True),
                    Axis("mean loss", logarithmic=True),
                    [
                        Trace("no penalty", [(t, loss) for t, _, loss in free]),
                        Trace("with a penalty (its own share left out)", [(t, loss) for t, _, loss in held]),
                    ],
                ),
            ]
        ),
    )


def descend(x: Tensor, y: Tensor, steps: int, penalty: float) -> list[tuple[int, float, float]]:
    """Plain descent from 0: (step, ‖w‖, loss) at some 60 steps, evenly over the powers of ten."""
    told = sorted({round(steps ** (k / 60)) for k in range(61)})
    w = torch.zeros(x.shape[1], dtype=torch.float64)
    records: list[tuple[int, float, float]] = []
    signed = x * y[:, None]  # (n, width)
    for step in range(1, steps + 1):
        margins = signed @ w
        gradient = -(signed * torch.sigmoid(-margins)[:, None]).mean(0) + penalty * w
        w = w - RATE * gradient
        if step == told[len(records)]:
            records.append((step, float(w.norm()), float(softplus(-(signed @ w)).mean())))
    return records


def nearest(records: dict[int, tuple[float, float]], wanted: float) -> int:
    return min(records, key=lambda step: abs(math.log(step / wanted)))
