"""Every function of formulas against torch: its value, and the gradient that is derived for it."""

import random

import pytest
import torch

from clearhead.exact.decimals import as_float
from clearhead.exact.matrices import Matrix
from clearhead.working import work
from oracle.formula_functions import CASES, Case

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


def drawn(rng: random.Random, shape: tuple[int, int], positive: bool) -> list[list[str]]:
    """Small fractions, no two alike: ties would let a gradient choose."""
    pool = [n for n in range(1, 60) if n % 4] if positive else [n for n in range(-29, 30) if n % 4]
    picked = rng.sample(pool, shape[0] * shape[1])
    return [[f"{picked[i * shape[1] + j]}/12" for j in range(shape[1])] for i in range(shape[0])]


def tensor(rows: list[list[str]]) -> torch.Tensor:
    return torch.tensor([[int(cell.split("/")[0]) / 12 for cell in row] for row in rows], dtype=torch.float64)


def floats(value: Matrix) -> torch.Tensor:
    return torch.tensor([[as_float(cell) for cell in row] for row in value.rows], dtype=torch.float64)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.formula)
def test_values_and_gradients_agree_with_torch(case: Case) -> None:
    rng = random.Random(case.formula)
    given = {name: drawn(rng, shape, case.positive) for name, shape in zip("ABC", case.shapes, strict=False)}
    inputs = [tensor(rows).requires_grad_() for rows in given.values()]
    wanted = case.torch(*inputs)
    problem = {"kind": "formula", "given": given, "steps": {"out": case.formula}}
    torch.testing.assert_close(floats(work(problem).values["out"]), wanted.detach(), **CLOSE)
    if not case.smooth:
        return
    weights = drawn(rng, tuple(wanted.shape), False)
    (wanted * tensor(weights)).sum().backward()
    problem = {
        "kind": "formula",
        "given": {**given, "R": weights},
        "steps": {"out": case.formula, "loss": "sum(R ⊙ out)"},
        "gradient": {"of": "loss", "by": list(given)},
    }
    working = work(problem)
    for name, leaf in zip(given, inputs, strict=True):
        torch.testing.assert_close(floats(working.values[f"d_{name}"]), leaf.grad, **CLOSE)
