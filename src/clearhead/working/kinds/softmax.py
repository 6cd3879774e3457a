"""The softmax of a vector, with a temperature and both of its limits."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from clearhead.errors import InputError
from clearhead.working.expressions import ZERO, Cell, inverse
from clearhead.working.fields import read_temperature, read_vector
from clearhead.working.kinds.kind import Kind
from clearhead.working.matrices import Matrix, number, sum_of
from clearhead.working.notation import bracketed, named, plain, text
from clearhead.working.powers import exp
from clearhead.working.rules import Show, Softmax, Term, softmax_row
from clearhead.working.steps import Plan, Step

if TYPE_CHECKING:
    from clearhead.working.problem import Problem

TEMPLATE = """\
kind = "softmax"
title = "The softmax of three numbers, at temperature 2"

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
z = [4, 2, 0]

[options]
temperature = 2                # softmax(z / T); 0 is the limit (argmax, ties share), "inf" the other (uniform)
# round = 2                    # round every step to so many decimals; without it all is exact
"""
LISTED = 8  # so many limits are told one by one
LARGEST_EXPONENT = 600  # e^600 has 261 digits: nobody writes more than that

Temperature: TypeAlias = Fraction | float
"""A fraction, or ∞."""


def read_any_temperature(raw: Any) -> Temperature:
    return math.inf if raw in ("inf", "infinity", "∞") else read_temperature(raw)


@dataclass(frozen=True, slots=True)
class OverTemperature:
    """Every cell divided by T; by an infinite T, 0."""

    temperature: Temperature

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(self.divide)

    def divide(self, cell: Cell) -> Cell:
        return ZERO if isinstance(self.temperature, float) or isinstance(cell, float) else cell / self.temperature

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        below = "T as T → ∞" if isinstance(self.temperature, float) else bracketed(show(self.temperature))
        return f"{bracketed(show(inputs[0][i, j]))} / {below}"


@dataclass(frozen=True, slots=True)
class Exponential:
    """e to the power of each cell."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return inputs[0].map(exp)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"e^{bracketed(show(inputs[0][i, j]))}"


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of all cells."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        return number(sum_of(cell for row in inputs[0].rows for cell in row))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, column),)) for row, column in inputs[0].places()]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return " + ".join(show(cell) for row in inputs[0].rows for cell in row)


@dataclass(frozen=True, slots=True)
class Share:
    """Each cell over the sum."""

    def __call__(self, *inputs: Matrix) -> Matrix:
        cells, whole = inputs[0], inputs[1].cell
        if isinstance(whole, float) or whole == 0:
            raise ArithmeticError(
                "sum is 0 as rounded, and nothing can be divided by it; round to more decimals, or add the same number to "
                "all of z (the softmax stays the same)"
            )
        turned = inverse(whole)
        return cells.map(lambda cell: cell if isinstance(cell, float) else cell * turned)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(inputs[0][i, j]))} / {bracketed(show(inputs[1].cell))}"


def plan(problem: "Problem") -> Plan:
    [z] = problem.require("z")
    temperature = problem.option("temperature", Fraction(1))
    require_writable(z, temperature)
    steps = limit_at_zero() if temperature == 0 else ordinary(temperature)
    return Plan(
        kind="softmax",
        title=problem.title,
        given={"z": z},
        steps=tuple(steps),
        answer=("probabilities",),
        observe=lambda working: observe(z, temperature),
        marks=problem.marks,
    )


def require_writable(z: Matrix, temperature: Temperature) -> None:
    if temperature == 0 or isinstance(temperature, float):
        return
    for j, cell in enumerate(z.rows[0], start=1):
        if isinstance(cell, Fraction) and abs(cell / temperature) > LARGEST_EXPONENT:
            raise InputError(
                f"given.z: number {j} over the temperature is beyond ±{LARGEST_EXPONENT}, so its exponential has hundreds of "
                "digits; subtract the largest number from all of z (the softmax stays the same), or raise options.temperature"
            )


def limit_at_zero() -> list[Step]:
    """At T = 0 there is nothing to exponentiate: only the limit is left."""
    return [
        Step(
            name="probabilities",
            formula="argmax of z",
            latex=r"\lim_{T \to 0^+} \mathrm{softmax}(z / T)",
            symbol=named("probabilities"),
            why="As the temperature goes to 0 the largest number takes all, and ties share equally.",
            needs=("z",),
            rule=Softmax(ZERO),
        )
    ]


def scaled_step(temperature: Temperature) -> Step:
    if isinstance(temperature, float):
        formula, latex = "z / T, T → ∞", r"\lim_{T \to \infty} z / T"
        why = "Dividing by ever larger temperatures leaves no difference between the numbers."
    else:
        formula = latex = f"z / {bracketed(plain(temperature))}"
        effect = "evens out" if temperature > 1 else "sharpens"
        why = f"Dividing by the temperature {plain(temperature)} {effect} the differences."
    return Step(
        name="scaled",
        formula=formula,
        latex=latex,
        symbol=named("scaled"),
        why=why,
        needs=("z",),
        rule=OverTemperature(temperature),
    )


def ordinary(temperature: Temperature) -> list[Step]:
    source = "z" if temperature == 1 else "scaled"
    steps = [] if temperature == 1 else [scaled_step(temperature)]
    exponentials = Step(
        name="exponentials",
        formula=f"e^{source}",
        latex=f"e^{{{named(source)}}}",
        symbol=named("exponentials"),
        why="The exponential makes every number positive and keeps their order.",
        needs=(source,),
        rule=Exponential(),
    )
    whole = Step(
        name="sum",
        formula="the sum of the exponentials",
        latex=r"\sum_j \mathrm{exponentials}_j",
        symbol=named("sum"),
        why="What all of them come to, so that each can be given its share.",
        needs=("exponentials",),
        rule=Total(),
    )
    shares = Step(
        name="probabilities",
        formula="exponentials / sum",
        latex=r"\mathrm{exponentials} / \mathrm{sum}",
        symbol=named("probabilities"),
        why="Each exponential over their sum: positive shares that add up to 1.",
        needs=("exponentials", "sum"),
        rule=Share(),
    )
    return [*steps, exponentials, whole, shares]


def observe(z: Matrix, temperature: Temperature) -> list[str]:
    """Both limits of the temperature, and the case in which it makes no difference."""
    row, count = z.rows[0], z.shape[1]
    said = []
    if temperature == 0:
        said.append("At temperature 0, z / T has no value, so there are no exponentials: this is the limit as T goes to 0.")
    coldest = softmax_row(row, ZERO)
    if count > 1 and all(cell == row[0] for cell in row):
        said.append(f"All numbers of z are equal, so the probabilities are uniform, 1/{count} each, at every temperature.")
    elif count > 1:
        shares = sum(cell != 0 for cell in coldest)
        limit = (
            f"1/{shares} for the {shares} largest and 0 for the others"
            if shares > 1
            else "1 for the largest and 0 for the others"
        )
        if count <= LISTED:
            limit = f"[{', '.join(text(cell) for cell in coldest)}]"
        said.append(f"As T goes to 0 the probabilities go to {limit}; as T goes to infinity, to 1/{count} each.")
    else:
        said.append("A single number takes the probability 1 at every temperature.")
    return said


KIND = Kind(given={"z": read_vector}, options={"temperature": read_any_temperature}, template=TEMPLATE, plan=plan)
