"""One head against two when a key keeps its direction and its length varies: the swing, and where two heads fail as well."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.lab.attention.copying import read
from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import share, spread
from clearhead.pictures import histogram

QUICK = "1,000 draws instead of 20,000"
KEYS, STRENGTH, STEADY = 8, 100.0, 0.05
VARIANCE = 0.5  # of the key's length along its own direction


def one_query(means: Tensor) -> Tensor:
    """q = λ(μ_a + μ_b): (1, width)."""
    return STRENGTH * (means[0] + means[1])[None]


def two_queries(means: Tensor) -> Tensor:
    """q₁ = λμ_a and q₂ = λμ_b: (2, width)."""
    return STRENGTH * means[:2]


def experiment(
    trial: Trial,
    one: Callable[[Tensor], Tensor] = one_query,
    two: Callable[[Tensor], Tensor] = two_queries,
    variance: float = VARIANCE,
) -> Finding:
    draws = 1000 if trial.quick else 20_000
    means = torch.eye(KEYS, dtype=torch.float64)
    lengths = 1 + math.sqrt(variance) * torch.randn(draws, dtype=torch.float64)
    keys = means.repeat(draws, 1, 1)
    keys[:, 0] *= lengths[:, None]
    single, double = (share_of_a(queries(means), keys) for queries in (one, two))
    closed = torch.sigmoid(STRENGTH * (lengths - 1))  # of the two that count, k_a has this share
    both = lengths > 0.2
    apart = float((single - closed)[both].abs().max())
    # head 1 gives v_a a weight of 0.9 as soon as e^(λ·length) ≥ 9(n − 1): then the average is off by 0.05 at most
    shortest = math.log(9 * (KEYS - 1)) / STRENGTH
    long_enough = lengths > shortest
    steady = {name: (each - 0.5).abs() <= STEADY for name, each in (("one", single), ("two", double))}
    overall = {name: share(int(found.sum()), draws) for name, found in steady.items()}
    kept = share(int((steady["two"] & long_enough).sum()), int(long_enough.sum()))
    return Finding(
        {
            "draws of the key": draws,
            "v_a's share of the output, spread with one head": spread(single.tolist()),
            "spread with two heads": spread(double.tolist()),
            "one head: share of draws within 0.05 of ½": overall["one"],
            "two heads": overall["two"],
            "two heads where the key is longer than ln(9(n − 1))/λ": kept,
            "that length": shortest,
            "one head against σ(λ(length − 1)), at most apart": apart,
        },
        {
            "one head swings: hardly a draw near ½": overall["one"].high < 0.2,
            "as the closed form says": apart < 1e-6,
            "two heads keep to ½, while the key keeps its direction": kept.low > 0.99,
        },
        histogram(
            {"one head": single.tolist(), "two heads": double.tolist()},
            "v_a's share of the output when the length of k_a varies",
            "share of v_a",
        ),
        when="" if overall["two"].value > 0.99 else condition(shortest, float(long_enough.double().mean())),
    )


def condition(shortest: float, often: float) -> str:
    return f"the key keeps its direction and a length above {shortest:.3f}: {often:.1%} of the draws"


def share_of_a(queries: Tensor, keys: Tensor) -> Tensor:
    """How much of the heads' mean output is v_a, for each draw: (draws,)."""
    values = torch.eye(KEYS, dtype=torch.float64).expand(len(keys), -1, -1)
    outputs = [read(query.expand(len(keys), -1), keys, values) for query in queries]
    return torch.stack(outputs).mean(0)[:, 0]
