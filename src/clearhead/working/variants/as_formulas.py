"""The rules of the built-in kinds as formulas, so that a spreadsheet can be live for them too."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from clearhead.exact.expressions import ONE
from clearhead.working.formulas.formula_rule import FormulaRule
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice
from clearhead.working.rules import arrangements, descent, losses, mean_logs, neurons, products, scores, shares, sums
from clearhead.working.rules.rule import Rule

Make = Callable[[Any, tuple[Node, ...]], Node]


def call(op: str, *args: Node, fixed: tuple[Fraction, ...] = ()) -> Node:
    return Call(op, args, fixed)


def turned(a: Node) -> Node:
    return call("transpose", a)


def slope(rule: neurons.ThroughActivation, needs: tuple[Node, ...]) -> Node:
    d, h, z = needs
    squared = call("power", h, fixed=(Fraction(2),))
    slopes = {
        "tanh": call("subtract", Number(ONE), squared),
        "sigmoid": call("times", h, call("subtract", Number(ONE), h)),
        "relu": call("relu'", z),
    }
    return call("times", d, slopes[rule.g.name]) if rule.g.name in slopes else d


def softmax(rule: shares.Softmax, needs: tuple[Node, ...]) -> Node:
    if rule.temperature == 0:
        return call("hardmax", *needs)
    inside = needs[0] if rule.temperature == 1 else call("divide", needs[0], Number(rule.temperature))
    return call("softmax", inside)


def cooled(rule: scores.OverTemperature, needs: tuple[Node, ...]) -> Node:
    factor = Fraction(0) if isinstance(rule.temperature, float) else 1 / rule.temperature
    return call("times", Number(factor), needs[0])


FORMULAS: dict[type, Make] = {
    products.Product: lambda rule, n: call("product", *n),
    products.Projection: lambda rule, n: call("product", *n),
    products.ProductTransposed: lambda rule, n: call("product", n[0], turned(n[1])),
    products.TransposedProduct: lambda rule, n: call("product", turned(n[0]), n[1]),
    products.Times: lambda rule, n: call("times", *n),
    products.Affine: lambda rule, n: call("add", call("product", n[0], n[1]), n[2]),
    neurons.Activated: lambda rule, n: n[0] if rule.g.name == "identity" else call(rule.g.name, *n),
    neurons.ThroughActivation: slope,
    scores.OverRoot: lambda rule, n: call("divide", n[0], call("sqrt", Number(Fraction(rule.d_k)))),
    scores.OverTemperature: lambda rule, n: cooled(rule, n),
    shares.Softmax: softmax,
    shares.Exponential: lambda rule, n: call("exp", *n),
    shares.ShareOfSum: lambda rule, n: call("divide", *n),
    sums.Difference: lambda rule, n: call("subtract", *n),
    sums.Total: lambda rule, n: call("sum", *n),
    arrangements.SideBySide: lambda rule, n: call("beside", *n),
    arrangements.Same: lambda rule, n: n[0],
    losses.HalfSquare: lambda rule, n: call(
        "divide", call("power", call("subtract", *n), fixed=(Fraction(2),)), Number(Fraction(2))
    ),
    losses.NegativeLog: lambda rule, n: surprises(rule, n),
    arrangements.Lookup: lambda rule, n: looked_up(rule, n),
    losses.CrossEntropy: lambda rule, n: call("cross_entropy", *n),
    descent.Descent: lambda rule, n: call("subtract", n[0], call("times", Number(rule.rate), n[1])),
    mean_logs.MeanOfNumbers: lambda rule, n: call("mean", *n),
    mean_logs.MeanLog: lambda rule, n: mean_log(rule, n),
    mean_logs.Perplexity: lambda rule, n: perplexity(rule, n),
}


def surprises(rule: losses.NegativeLog, needs: tuple[Node, ...]) -> Node:
    found: Node = Number(Fraction(0))
    for i, j in rule.places:
        found = call("subtract", found, call("ln", Slice(needs[0], (i + 1, i + 1), (j + 1, j + 1))))
    return found


def looked_up(rule: arrangements.Lookup, needs: tuple[Node, ...]) -> Node:
    return call("below", *(Slice(needs[0], (row + 1, row + 1), None) for row in rule.order))


def mean_log(rule: mean_logs.MeanLog, needs: tuple[Node, ...]) -> Node:
    logs = call("mean", call("ln", *needs))
    return logs if rule.base.number is None else call("divide", logs, call("ln", Number(rule.base.number)))


def perplexity(rule: mean_logs.Perplexity, needs: tuple[Node, ...]) -> Node:
    nats = needs[0] if rule.base.number is None else call("times", needs[0], call("ln", Number(rule.base.number)))
    return call("exp", call("negate", nats))


def as_formula(rule: Rule | None, needs: tuple[str, ...]) -> Node | None:
    """The rule as the tree of a formula; None where it is none."""
    if isinstance(rule, FormulaRule):
        return rule.tree
    make = FORMULAS.get(type(rule))
    return None if make is None else make(rule, tuple(Name(name) for name in needs))
