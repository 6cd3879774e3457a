"""Activation functions and their slopes, exactly: sigmoid, tanh, relu, identity."""

from collections.abc import Callable
from dataclasses import dataclass

from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import ONE, ZERO, Exact, Expression, inverse
from clearhead.exact.powers import exp


@dataclass(frozen=True, slots=True)
class Activation:
    """g, its slope from h = g(z) and z, and how both are written."""

    name: str
    value: Callable[[Exact], Exact]
    slope: Callable[[Exact, Exact], Exact]  # of h and z
    slope_text: str  # with h and z as letters
    slope_latex: str


def sigmoid(z: Exact) -> Exact:
    """1 / (1 + e^-z)."""
    return inverse(exp(-z) + 1)


def tanh(z: Exact) -> Exact:
    """As 1 − 2/(e^2z + 1), in which z stands once: so a long chain of them stays short."""
    return 1 - inverse(exp(z * 2) + 1) * 2


def relu(z: Exact) -> Exact:
    """z where it is above 0, else 0."""
    return z if compare(z, ZERO) > 0 else ZERO


def sigmoid_slope(h: Exact, z: Exact) -> Exact:
    """h(1 − h); where h is σ(z) itself, as the single term e^-z/(e^-z + 1)²: products of slopes then stay single terms."""
    if isinstance(h, Expression) and h == sigmoid(z):
        return exp(-z) * h * h
    return h * (1 - h)


def tanh_slope(h: Exact, z: Exact) -> Exact:
    """1 − h²; where h is tanh z itself, as the single term 4e^2z/(e^2z + 1)²."""
    if isinstance(h, Expression) and h == tanh(z):
        power = exp(z * 2)
        turned = inverse(power + 1)
        return power * turned * turned * 4
    return 1 - h * h


def relu_slope(h: Exact, z: Exact) -> Exact:
    """1 where z is above 0, else 0."""
    return ONE if compare(z, ZERO) > 0 else ZERO


ACTIVATIONS = {
    "tanh": Activation("tanh", tanh, tanh_slope, "1 - h²", "1 - h^2"),
    "sigmoid": Activation("sigmoid", sigmoid, sigmoid_slope, "h(1 - h)", "h (1 - h)"),
    "relu": Activation("relu", relu, relu_slope, "1 where z > 0, else 0", r"1 \text{ where } z > 0 \text{, else } 0"),
    "identity": Activation("identity", lambda z: z, lambda h, z: ONE, "1", "1"),
}
