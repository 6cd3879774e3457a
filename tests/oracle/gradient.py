"""Losses of the gradient problems in plain float64, and their slopes by central differences."""

from collections.abc import Callable
from math import exp, log, tanh

Numbers = list[float]


def sigmoid(z: float) -> float:
    return 1 / (1 + exp(-z))


def cross_entropy(theta: Numbers, y: Numbers) -> float:
    return -sum(b * log(exp(a) / sum(map(exp, theta))) for a, b in zip(theta, y, strict=True) if b)


def network(x: Numbers, y: Numbers, w1: list[Numbers], b1: Numbers, w2: list[Numbers], b2: Numbers) -> float:
    h = [sigmoid(sum(x[i] * w1[i][j] for i in range(len(x))) + b1[j]) for j in range(len(b1))]
    u = [sum(h[i] * w2[i][j] for i in range(len(h))) + b2[j] for j in range(len(b2))]
    return cross_entropy(u, y)


ACTIVATIONS: dict[str, Callable[[float], float]] = {
    "tanh": tanh,
    "sigmoid": sigmoid,
    "relu": lambda z: max(z, 0.0),
    "identity": lambda z: z,
}


def rnn(x: Numbers, y: float, w: float, a: float, g: str) -> float:
    h = 0.0
    for number in x:
        h = ACTIVATIONS[g](w * h + a * number)
    return (h - y) ** 2 / 2


def logistic(x: Numbers, y: float, w: Numbers, penalty: str = "none", strength: float = 0) -> float:
    p = sigmoid(sum(a * b for a, b in zip(w, x, strict=True)))
    size = {"none": 0.0, "l2": sum(a * a for a in w), "max-norm": max(a * a for a in w)}[penalty]
    return -y * log(p) - (1 - y) * log(1 - p) + strength / 2 * size


def slopes(f: Callable[[Numbers], float], at: Numbers, step: float = 1e-5) -> Numbers:
    """(f(x + h) − f(x − h)) / 2h for each number of x."""
    found = []
    for i in range(len(at)):
        up, down = list(at), list(at)
        up[i] += step
        down[i] -= step
        found.append((f(up) - f(down)) / (2 * step))
    return found
