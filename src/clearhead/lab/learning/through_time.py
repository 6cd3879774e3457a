"""The gradient of a scalar RNN by hand, by autograd and by differences; and what length does to it."""

import math
from collections.abc import Callable, Sequence

import torch

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import slope
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
LENGTHS = (2, 3, 5, 8, 13, 21, 34)
WEIGHTS = (0.5, 0.9, 1.0, 1.1, 1.5)
A, Y, H = 0.7, 0.3, 1e-6


def states(w: float, x: Sequence[float]) -> list[float]:
    """h_0 … h_T of h_t = tanh(w h_(t−1) + a x_t)."""
    h = [0.0]
    for each in x:
        h.append(math.tanh(w * h[-1] + A * each))
    return h


def by_hand(w: float, x: Sequence[float]) -> float:
    """∂/∂w of ½(h_T − y)²: back from the last step, what each step adds is δ_t h_(t−1)."""
    h = states(w, x)
    total, delta = 0.0, h[-1] - Y
    for t in range(len(x), 0, -1):
        delta *= 1 - h[t] ** 2  # g'(z_t)
        total += delta * h[t - 1]
        delta *= w  # on to h_(t−1)
    return total


def last_step_only(w: float, x: Sequence[float]) -> float:
    """The exam's (h_2 − y) g'(z_2) h_1, written for any T: the path through h_(T−1) is left out."""
    h = states(w, x)
    return (h[-1] - Y) * (1 - h[-1] ** 2) * h[-2]


def experiment(trial: Trial, hand: Callable[[float, Sequence[float]], float] = by_hand) -> Finding:
    x = torch.randn(max(LENGTHS), dtype=torch.float64).tolist()
    apart = differ = 0.0
    for length in LENGTHS:
        for w in WEIGHTS:
            exact = hand(w, x[:length])
            apart = max(apart, abs(exact - by_autograd(w, x[:length])))
            differ = max(differ, abs(exact - (loss(w + H, x[:length]) - loss(w - H, x[:length])) / (2 * H)))
    exam = abs(last_step_only(0.9, x[:2]) - by_autograd(0.9, x[:2]))
    beyond = abs(last_step_only(0.9, x[:8]) - by_autograd(0.9, x[:8]))
    linear = {w: [carried(w, x[:length], tanh=False) for length in LENGTHS] for w in WEIGHTS}
    bent = {w: [carried(w, x[:length], tanh=True) for length in LENGTHS] for w in WEIGHTS}
    rates = {w: slope(LENGTHS, [math.log(each) for each in found]) for w, found in linear.items()}
    return Finding(
        {
            "by hand against autograd, at most apart": apart,
            "by hand against differences, at most apart": differ,
            "the exam's formula against autograd, T = 2": exam,
            "the same formula at T = 8": beyond,
            "w": list(WEIGHTS),
            "factor a step on ∂h_T/∂h_0, g = identity": [math.exp(rates[w]) for w in WEIGHTS],
            "∂h_T/∂h_0 at T = 34, g = identity": [linear[w][-1] for w in WEIGHTS],
            "∂h_T/∂h_0 at T = 34, g = tanh": [bent[w][-1] for w in WEIGHTS],
        },
        {
            "by hand, by autograd and by differences it is one number": apart < 1e-12 and differ < 1e-6,
            "the exam's formula is right for T = 2 and for no longer text": exam < 1e-12 and beyond > 1e-6,
            "it vanishes for |w| < 1 and explodes for |w| > 1, by w a step": all(
                abs(math.exp(rates[w]) - w) < 1e-9 for w in WEIGHTS
            ),
        },
        graphs(
            [
                picture("identity: w to the power of T", linear),
                picture("tanh: it can only shrink the factor", bent),
            ]
        ),
    )


def loss(w: float, x: Sequence[float]) -> float:
    return 0.5 * (states(w, x)[-1] - Y) ** 2


def by_autograd(w: float, x: Sequence[float]) -> float:
    weight, h = torch.tensor(w, dtype=torch.float64, requires_grad=True), torch.tensor(0.0, dtype=torch.float64)
    for each in x:
        h = torch.tanh(weight * h + A * each)
    return float(torch.autograd.grad(0.5 * (h - Y) ** 2, weight)[0])


def carried(w: float, x: Sequence[float], tanh: bool) -> float:
    """∂h_T/∂h_0: the product of w g'(z_t) over all steps."""
    return math.prod(w * (1 - h**2 if tanh else 1) for h in states(w, x)[1:])


def picture(title: str, found: dict[float, list[float]]) -> Graph:
    lines = [Trace(f"w = {w:g}", list(zip(LENGTHS, each, strict=True))) for w, each in found.items()]
    return Graph(title, Axis("length T"), Axis("∂h_T/∂h_0", logarithmic=True), lines)
