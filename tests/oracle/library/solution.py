"""How the bundled problems are solved once more: the table of solutions, and what several of them need."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor

Given = SimpleNamespace
Worked = dict[str, Any]
LIBRARY: dict[str, Callable[[Given], Worked]] = {}


def solves(name: str) -> Callable[[Callable[[Given], Worked]], Callable[[Given], Worked]]:
    def enter(solution: Callable[[Given], Worked]) -> Callable[[Given], Worked]:
        LIBRARY[name] = solution
        return solution

    return enter


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def relu(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, 0.0)


def leaves(g: Given) -> SimpleNamespace:
    """The givens as tensors whose gradients are kept."""
    return SimpleNamespace(
        **{name: torch.tensor(value, dtype=torch.float64, requires_grad=True) for name, value in vars(g).items()}
    )


def with_gradients(t: SimpleNamespace, of: Tensor, /, *names: str, **steps: Tensor) -> Worked:
    of.backward()
    found = {f"d_{name}": getattr(t, name).grad.numpy() for name in names}
    return {**{name: step.detach().numpy() for name, step in steps.items()}, **found}


def descended(g: Given, worked: Worked, rate: float, *names: str) -> Worked:
    return {**worked, **{f"new_{name}": getattr(g, name) - rate * worked[f"d_{name}"] for name in names}}


def hidden_later(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tril(np.ones_like(scores)) > 0, scores, -np.inf)


def normal(x: np.ndarray, axis: int = 1) -> np.ndarray:
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True))
