"""A matrix that takes one value out of a sum, and what it needs of the two subspaces."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from clearhead.lab.claim import Finding, Trial
from clearhead.lab.intervals import mean
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "100 draws an angle instead of 1,000"
WIDTH, DIMENSIONS = 16, 4  # of the space, and of each subspace
ANGLES = (90.0, 75.0, 60.0, 45.0, 30.0, 15.0)  # degrees between each a and its b


def onto(basis: Tensor) -> Tensor:
    """M = AAᵀ."""
    return basis @ basis.mT  # (width, width)


def orthonormal(width: int, count: int) -> Tensor:
    """Perpendicular columns of length 1, in random directions: (width, count)."""
    q: Tensor = torch.linalg.qr(torch.randn(width, count, dtype=torch.float64))[0]
    return q


def experiment(
    trial: Trial, matrix: Callable[[Tensor], Tensor] = onto, bases: Callable[[int, int], Tensor] = orthonormal
) -> Finding:
    draws = 100 if trial.quick else 1000
    errors = {angle: [error(matrix, bases, angle) for _ in range(draws)] for angle in ANGLES}
    closed = {angle: math.cos(math.radians(angle)) for angle in ANGLES}
    means = {angle: mean(found) for angle, found in errors.items()}
    skewed = mean([error(matrix, skew, 90.0) for _ in range(draws)])
    apart = max(abs(each - closed[angle]) for angle, found in errors.items() for each in found)
    return Finding(
        {
            "angle between A and B, degrees": list(ANGLES),
            "‖M(v_a + v_b) − v_a‖ / ‖v_b‖": [means[angle].value for angle in ANGLES],
            "closed form, cos of the angle": [closed[angle] for angle in ANGLES],
            "at most apart": apart,
            "largest error at 90°": max(errors[90.0]),
            "mean error with a basis that is not orthonormal, at 90°": skewed,
        },
        {
            "perpendicular: v_a comes out to 1e-12": max(errors[90.0]) < 1e-12,
            "at any other angle the error is cos(angle)": apart < 1e-9,
            "it needs the basis to be orthonormal": skewed.low > 0.01,
        },
        graphs(
            [
                Graph(
                    "What AAᵀ leaves of v_b",
                    Axis("angle between the subspaces, degrees"),
                    Axis("error / ‖v_b‖"),
                    [
                        Trace("measured", [(angle, means[angle].value) for angle in ANGLES]),
                        Trace("cos(angle)", [(angle, closed[angle]) for angle in ANGLES]),
                    ],
                )
            ]
        ),
    )


def skew(width: int, count: int) -> Tensor:
    """Columns that lie in the same space but are neither perpendicular nor of length 1."""
    q = orthonormal(width, count)
    half = count // 2
    mixed = q[:, :half] @ (torch.eye(half, dtype=torch.float64) + 0.5 * torch.rand(half, half, dtype=torch.float64))
    return torch.cat([mixed, q[:, half:]], dim=1)


def error(matrix: Callable[[Tensor], Tensor], bases: Callable[[int, int], Tensor], angle: float) -> float:
    """One draw: each b lies at this angle to its a."""
    both = bases(WIDTH, 2 * DIMENSIONS)
    a, beside = both[:, :DIMENSIONS], both[:, DIMENSIONS:]
    b = math.cos(math.radians(angle)) * a + math.sin(math.radians(angle)) * beside
    v_a, v_b = (basis @ torch.randn(DIMENSIONS, dtype=torch.float64) for basis in (a, b))
    return float((matrix(a) @ (v_a + v_b) - v_a).norm() / v_b.norm())
