"""Functions that go cell by cell, each with its slope."""

from collections.abc import Callable
from fractions import Fraction

from clearhead.exact.activations import relu
from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import ONE, ZERO, Cell, Exact, finite, inverse
from clearhead.exact.lengths import root
from clearhead.exact.order import size_of
from clearhead.exact.powers import exp, log
from clearhead.exact.special_functions import cos, erf, pi, sin
from clearhead.working.formulas.cells import scalars
from clearhead.working.formulas.cells.scalars import (
    Above,
    Fn,
    Largest,
    Num,
    Over,
    Pow,
    Scalar,
    Sum,
    add,
    num,
    subtract,
    tanh,
    times,
)
from clearhead.working.formulas.functions.operation import Backward, Fixed, Operation, same_shape
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Node, Number

LEAK = Fraction(1, 100)
LARGEST_EXPONENT = 1_000
Slope = Callable[[Node, Node, Fixed], Node]
"""The slope as a formula, from what stood inside and from what came out."""


def sigmoid_of(x: Scalar) -> Scalar:
    return Over(num(1), Sum((num(1), Fn("exp", Sum((x,), frozenset({0}))))))


def sigmoid(x: Exact) -> Exact:
    return inverse(exp(-x) + 1)


def normal_share(x: Scalar) -> Scalar:
    """Φ(x) = ½(1 + erf(x/√2))."""
    return Over(add(num(1), Fn("erf", Over(x, Fn("sqrt", num(2))))), num(2))


def normal_density(x: Scalar) -> Scalar:
    return Over(Fn("exp", Over(Sum((Pow(x, Fraction(2)),), frozenset({0})), num(2))), Fn("sqrt", two_pi()))


def two_pi() -> Scalar:
    return times(num(2), Num(pi()))


def gelu(x: Exact) -> Exact:
    return x * (1 + erf(x * inverse(root(Fraction(2))))) / 2


def gelu_slope_value(x: Exact) -> Exact:
    phi = exp(-(x * x) / 2) * inverse(root(pi() * 2))
    return (1 + erf(x * inverse(root(Fraction(2))))) / 2 + x * phi


def finite_log(x: Exact) -> Cell:
    return log(x)


def unary(
    cell: Callable[[Scalar], Scalar],
    value: Callable[[Exact], Cell],
    slope: Slope | None,
    *,
    why: str = "",
    latex: str = "",
    repeats: bool = False,
) -> Operation:
    def back(backward: Backward) -> tuple[Node | None, ...]:
        assert slope is not None
        return (build.by_slope(backward.up, slope(backward.args[0], backward.out, backward.call.fixed)),)

    return Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: cell(g[0].at(i, j)),
        value=lambda t, f: t[0].map(lambda x: value(finite(x))),
        back=None if slope is None else back,
        why=why,
        latex=latex,
        repeats=repeats,
    )


def slope_function(name: str) -> Slope:
    """f'(x), for a slope that has no shorter form."""
    return lambda x, out, fixed: Call(f"{name}'", (x,), fixed)


def step_of(x: Scalar) -> Scalar:
    return Above(x, num(0))


def one_minus(node: Node) -> Node:
    return Call("subtract", (Number(ONE), node))


def square(node: Node) -> Node:
    return Call("power", (node,), (Fraction(2),))


def exp_value(cell: Cell) -> Cell:
    """e^x, where somebody could still write it down."""
    if as_float(cell) > LARGEST_EXPONENT:
        raise ArithmeticError(f"e to a power beyond {LARGEST_EXPONENT:,} has hundreds of digits; take the largest off first")
    return exp(cell)


def leaky(x: Exact, leak: Fraction) -> Exact:
    positive = relu(x)
    return positive if positive != 0 else x * leak


def leaky_relu() -> Operation:
    def leak(fixed: Fixed) -> Fraction:
        return fixed[0] if fixed else LEAK

    def back(backward: Backward) -> tuple[Node | None, ...]:
        return (build.by_slope(backward.up, Call("leaky_relu'", backward.args, backward.call.fixed)),)

    return Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: Largest((g[0].at(i, j), times(Num(leak(f)), g[0].at(i, j)))),
        value=lambda t, f: t[0].map(lambda x: leaky(finite(x), leak(f))),
        back=back,
        fixed=(0, 1),
        why="Back through leaky_relu: times 1 where the number was above 0, else the leak.",
        latex=r"\mathrm{leaky\,relu}",
    )


def in_base(base: int) -> Operation:
    turned = inverse(finite(log(Fraction(base))))
    return unary(
        lambda x: Over(Fn("ln", x), Fn("ln", num(base))),
        lambda x: scalars.product_of((log(x), turned)),
        lambda x, out, fixed: build.over(Number(ONE), build.times(x, Call("ln", (Number(Fraction(base)),)))),
        why=f"The slope of log{base} x is 1 / (x ln {base}).",
        latex=rf"\log_{{{base}}}",
    )


CELLWISE: dict[str, Operation] = {
    "exp": Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: Fn("exp", g[0].at(i, j)),
        value=lambda t, f: t[0].map(exp_value),
        back=lambda back: (build.by_slope(back.up, back.out),),
        why="The slope of e^x is e^x itself.",
    ),
    "ln": unary(
        lambda x: Fn("ln", x),
        finite_log,
        lambda x, out, f: build.over(Number(ONE), x),
        why="The slope of ln x is 1/x.",
        latex=r"\ln",
    ),
    "log2": in_base(2),
    "log10": in_base(10),
    "sqrt": unary(
        lambda x: Fn("sqrt", x),
        root,
        lambda x, out, f: build.over(Number(ONE), build.times(Number(Fraction(2)), out)),
        why="The slope of √x is 1 / (2√x).",
        latex=r"\sqrt",
    ),
    "abs": unary(lambda x: Fn("abs", x), size_of, slope_function("abs"), why="The slope of |x| is the sign of x."),
    "sin": unary(
        lambda x: Fn("sin", x), sin, lambda x, out, f: Call("cos", (x,)), why="The slope of sin is cos.", latex=r"\sin"
    ),
    "cos": unary(
        lambda x: Fn("cos", x),
        cos,
        lambda x, out, f: Call("negate", (Call("sin", (x,)),)),
        why="The slope of cos is -sin.",
        latex=r"\cos",
    ),
    "tanh": unary(
        lambda x: Fn("tanh", x),
        tanh,
        lambda x, out, f: one_minus(square(out)),
        why="Back through tanh: times its slope 1 - tanh², cell by cell.",
        latex=r"\tanh",
    ),
    "sigmoid": unary(
        sigmoid_of,
        sigmoid,
        lambda x, out, f: build.times(out, one_minus(out)),
        why="Back through the sigmoid: times its slope s(1 - s), cell by cell.",
        latex=r"\sigma",
    ),
    "relu": unary(
        lambda x: Largest((x, num(0))),
        relu,
        slope_function("relu"),
        why="Back through relu: what arrives passes where the number was above 0, and stops elsewhere.",
    ),
    "leaky_relu": leaky_relu(),
    "gelu": unary(
        lambda x: times(x, normal_share(x)),
        gelu,
        slope_function("gelu"),
        why="Back through gelu: times its slope.",
        repeats=True,
    ),
    "silu": unary(
        lambda x: times(x, sigmoid_of(x)),
        lambda x: x * sigmoid(x),
        slope_function("silu"),
        why="Back through silu: times its slope s(x)(1 + x(1 - s(x))).",
        repeats=True,
    ),
    "step": unary(step_of, lambda x: ZERO if relu(x) == 0 else ONE, None),
    "relu'": unary(step_of, lambda x: ZERO if relu(x) == 0 else ONE, None, latex=r"\mathrm{relu}'"),
    "abs'": unary(
        lambda x: subtract(Above(x, num(0)), Above(num(0), x)),
        lambda x: ZERO if x == 0 else ONE if size_of(x) == x else -ONE,
        None,
        latex=r"\mathrm{abs}'",
        repeats=True,
    ),
    "leaky_relu'": Operation(
        shape=same_shape,
        cell=lambda g, f, i, j: scalars.Where(Above(g[0].at(i, j), num(0)), num(1), Num(f[0] if f else LEAK)),
        fixed=(0, 1),
        latex=r"\mathrm{leaky\,relu}'",
    ),
    "silu'": unary(
        lambda x: times(sigmoid_of(x), add(num(1), times(x, subtract(num(1), sigmoid_of(x))))),
        lambda x: sigmoid(x) * (1 + x * (1 - sigmoid(x))),
        None,
        latex=r"\mathrm{silu}'",
        repeats=True,
    ),
    "gelu'": unary(
        lambda x: add(normal_share(x), times(x, normal_density(x))),
        gelu_slope_value,
        None,
        latex=r"\mathrm{gelu}'",
        repeats=True,
    ),
    "tanh'": unary(
        lambda x: subtract(num(1), Pow(Fn("tanh", x), Fraction(2))), lambda x: 1 - tanh(x) * tanh(x), None, latex=r"\tanh'"
    ),
    "sigmoid'": unary(
        lambda x: times(sigmoid_of(x), subtract(num(1), sigmoid_of(x))),
        lambda x: sigmoid(x) * (1 - sigmoid(x)),
        None,
        latex=r"\sigma'",
        repeats=True,
    ),
}
