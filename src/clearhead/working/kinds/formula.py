"""Any graph of named steps, each written as one would on paper; gradients and one step of an optimiser are derived."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from clearhead.errors import ClearheadError, InputError
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import named
from clearhead.exact.policies import EXACT
from clearhead.working.fields import (
    did_you_mean,
    read_cell,
)
from clearhead.working.formulas.backward import derive
from clearhead.working.formulas.formula_rule import FormulaRule
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.functions.table_of_operations import FUNCTIONS, RESERVED
from clearhead.working.formulas.optimiser_steps import NUMBERS, updates_of
from clearhead.working.formulas.text.formula_fields import (
    read_fields,
    read_given,
    read_one_name,
    read_rule,
    read_some_names,
    read_texts,
)
from clearhead.working.formulas.text.formula_latex import latex
from clearhead.working.formulas.text.formula_reasons import reason_of
from clearhead.working.formulas.text.grammar import parse
from clearhead.working.formulas.text.loops import NAME, earlier, lines_of
from clearhead.working.formulas.text.tree import Call, Node, names_in, text
from clearhead.working.formulas.tree_shapes import settled, shape_of
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.steps import Plan, Step, Working

TEMPLATE = """\
kind = "formula"
title = "One hidden layer, backwards, and one step"
# answer = ["loss"]            # default: the last step; with [gradient] what it is asked for

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
x = [[1, 2]]                   # a table is a list of rows; a list is a row, a number a number
y = [[1, 0]]
W1 = [[1, 0], [-1, 1]]
b1 = [0, 1]
W2 = [[1, 2], [0, -1]]

[steps]                        # in this order; a name may be used by every later step
u = "x W1 + b1"                # a space or @ is a matrix product; + - / ^; ⊙ or .* cell by cell; A^T or Aᵀ
h = "relu(u)"                  # also tanh sigmoid gelu exp ln sqrt …, softmax layernorm rowsum … of each row, col… down columns
p = "softmax(h W2)"            # A[1, :], A[:, 1..2] counted from 1; [A, B] beside, [A; B] below
loss = "cross_entropy(p, y)"
# "s[t] for t in 1..3" = "tanh(s[t-1] W + x[t])"   # over time: s0 is given, the steps are s1 s2 s3

[gradient]                     # optional: derives d_<name> of every step on the way back
of = "loss"
by = ["W1", "b1"]

[update]                       # optional: one step of sgd, momentum, rmsprop or adam
rule = "sgd"
rate = 0.1

[options]
round = 4                      # round every step to so many decimals; without it all is exact
"""
SYMBOL = r"\frac{{\partial {of}}}{{\partial {by}}}"


@dataclass(slots=True)
class FormulaGraph:
    """The steps read so far: their trees and shapes."""

    shapes: dict[str, Shape]
    given: Mapping[str, Matrix] = field(default_factory=dict)
    trees: dict[str, Node] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    symbols: dict[str, str] = field(default_factory=dict)

    def with_givens(self, given: Mapping[str, Matrix]) -> "FormulaGraph":
        """A graph of its own that goes on from here with these numbers."""
        return FormulaGraph(dict(self.shapes), given, dict(self.trees), list(self.steps), dict(self.symbols))

    def is_number(self, node: Node) -> bool:
        return shape_of(node, self.shapes).rank == 0

    def read(self, formula: str, where: str, indices: dict[str, int] | None = None) -> Node:
        try:
            return settled(parse(formula, self.shapes.keys(), FUNCTIONS, indices), self.shapes, formula)[0]
        except ClearheadError as error:
            raise InputError(f"{where}: {error}") from None

    def add(
        self, name: str, tree: Node, *, formula: str, why: str, symbol: str = "", old: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """One more step; `old` names older values that people take by mistake."""
        shape = shape_of(tree, self.shapes)
        inside = names_in(tree)
        taken = tuple(pair for pair in old if pair[0] in inside and pair[1] in self.shapes)
        needs = tuple(dict.fromkeys((*inside, *(before for _, before in taken))))
        if symbol:
            self.symbols[name] = symbol
        step = Step(
            name=name,
            formula=formula,
            latex=latex(tree, self.symbols, self.is_number),
            why=why,
            needs=needs,
            rule=FormulaRule(tree, needs, shape.rank, tuple(self.shapes[need] for need in needs), taken),
            symbol=symbol or named(name),
        )
        self.shapes[name], self.trees[name] = shape, tree
        self.steps.append(step)


def plan(problem: Problem) -> Plan:
    texts: dict[str, str] = problem.tables.get("steps", {})
    if not texts:
        raise InputError(
            'steps: is missing; name at least one, such as u = "x W + b"; `clearhead kinds formula` prints a template'
        )
    for name in problem.given:
        require_name(name, f"given.{name}", ())
    shapes = tuple((name, Shape(value.shape[0], value.shape[1], value.rank)) for name, value in problem.given.items())
    reasons: dict[str, str] = problem.tables.get("why", {})
    graph = forward(tuple(texts.items()), tuple(reasons.items()), shapes).with_givens(problem.given)
    answer: tuple[str, ...] = (graph.steps[-1].name,)
    gradient: dict[str, Any] = problem.tables.get("gradient", {})
    update: dict[str, Any] = problem.tables.get("update", {})
    if gradient:
        answer = tuple(f"d_{name}" for name in backward(graph, gradient))
    if update:
        answer += tuple(f"new_{name}" for name in descend(graph, gradient, update))
    asked = problem.tables.get("answer", answer)
    for name in asked:
        if name not in graph.trees:
            raise InputError(f"answer: {name[:40]} is no step{did_you_mean(name, list(graph.trees))}")
    return Plan(
        kind="formula",
        title=problem.title,
        given=problem.given,
        steps=tuple(graph.steps),
        answer=tuple(asked),
        maps=tuple(name for name, tree in graph.trees.items() if is_map(tree, graph.shapes[name])),
        observe=observe,
        marks=problem.marks,
    )


def require_name(name: str, where: str, taken: "tuple[str, ...] | dict[str, Shape]") -> None:
    """A name is letters, digits and _, is not a function, and stands for one thing."""
    if not NAME.fullmatch(name):
        raise InputError(f"{where}: a name is letters, digits and _, and begins with a letter")
    if name in RESERVED:
        what = "the sign of a transpose" if name == "T" else "a function"
        raise InputError(f"{where}: {name} is {what}; call it something else")
    if name in taken:
        raise InputError(f"{where}: {name} stands there already; every given and step needs a name of its own")


@lru_cache(maxsize=256)  # a class is marked, a cell is changed on the page, thirty variants are made: with the same formulas
def forward(
    texts: tuple[tuple[str, str], ...], whys: tuple[tuple[str, str], ...], shapes: tuple[tuple[str, Shape], ...]
) -> FormulaGraph:
    """The steps as the file has them: they follow from the formulas and from how large the givens are, whatever these are."""
    graph, reasons, lines = FormulaGraph(dict(shapes)), dict(whys), lines_of(dict(texts))
    for line in lines:
        where = f"steps.{line.name}"
        require_name(line.name, where, graph.shapes)
        tree = graph.read(line.formula, where, line.indices)
        formula = text(tree, graph.is_number) if line.indices else line.formula
        why = reasons.get(line.name) or reasons.get(line.family) or reasons.get(line.key) or reason_of(tree, graph.is_number)
        graph.add(line.name, tree, formula=formula, why=why, old=tuple(earlier(line)))
    for key in reasons:
        if key not in {word for line in lines for word in (line.name, line.family, line.key)}:
            raise InputError(f"why.{key[:40]}: no such step{did_you_mean(key, list(graph.trees))}")
    return graph


def backward(graph: FormulaGraph, gradient: Mapping[str, Any]) -> tuple[str, ...]:
    """The steps d_<name>; returns what was asked for."""
    of, by = gradient.get("of", graph.steps[-1].name), gradient.get("by", ())
    if of not in graph.trees:
        raise InputError(f"gradient.of: {of[:40]} is no step{did_you_mean(of, list(graph.trees))}")
    if graph.shapes[of].size != (1, 1):
        raise InputError(
            f"gradient.of: {of} is {graph.shapes[of]}; a gradient is of one number, such as a loss: take its sum or mean"
        )
    if not by:
        raise InputError('gradient.by: is missing; it names what the gradient is by, such as by = ["W1", "b1"]')
    for name in by:
        if name not in graph.shapes:
            raise InputError(f"gradient.by: {name[:40]} is no given and no step{did_you_mean(name, list(graph.shapes))}")
        if name == of:
            raise InputError(f"gradient.by: {name} is what the gradient is of")
    for derived in derive(of, by, graph.trees, graph.shapes, graph.given):
        require_name(derived.name, f"gradient: {derived.name}", graph.shapes)
        symbol = SYMBOL.format(of=named(of), by=graph.symbols.get(derived.of, named(derived.of)))
        graph.add(derived.name, derived.tree, formula=text(derived.tree, graph.is_number), why=derived.why, symbol=symbol)
        shape = graph.shapes[derived.of]
        settle_rank(graph, derived.name, shape.rank)
    return tuple(by)


def settle_rank(graph: FormulaGraph, name: str, rank: int) -> None:
    """A gradient is shown as what it is the gradient of: a row as a row."""
    from dataclasses import replace

    step, shape = graph.steps[-1], graph.shapes[name]
    if shape.rank != rank and isinstance(step.rule, FormulaRule):
        graph.shapes[name] = Shape(shape.rows, shape.columns, rank)
        graph.steps[-1] = replace(step, rule=replace(step.rule, rank=rank))


def descend(graph: FormulaGraph, gradient: Mapping[str, Any], update: Mapping[str, Any]) -> tuple[str, ...]:
    """The steps of the optimiser; returns what it changes."""
    if not gradient:
        raise InputError("update: needs a [gradient] that says by what")
    rule = update.get("rule", "sgd")
    numbers: dict[str, Fraction] = {key: value for key, value in update.items() if key != "rule"}
    for key in numbers:
        if key not in NUMBERS[rule]:
            raise InputError(f"update.{key}: {rule} takes {', '.join(NUMBERS[rule])}")
    require_numbers(numbers)
    for name in gradient["by"]:
        for step in updates_of(rule, name, numbers, graph.given):
            require_name(step.name, f"update: {step.name}", graph.shapes)
            tree = graph.read(step.formula, f"update.{step.name}")
            symbol = rf"{named(name)}^{{\mathrm{{new}}}}" if step.name == f"new_{name}" else ""
            graph.add(step.name, tree, formula=step.formula, why=step.why, old=step.old, symbol=symbol)
            settle_rank(graph, step.name, graph.shapes[name].rank)
    return tuple(gradient["by"])


def require_numbers(numbers: Mapping[str, Fraction]) -> None:
    for key, value in numbers.items():
        if key.startswith("beta") and not 0 <= value < 1:
            raise InputError(f"update.{key}: must be from 0 to below 1, but is {value}")
        if key == "rate" and value <= 0:
            raise InputError(f"update.rate: must be more than 0, but is {value}")
        if key == "t" and (value.denominator != 1 or not 1 <= value <= 100):
            raise InputError(f"update.t: must be a whole number from 1 to 100, but is {value}")
        if key == "eps" and value < 0:
            raise InputError(f"update.eps: must be 0 or more, but is {value}")


def is_map(tree: Node, shape: Shape) -> bool:
    """Whether a step is a table of shares, each row adding up to 1: that can be drawn."""
    return isinstance(tree, Call) and tree.op == "softmax" and shape.rows > 1 and shape.columns > 1


def observe(working: Working) -> list[str]:
    """Said where a step came out infinite: rounding took a share to 0."""
    found = []
    for step in working.plan.steps:
        value = working.values[step.name]
        if value.rank == 0 and isinstance(value.cell, float):
            what = "cross_entropy(p, y) takes the shares first" if working.policy == EXACT else "keep more decimals"
            found.append(f"{step.name} is infinite: a share it takes the logarithm of is 0 as it stands; {what}.")
    return found


KIND = Kind(
    given={},
    any_given=read_given,
    options={},
    tables={
        "answer": read_some_names,
        "steps": read_texts,
        "why": read_texts,
        "gradient": read_fields({"of": read_one_name, "by": read_some_names}),
        "update": read_fields({"rule": read_rule, **{key: read_cell for keys in NUMBERS.values() for key in keys}}),
    },
    template=TEMPLATE,
    plan=plan,
)
