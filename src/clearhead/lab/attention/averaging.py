"""One query that averages two values, and how far it may be off when the keys are."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.lab.attention.copying import read
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import spread
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "500 draws of each noise instead of 5,000"
KEYS, STRENGTH = 8, 20.0
NOISES = (1e-4, 1e-3, 4e-3, 1e-2, 0.03, 0.1, 0.3)  # standard deviation of each cell of a key: √α in the problem


def between(means: Tensor) -> Tensor:
    """q = λ(μ_a + μ_b), with a and b the first two."""
    return STRENGTH * (means[0] + means[1])  # (width,)


def experiment(trial: Trial, query: Callable[[Tensor], Tensor] = between) -> Finding:
    draws = 500 if trial.quick else 5000
    means, values = torch.eye(KEYS, dtype=torch.float64), torch.eye(KEYS, dtype=torch.float64)
    q = query(means)
    exact = read(q, means, values)  # (keys,): the weights
    closed = math.exp(STRENGTH) / (2 * math.exp(STRENGTH) + KEYS - 2)
    apart = float((exact[:2] - closed).abs().max())
    shares = []
    for noise in NOISES:
        keys = means + noise * torch.randn(draws, KEYS, KEYS, dtype=torch.float64)
        shares.append(read(q.expand(draws, -1), keys, values.expand(draws, -1, -1))[:, 0].tolist())
    spreads = [spread(share) for share in shares]
    # the difference of the two scores is λ(noise of k_a − noise of k_b)·(μ_a + μ_b): normal with deviation 2λ·noise
    first_order = [STRENGTH * noise / 2 for noise in NOISES]  # and σ'(0) = ¼ of it is 2λ·noise/4
    near = [noise for noise, each in zip(NOISES, spreads, strict=True) if each.value < 0.05]
    return Finding(
        {
            "weights of v_a and v_b, from attend": exact[:2].tolist(),
            "e^λ/(2e^λ + n − 2)": closed,
            "spread of each cell of the keys": list(NOISES),
            "spread of v_a's weight over the draws": spreads,
            "the same to first order, λ·noise/2": first_order,
            "largest noise with a spread under 0.05": max(near, default=0.0),
        },
        {
            "attend gives the closed form": apart < 1e-12,
            "with exact keys it is ½ each, to 1e-7": float((exact[:2] - 0.5).abs().max()) < 1e-7,
            "small noise moves it little: λ·noise/2": abs(spreads[1].value / first_order[1] - 1) < 0.15,
        },
        graphs(
            [
                Graph(
                    "Spread of an average when keys are noisy, λ = 20",
                    Axis("standard deviation of each cell of a key", logarithmic=True),
                    Axis("spread of v_a's weight", logarithmic=True),
                    [
                        Trace(
                            "over the draws",
                            [(noise, each.value) for noise, each in zip(NOISES, spreads, strict=True)],
                            [(max(each.low, each.value / 3), each.high) for each in spreads],
                        ),
                        Trace("to first order, λ·noise/2", list(zip(NOISES, first_order, strict=True))),
                    ],
                )
            ]
        ),
        when=f"the cells of a key are off by {max(near):g} or less" if near and len(near) < len(NOISES) else "",
    )
