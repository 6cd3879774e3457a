"""Masked before it was scaled, or afterwards: the same in the end, if it was scaled at all."""

import math

import pytest

from clearhead import mark
from clearhead.working import load_problem

X = [[1.0, 0.4], [0.2, 0.9], [-0.6, 0.5]]
IDENTITY = [[1, 0], [0, 1]]
PROBLEM = load_problem(
    {
        "kind": "attention",
        "given": {"X": X, "W_Q": IDENTITY, "W_K": IDENTITY, "W_V": IDENTITY},
        "options": {"mask": "causal"},
    }
)


def dot(a: list[float], b: list[float]) -> float:
    return sum(p * q for p, q in zip(a, b, strict=True))


def shares(row: list[float]) -> list[float]:
    total = sum(map(math.exp, row))
    return [math.exp(score) / total for score in row]


def printed(rows: list[list[float]], width: int, rest: str = "") -> str:
    """A tensor as it is printed, every line behind a sign of comments."""
    cells = [[f"{cell:.4f}" for cell in row] + [rest] * (width - len(row)) for row in rows]
    inside = "],\n#         [".join(", ".join(row) for row in cells)
    return f"# tensor([[{inside}]])"


def page(root: float) -> str:
    """A page that masks the raw scores, and divides by a root only inside the softmax; tensors in comments."""
    scores = [[dot(q, k) for k in X] for q in X]
    masked = [row[: i + 1] for i, row in enumerate(scores)]
    weights = [shares([score / root for score in row]) for row in masked]
    output = [[dot(row, [value[j] for value in X[: len(row)]]) for j in (0, 1)] for row in weights]
    return "\n".join([
        "scores = q @ k.T", "print(scores)", printed(scores, 3),
        "masked = scores.masked_fill(later, -torch.inf)", "print(masked)", printed(masked, 3, "-inf"),
        "weights = torch.softmax(masked / 2 ** 0.5, dim=-1)", "print(weights)", printed(weights, 3, "0.0000"),
        "context = weights @ v", "print(context)", printed(output, 2),
    ])  # fmt: skip


def test_a_mask_before_the_scale_is_right_and_said() -> None:
    marked = mark(PROBLEM, page(math.sqrt(2)))
    found = {step.name: step.verdict for step in marked.steps}
    assert {found[name] for name in ("scores", "masked", "weights", "output")} == {"right"}
    assert marked.first_error is None
    assert any(note.step == "masked" and "order" in note.text for note in marked.notes)


def test_whoever_never_divides_is_told_so() -> None:
    marked = mark(PROBLEM, page(1.0))
    assert marked.first_error is not None
    assert (marked.first_error.step, marked.first_error.slip) == ("masked", "no-scale")


@pytest.mark.parametrize("finite", [1, -2])
def test_a_mask_of_other_numbers_has_one_order_only(finite: int) -> None:
    table = [[0, "-inf", "-inf"], [finite, 0, "-inf"], [0, 0, 0]]
    plan = load_problem(
        {
            "kind": "attention",
            "given": {"X": X, "W_Q": IDENTITY, "W_K": IDENTITY, "W_V": IDENTITY},
            "options": {"mask": table},
        }
    ).plan()
    assert plan.step("masked").also is None
    assert PROBLEM.plan().step("masked").also is not None
