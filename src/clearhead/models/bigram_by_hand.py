r"""The bigram's forward and backward pass by hand, in numpy: the derivation as code.

With $u = h W_2 + b_2$ and the mean cross-entropy J over m examples, $\partial J/\partial u = (\hat y - y)/m$; from there the
chain rule goes back through $W_2$, the sigmoid ($h \odot (1 - h)$) and $W_1$.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]


@dataclass(slots=True)
class BigramWeights:
    """What is learned; the same names hold a gradient."""

    E: Array  # (vocab, width)
    W1: Array  # (width, hidden)
    b1: Array  # (hidden,)
    W2: Array  # (hidden, vocab)
    b2: Array  # (vocab,)


def forward(weights: BigramWeights, inputs: NDArray[np.integer]) -> tuple[Array, Array, Array]:
    """x (m, width), h (m, hidden) and ŷ (m, vocab) for the words before."""
    x = weights.E[inputs]
    h = 1 / (1 + np.exp(-(x @ weights.W1 + weights.b1)))
    u = h @ weights.W2 + weights.b2
    e = np.exp(u - u.max(1, keepdims=True))
    return x, h, e / e.sum(1, keepdims=True)


def loss_and_gradient(
    weights: BigramWeights, inputs: NDArray[np.integer], targets: NDArray[np.integer]
) -> tuple[float, BigramWeights]:
    """J and its gradient by every weight."""
    x, h, y_hat = forward(weights, inputs)
    m = np.arange(len(inputs))
    loss = float(-np.log(y_hat[m, targets]).mean())
    d_u = y_hat.copy()
    d_u[m, targets] -= 1  # ŷ − y
    d_u /= len(inputs)
    d_h = d_u @ weights.W2.T
    d_z = d_h * h * (1 - h)
    d_E = np.zeros_like(weights.E)
    np.add.at(d_E, inputs, d_z @ weights.W1.T)  # a word may stand there more than once
    return loss, BigramWeights(d_E, x.T @ d_z, d_z.sum(0), h.T @ d_u, d_u.sum(0))
