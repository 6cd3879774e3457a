"""Random gradient problems, worked from the formulas: softmax, a sigmoid net, a scalar recurrent net, logistic regression."""

import math
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from oracle.drawing import entry, listed, rounding, table
from oracle.rows import (
    each,
    minus,
    minus_terms,
    plus,
    sigmoid,
    softmax,
    square_times,
    times,
    times_terms,
    times_transposed,
    times_transposed_terms,
    total,
    turned_times,
    turned_times_terms,
)
from oracle.stages import Again, Make, Number, Posed, Rows, RuleSlip, Stage, Term

ONE = Fraction(1)


def started(rng: Random, of: str) -> tuple[dict[str, Any], int | None, Fraction | None]:
    """The options of a problem, its decimals and its learning rate."""
    options: dict[str, Any] = {"of": of}
    decimals = rounding(rng, options)
    if decimals == 1:
        decimals = options["round"] = 3  # one decimal makes most losses infinite
    rate = rng.choice([None, Fraction(1, 2), Fraction(1, 10), Fraction(2)])
    options |= {"rate": f"{rate}"} if rate is not None else {}
    return options, decimals, rate


def descent(name: str, rate: Fraction, rank: int) -> Stage:
    def terms(i: int, j: int, w: Rows, d: Rows) -> list[Term]:
        return [(ONE, [(0, i, j)]), (-rate, [(1, i, j)])]

    return Stage(f"new_{name}", (name, f"d_{name}"), lambda w, d: minus(w, each(lambda x: x * rate)(d)), terms, rank)


def one_hot(rng: Random, count: int) -> Rows:
    """Shares that add up to 1: usually all on one."""
    if rng.random() < 0.3 and count > 1:
        return [[Fraction(1, 2), Fraction(1, 2), *[Fraction(0)] * (count - 2)]]
    at = rng.randrange(count)
    return [[Fraction(int(i == at)) for i in range(count)]]


def cross_entropy(base: float) -> tuple[Make, Callable[..., list[Term]]]:
    def terms(i: int, j: int, shares: Rows, y: Rows) -> list[Term]:
        counted = [(float(p), float(want)) for p, want in zip(shares[0], y[0], strict=True) if want]
        if min(p for p, _ in counted) < 1e-12:
            raise Again
        return [(-want * math.log(p) / math.log(base), []) for p, want in counted]

    return lambda shares, y: [[total([x for x, _ in terms(0, 0, shares, y)])]], terms


def loss_of_shares() -> tuple[list[Stage], list[RuleSlip]]:
    """The loss from y_hat and y, and what other bases make of it."""
    make, terms = cross_entropy(math.e)
    slips = [RuleSlip("log-base", {"loss": cross_entropy(base)[0]}) for base in (2.0, 10.0)]
    return [Stage("loss", ("y_hat", "y"), make, terms, rank=0)], slips


def pose_softmax_gradient(rng: Random) -> Posed:
    options, decimals, rate = started(rng, "softmax")
    count = rng.randint(2, 4)
    given = {"theta": table(rng, 1, count), "y": one_hot(rng, count)}
    loss, slips = loss_of_shares()
    stages = [Stage("y_hat", ("theta",), softmax(ONE), rank=1), *loss]
    stages.append(Stage("d_theta", ("y_hat", "y"), minus, minus_terms, rank=1))
    if rate is not None:
        stages.append(descent("theta", rate, 1))
    tree = {"kind": "gradient", "given": {k: listed(v)[0] for k, v in given.items()}, "options": options}
    return Posed(tree, given, stages, decimals, slips)


def affine(x: Rows, w: Rows, b: Rows) -> Rows:
    return plus(times(x, w), b)


def affine_terms(i: int, j: int, x: Rows, w: Rows, b: Rows) -> list[Term]:
    return [*times_terms(i, j, x, w), (ONE, [(2, i, j)])]


def through_sigmoid(d: Rows, h: Rows, z: Rows) -> Rows:
    return [[x * a * (1 - a) for x, a in zip(d[0], h[0], strict=True)]]


def through_sigmoid_terms(i: int, j: int, d: Rows, h: Rows, z: Rows) -> list[Term]:
    return [(ONE, [(0, i, j), (1, i, j)]), (-ONE, [(0, i, j), (1, i, j), (1, i, j)])]


def pose_network(rng: Random) -> Posed:
    options, decimals, rate = started(rng, "network")
    n, hidden, out = rng.randint(1, 3), rng.randint(2, 3), rng.randint(2, 3)
    given = {
        "x": table(rng, 1, n), "y": one_hot(rng, out), "W1": table(rng, n, hidden), "b1": table(rng, 1, hidden),
        "W2": table(rng, hidden, out), "b2": table(rng, 1, out),
    }  # fmt: skip
    loss, slips = loss_of_shares()
    stages = [
        Stage("z", ("x", "W1", "b1"), affine, affine_terms, rank=1),
        Stage("h", ("z",), each(sigmoid), rank=1),
        Stage("u", ("h", "W2", "b2"), affine, affine_terms, rank=1),
        Stage("y_hat", ("u",), softmax(ONE), rank=1),
        *loss,
        Stage("d_u", ("y_hat", "y"), minus, minus_terms, rank=1),
        Stage("d_W2", ("h", "d_u"), turned_times, turned_times_terms),
        Stage("d_b2", ("d_u",), lambda d: d, rank=1),
        Stage("d_h", ("d_u", "W2"), times_transposed, times_transposed_terms, rank=1),
        Stage("d_z", ("d_h", "h", "z"), through_sigmoid, through_sigmoid_terms, rank=1),
        Stage("d_W1", ("x", "d_z"), turned_times, turned_times_terms),
        Stage("d_b1", ("d_z",), lambda d: d, rank=1),
        Stage("d_x", ("d_z", "W1"), times_transposed, times_transposed_terms, rank=1),
    ]
    if hidden == out:
        slips.append(RuleSlip("no-transpose", {"d_h": square_times}))
    if n == hidden:
        slips.append(RuleSlip("no-transpose", {"d_x": square_times}))
    if rate is not None:
        stages += [descent(name, rate, 2 if name[0] == "W" else 1) for name in ("W1", "b1", "W2", "b2")]
    rows = {k: listed(v) if k[0] == "W" else listed(v)[0] for k, v in given.items()}
    return Posed({"kind": "gradient", "given": rows, "options": options}, given, stages, decimals, slips)


def tanh(x: Number) -> Number:
    return Fraction(0) if x == 0 else math.tanh(x)


VALUES: dict[str, Callable[[Number], Number]] = {
    "tanh": tanh, "sigmoid": sigmoid, "relu": lambda x: max(x, Fraction(0)), "identity": lambda x: x,
}  # fmt: skip


def slope_terms(g: str) -> Callable[..., list[Term]]:
    """d·g'(z) in terms of d, h and z."""

    def terms(i: int, j: int, d: Rows, h: Rows, z: Rows) -> list[Term]:
        if g == "tanh":
            return [(ONE, [(0, 0, 0)]), (-ONE, [(0, 0, 0), (1, 0, 0), (1, 0, 0)])]
        if g == "sigmoid":
            return through_sigmoid_terms(i, j, d, h, z)
        return [(Fraction(int(g == "identity" or z[0][0] > 0)), [(0, 0, 0)])]

    return terms


def through(g: str) -> Make:
    slopes: dict[str, Callable[[Number, Number], Number]] = {
        "tanh": lambda h, z: 1 - h * h,
        "sigmoid": lambda h, z: h * (1 - h),
        "relu": lambda h, z: Fraction(int(z > 0)),
        "identity": lambda h, z: ONE,
    }
    return lambda d, h, z: [[d[0][0] * slopes[g](h[0][0], z[0][0])]]


def pairs_of(count: int) -> Callable[..., list[Term]]:
    """The first half of the needs, each times its partner of the second half."""
    return lambda i, j, *inputs: [(ONE, [(n, 0, 0), (n + count, 0, 0)]) for n in range(count)]


def dot(*inputs: Rows) -> Rows:
    half = len(inputs) // 2
    return [[total([a[0][0] * b[0][0] for a, b in zip(inputs[:half], inputs[half:], strict=True)])]]


def half_square(h: Rows, y: Rows) -> Rows:
    return [[(h[0][0] - y[0][0]) ** 2 / 2]]


def half_square_terms(i: int, j: int, h: Rows, y: Rows) -> list[Term]:
    return [(ONE / 2, [(0, 0, 0), (0, 0, 0)]), (-ONE, [(0, 0, 0), (1, 0, 0)]), (ONE / 2, [(1, 0, 0), (1, 0, 0)])]


def pose_rnn(rng: Random) -> Posed:
    options, decimals, rate = started(rng, "rnn")
    length, g = rng.randint(1, 4), rng.choice(list(VALUES))
    x = [entry(rng) for _ in range(length)]
    given = {f"x{t}": [[cell]] for t, cell in enumerate(x, start=1)} | {name: [[entry(rng)]] for name in ("y", "w", "a")}
    stages = [Stage("z1", ("a", "x1"), dot, pairs_of(1), rank=0)]
    for t in range(1, length + 1):
        if t > 1:
            stages.append(Stage(f"z{t}", ("w", "a", f"h{t - 1}", f"x{t}"), dot, pairs_of(2), rank=0))
        stages.append(Stage(f"h{t}", (f"z{t}",), each(VALUES[g]), rank=0, signed=g in ("tanh", "identity")))
    stages.append(Stage("loss", (f"h{length}", "y"), half_square, half_square_terms, rank=0))
    stages.append(Stage(f"d_h{length}", (f"h{length}", "y"), minus, minus_terms, rank=0))
    for t in range(length, 0, -1):
        stages.append(Stage(f"d_z{t}", (f"d_h{t}", f"h{t}", f"z{t}"), through(g), slope_terms(g), rank=0))
        if t > 1:
            stages.append(Stage(f"d_h{t - 1}", ("w", f"d_z{t}"), dot, pairs_of(1), rank=0))
    errors = tuple(f"d_z{t}" for t in range(1, length + 1))
    states = tuple(f"h{t}" for t in range(1, length))
    stages.append(Stage("d_w", (*errors[1:], *states), dot, pairs_of(length - 1), rank=0))
    stages.append(Stage("d_a", (*errors, *(f"x{t}" for t in range(1, length + 1))), dot, pairs_of(length), rank=0))
    if rate is not None:
        stages += [descent("w", rate, 0), descent("a", rate, 0)]
    rows: dict[str, Any] = {name: listed(given[name])[0][0] for name in ("y", "w", "a")}
    rows |= {"x": listed([x])[0], "g": g}
    return Posed({"kind": "gradient", "given": rows, "options": options}, given, stages, decimals)


def pose_logistic(rng: Random) -> Posed:
    options, decimals, rate = started(rng, "logistic")
    count, y = rng.randint(2, 4), rng.randint(0, 1)
    norm, strength = rng.choice(["none", "l2", "max-norm"]), rng.choice([Fraction(1, 10), Fraction(1, 2), Fraction(2)])
    given = {"x": table(rng, 1, count), "y": [[Fraction(y)]], "w": table(rng, 1, count)}
    if norm != "none":
        options |= {"penalty": norm, "lambda": f"{strength}"}

    def heaviest(w: Rows) -> list[int]:
        """The weights that the penalty counts."""
        sizes = [abs(v) for v in w[0]]
        return [] if norm == "none" else [sizes.index(max(sizes))] if norm == "max-norm" else list(range(len(sizes)))

    def penalty_terms(i: int, j: int, w: Rows) -> list[Term]:
        return [(strength / 2, [(0, 0, c), (0, 0, c)]) for c in heaviest(w)]

    def loss(base: float) -> Make:
        return lambda *inputs: [[total([loss_terms(base, *inputs)[0][0], *(extra[0][0] for extra in inputs[2:])])]]

    def loss_terms(base: float, *inputs: Rows) -> list[Term]:
        hit = float(inputs[0][0][0] if inputs[1][0][0] == 1 else 1 - inputs[0][0][0])
        if hit < 1e-12:
            raise Again
        return [(-math.log(hit) / math.log(base), []), *((ONE, [(n, 0, 0)]) for n in range(2, len(inputs)))]

    def gradient(p: Rows, y: Rows, x: Rows, w: Rows) -> Rows:
        parts = [strength * v if j in heaviest(w) else Fraction(0) for j, v in enumerate(w[0])]
        return [[(p[0][0] - y[0][0]) * v + part for v, part in zip(x[0], parts, strict=True)]]

    def gradient_terms(i: int, j: int, p: Rows, y: Rows, x: Rows, w: Rows) -> list[Term]:
        own = [(strength * w[0][j], [])] if j in heaviest(w) else []
        return [(ONE, [(0, 0, 0), (2, 0, j)]), (-ONE, [(1, 0, 0), (2, 0, j)]), *own]

    stages = [
        Stage("z", ("w", "x"), times_transposed, times_transposed_terms, rank=0),
        Stage("p", ("z",), each(sigmoid), rank=0),
    ]
    extra = ()
    if norm != "none":
        extra = ("penalty",)
        stages.append(
            Stage("penalty", ("w",), lambda w: [[strength / 2 * sum(w[0][c] ** 2 for c in heaviest(w))]], penalty_terms, rank=0)
        )
    stages.append(Stage("loss", ("p", "y", *extra), loss(math.e), lambda i, j, *inputs: loss_terms(math.e, *inputs), rank=0))
    stages.append(Stage("d_w", ("p", "y", "x", "w"), gradient, gradient_terms, rank=1))
    if rate is not None:
        stages.append(descent("w", rate, 1))
    slips = [RuleSlip("log-base", {"loss": loss(base)}) for base in (2.0, 10.0)]
    rows: dict[str, Any] = {"x": listed(given["x"])[0], "y": y, "w": listed(given["w"])[0]}
    return Posed({"kind": "gradient", "given": rows, "options": options}, given, stages, decimals, slips)
