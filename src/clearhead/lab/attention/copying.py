"""One query that copies one value: the closed form, and how near random keys come to it."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.attention import attend
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import mean, spread
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "200 draws of random keys instead of 2,000"
KEYS, WIDTH, COPIED = 8, 64, 2
STRENGTHS = (0.0, 1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0)


def along(keys: Tensor, strength: float) -> Tensor:
    """q = λk."""
    return strength * keys[..., COPIED, :]  # (..., width)


def experiment(trial: Trial, query: Callable[[Tensor, float], Tensor] = along) -> Finding:
    draws = 200 if trial.quick else 2000
    values = torch.eye(KEYS, dtype=torch.float64)  # the output is then the weights themselves
    perpendicular = torch.eye(KEYS, WIDTH, dtype=torch.float64)
    closed = [math.exp(s) / (math.exp(s) + KEYS - 1) for s in STRENGTHS]
    found = [float(read(query(perpendicular, s), perpendicular, values)[COPIED]) for s in STRENGTHS]
    keys = torch.nn.functional.normalize(torch.randn(draws, KEYS, WIDTH, dtype=torch.float64), dim=-1)
    drawn = [read(query(keys, s), keys, values.expand(draws, -1, -1))[:, COPIED].tolist() for s in STRENGTHS]
    random = [mean(shares) for shares in drawn]
    apart = max(abs(a - b) for a, b in zip(closed, found, strict=True))
    enough = math.log(99 * (KEYS - 1))  # α = 0.99
    return Finding(
        {
            "λ": list(STRENGTHS),
            "weight of the copied value, e^λ/(e^λ + n − 1)": closed,
            "the same from attend, at most apart": apart,
            "with random keys of length 1": random,
            "its spread over the draws": [spread(shares) for shares in drawn],
            "λ for a weight of 0.99 with 8 keys": enough,
        },
        {
            "attend gives the closed form": apart < 1e-12,
            "at λ = 20 the value is copied to 1e-7": 1 - found[-1] < 1e-7,
            "random keys are copied too, to 1e-3 on average": random[-1].low > 0.999,
            "at λ = 0 nothing is: every value counts alike": abs(found[0] - 1 / KEYS) < 1e-12,
        },
        graphs(
            [
                Graph(
                    "How much of the output is the copied value",
                    Axis("λ"),
                    Axis("weight"),
                    [
                        Trace("perpendicular keys: e^λ/(e^λ + n − 1)", list(zip(STRENGTHS, closed, strict=True))),
                        Trace(
                            "random keys, mean of the draws",
                            [(s, each.value) for s, each in zip(STRENGTHS, random, strict=True)],
                            [(each.low, each.high) for each in random],
                        ),
                    ],
                )
            ]
        ),
    )


def read(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
    """softmax(qKᵀ) V for one query each; the problem has no √d, so the query makes up for ours."""
    return attend(query.unsqueeze(-2) * math.sqrt(keys.shape[-1]), keys, values).output.squeeze(-2)
