"""Formulas against SymPy and the built-in kinds, side by side in one run: `python benchmarks/formulas.py` prints formulas.md.

The same graph and the same named steps on both sides: symbolic values of every step, then every cell to 4 decimals. SymPy is
given what it is fastest at: matrices of Integers, no simplification, `N` of each cell as one would write it.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import sympy
from machine import described

from clearhead.exact.decimals import decimal_text
from clearhead.working import work

DECIMALS = 4
Tree = dict[str, Any]


def table(rng: random.Random, rows: int, columns: int) -> list[list[int]]:
    return [[rng.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]


def attention(tokens: int, width: int) -> Tree:
    rng = random.Random(0)
    given = {"X": table(rng, tokens, width), **{name: table(rng, width, width) for name in ("W_Q", "W_K", "W_V")}}
    steps = {"Q": "X W_Q", "K": "X W_K", "V": "X W_V", "scaled": f"Q K^T / sqrt({width})"}
    steps |= {"weights": "softmax(scaled)", "output": "weights V"}
    return {"kind": "formula", "given": given, "steps": steps}


def network(rows: int, width: int) -> Tree:
    """A layer of tanh, softmax and cross-entropy, and all the way back."""
    rng = random.Random(1)
    given = {
        "x": table(rng, rows, width), "W1": table(rng, width, width), "W2": table(rng, width, 2),
        "y": [[1, 0] if n % 2 else [0, 1] for n in range(rows)],
    }  # fmt: skip
    steps = {"u": "x W1", "h": "tanh(u)", "z": "h W2", "p": "softmax(z)", "loss": "cross_entropy(p, y)"}
    return {"kind": "formula", "given": given, "steps": steps, "gradient": {"of": "loss", "by": ["W1", "W2"]}}


def by_clearhead(tree: Tree) -> list[str]:
    working = work(tree)
    return [
        decimal_text(cell, DECIMALS) for step in working.plan.steps for row in working.values[step.name].rows for cell in row
    ]


def softmax(z: sympy.Matrix) -> sympy.Matrix:
    powers = z.applyfunc(sympy.exp)
    return sympy.Matrix([[cell / sympy.Add(*powers.row(i)) for cell in powers.row(i)] for i in range(z.rows)])


def attention_by_sympy(tree: Tree) -> list[str]:
    x, w_q, w_k, w_v = (sympy.Matrix(tree["given"][name]) for name in ("X", "W_Q", "W_K", "W_V"))
    q, k, v = x * w_q, x * w_k, x * w_v
    scaled = q * k.T / sympy.sqrt(w_k.shape[1])
    weights = softmax(scaled)
    return decimals(q, k, v, scaled, weights, weights * v)


def network_by_sympy(tree: Tree) -> list[str]:
    x, w1, w2, y = (sympy.Matrix(tree["given"][name]) for name in ("x", "W1", "W2", "y"))
    u = x * w1
    h = u.applyfunc(sympy.tanh)
    z = h * w2
    p = softmax(z)
    loss = -sum(a * sympy.log(b) for a, b in zip(y, p, strict=True) if a) / x.rows
    d_z = (p - y) / x.rows
    d_h = d_z * w2.T
    d_u = d_h.multiply_elementwise(h.applyfunc(lambda cell: 1 - cell**2))
    return decimals(u, h, z, p, sympy.Matrix([[loss]]), d_z, d_h, d_u, x.T * d_u, h.T * d_z)


def decimals(*tables: sympy.Matrix) -> list[str]:
    found = (f"{float(sympy.N(cell, 25)):.{DECIMALS}f}" for step in tables for cell in step)
    return ["0.0000" if text == "-0.0000" else text for text in found]


def timed(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def both_timed(first: Callable[[], Any], second: Callable[[], Any], again: int) -> tuple[float, float]:
    """The medians of both, in turns, so that a busy moment is shared: at least `again` times, and for half a second."""
    pairs: list[tuple[float, float]] = []
    while len(pairs) < again or sum(map(sum, pairs)) < 0.5:
        pairs.append((timed(first), timed(second)))
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    return ours, theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--again", type=int, default=3)
    again = parser.parse_args().again
    print(f"# Formulas, measured\n\n{described()}\n")
    print("| graph | Clearhead | SymPy | how many times | cells that agree |\n| --- | --- | --- | --- | --- |")
    cases = [
        ("attention, 4 tokens, 4 wide", attention(4, 4), attention_by_sympy),
        ("attention, 8 tokens, 8 wide", attention(8, 8), attention_by_sympy),
        ("tanh net with its gradient, 3 rows, 3 wide", network(3, 3), network_by_sympy),
        ("tanh net with its gradient, 4 rows, 4 wide", network(4, 4), network_by_sympy),
    ]
    for name, tree, peer in cases:
        ours, theirs = by_clearhead(tree), peer(tree)
        same = sum(a == b for a, b in zip(sorted(ours), sorted(theirs), strict=True))
        a, b = both_timed(partial(by_clearhead, tree), partial(peer, tree), again)
        print(f"| {name} | {a * 1000:.1f} ms | {b * 1000:.0f} ms | {b / a:.1f} | {same} of {len(theirs)} |")
    built, formulas = both_timed(partial(work, "examples/sorter"), partial(work, "examples/sorter-as-formulas"), 31)
    print(f"\nThe sorter, exactly, file and all: built-in {built * 1000:.1f} ms, as formulas {formulas * 1000:.1f} ms: "
          f"{formulas / built:.2f} times as long.")  # fmt: skip


if __name__ == "__main__":
    main()
