"""Exact attention against the same in SymPy, side by side in one run: `python benchmarks/exact.py` prints what exact.md holds.

The same problem and the same named steps on both sides: symbolic Q, K, V, scores, scaled, weights and output, then every cell
of every step to 4 decimals. SymPy is given what it is fastest at (matrices of Integers, no simplification) and a shortcut that
we do not take: its decimals come from one numerical value of each power of e, multiplied on as numbers, and not from the
symbolic weights and output. The last row is SymPy without it, `N` of each cell as one would write it, for one query only.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

import sympy
from machine import described

from clearhead.exact.decimals import decimal_text
from clearhead.working import Working, load_problem, work

DECIMALS, DIGITS = 4, 25
Problem = dict[str, Any]


def posed(tokens: int, width: int, seed: int = 0) -> Problem:
    rng = random.Random(seed)

    def table(rows: int, columns: int) -> list[list[int]]:
        return [[rng.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]

    shapes = {"X": (tokens, width), "W_Q": (width, width), "W_K": (width, width), "W_V": (width, width)}
    return {"kind": "attention", "given": {name: table(*shape) for name, shape in shapes.items()}}


def by_clearhead(problem: Problem, rows: int) -> list[str]:
    """Everything for all tokens, whatever `rows` says; it decides only which output rows are compared."""
    working: Working = work(load_problem(problem))
    shown = [
        [decimal_text(cell, DECIMALS) for cell in row] for step in working.plan.steps for row in working.values[step.name].rows
    ]
    return [text for row in shown[-len(problem["given"]["X"]) :][:rows] for text in row]


def by_sympy(problem: Problem, rows: int, shortcut: bool) -> list[str]:
    """The same steps; only the first `rows` queries go through scores, softmax and output (keys and values are all there)."""
    x, w_q, w_k, w_v = (sympy.Matrix(problem["given"][name]) for name in ("X", "W_Q", "W_K", "W_V"))
    q, k, v = x[:rows, :] * w_q, x * w_k, x * w_v
    scores = q * k.T
    scaled = scores / sympy.sqrt(w_k.shape[1])
    powers = scaled.applyfunc(sympy.exp)
    weights = sympy.Matrix([[power / sympy.Add(*powers.row(i)) for power in powers.row(i)] for i in range(rows)])
    output = weights * v
    if shortcut:
        values = powers.applyfunc(lambda power: sympy.N(power, DIGITS))
        weights = sympy.Matrix([[value / sum(values.row(i)) for value in values.row(i)] for i in range(rows)])
        output = weights * v
    for step in (q, k, v, scores, scaled, weights):
        for cell in step:
            text_of(cell)
    return [text_of(cell) for cell in output]


def text_of(cell: sympy.Expr) -> str:
    return f"{sympy.N(cell, DIGITS):.{DECIMALS}f}"


def seconds(run: Callable[[], list[str]]) -> tuple[float, list[str]]:
    """Processor time: both sides are one thread, and a busy machine must not favour either."""
    start = time.process_time()
    result = run()
    return time.process_time() - start, result


def compare(tokens: int, width: int, rows: int, rounds: int, shortcut: bool = True) -> str:
    """Both sides in turn, several times, the best of each. A row of the table."""
    problem = posed(tokens, width)
    ours, theirs = [], []
    for _ in range(rounds):
        took, mine = seconds(lambda: by_clearhead(problem, rows))
        ours.append(took)
        sympy.core.cache.clear_cache()
        took, other = seconds(lambda: by_sympy(problem, rows, shortcut))
        theirs.append(took)
        assert [text.removeprefix("-") if float(text) == 0 else text for text in other] == mine, "the two disagree"
    best, other_best = min(ours), min(theirs)
    what = ("all" if rows == tokens else f"{rows} of {tokens}") + ("" if shortcut else ", no shortcut")
    return f"| {tokens} × {width} | {best:.3g} s | {what} | {other_best:.3g} s | {other_best / best:.3g}× |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=64, help="queries of the 64 × 32 problem that SymPy works (64: all)")
    rows = parser.parse_args().rows
    print(f"{described()} SymPy {sympy.__version__}. Processor seconds.\n")
    print("| tokens × width | clearhead, all queries | SymPy's queries | SymPy | SymPy / clearhead |")
    print("| --- | --- | --- | --- | --- |")
    print(compare(3, 4, 3, 5))
    print(compare(16, 8, 16, 3))
    print(compare(64, 32, rows, 2), flush=True)
    print(compare(64, 32, 1, 1, shortcut=False))


if __name__ == "__main__":
    main()
