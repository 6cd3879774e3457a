"""What a larger batch buys: less noise in the gradient, fewer steps, more examples."""

import math
from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import softplus

from clearhead.lab.claim import Finding, Interval, Trial
from clearhead.lab.intervals import mean, power
from clearhead.pictures import Chart, GrowthLine, growth

QUICK = "200 batches a size and 4 runs instead of 1,000 and 10"
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
EXAMPLES, WIDTH, TARGET, MOST = 2048, 20, 0.20, 1500
TRIED = (1, 4, 16, 64, 256)  # sizes that are run to the target
RATES = (0.05, 0.15, 0.5, 1.5, 5.0)  # the best of them for each size


def drawn(size: int) -> Tensor:
    """Numbers of the examples in a batch, drawn with replacement."""
    return torch.randint(EXAMPLES, (size,))


def experiment(trial: Trial, draw: Callable[[int], Tensor] = drawn) -> Finding:
    batches, runs = (200, 4) if trial.quick else (1000, 10)
    x = torch.randn(EXAMPLES, WIDTH, dtype=torch.float64)
    truth = torch.randn(WIDTH, dtype=torch.float64)
    y = torch.where(torch.rand(EXAMPLES, dtype=torch.float64) < torch.sigmoid(2 * x @ truth), 1.0, -1.0)
    signed = x * y[:, None]
    at = torch.zeros(WIDTH, dtype=torch.float64)
    whole = gradient(signed, at)
    noise = [mean([float((gradient(signed[draw(size)], at) - whole).norm()) for _ in range(batches)]) for size in SIZES]
    rate = power(SIZES, [each.value for each in noise])
    steps = [quickest(signed, size, draw, runs) for size in TRIED]
    examples = [each.value * size for each, size in zip(steps, TRIED, strict=True)]
    return Finding(
        {
            "examples in a batch": list(SIZES),
            "distance from the whole gradient": noise,
            "power of the size in that": rate,
            f"steps to a loss of {TARGET:g} with {TRIED}, at the best of 5 rates": steps,
            "examples to it": examples,
        },
        {
            "the noise falls like 1/√B": abs(rate + 0.5) < 0.04,
            "a larger batch needs fewer steps": steps[-1].high < steps[0].low,
            "and more examples": examples[-1] > 2 * examples[0],
        },
        growth(
            [
                Chart("noise of the gradient", "batch size", "distance", [line("‖g_B − g‖", SIZES, noise)], fitted=len(SIZES)),
                Chart(
                    f"to a loss of {TARGET:g}",
                    "batch size",
                    "count",
                    [line("steps", TRIED, steps), GrowthLine("examples", TRIED, examples)],
                    fitted=len(TRIED),
                ),
            ]
        ),
    )


def line(name: str, sizes: tuple[int, ...], found: list[Interval]) -> GrowthLine:
    return GrowthLine(name, sizes, [each.value for each in found])


def gradient(signed: Tensor, w: Tensor) -> Tensor:
    """Of the mean logistic loss of these examples, y·x each: (width,)."""
    return -(signed * torch.sigmoid(-(signed @ w))[:, None]).mean(0)


def quickest(signed: Tensor, size: int, draw: Callable[[int], Tensor], runs: int) -> Interval:
    """Steps until the loss of all examples is at the target, at the rate that needs the fewest."""
    tried = [[descend(signed, size, rate, draw) for _ in range(runs)] for rate in RATES]
    return mean([float(steps) for steps in min(tried, key=math.fsum)])


def descend(signed: Tensor, size: int, rate: float, draw: Callable[[int], Tensor]) -> int:
    """Steps of stochastic descent to the target, at most MOST."""
    w = torch.zeros(signed.shape[1], dtype=torch.float64)
    for step in range(1, MOST + 1):
        w = w - rate * gradient(signed[draw(size)], w)
        if float(softplus(-(signed @ w)).mean()) < TARGET:
            return step
    return MOST
