"""Perplexity from the probabilities of the tokens, in any base, and that the base cancels."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from clearhead.errors import InputError
from clearhead.working.expressions import ONE, ZERO, Cell, Exact, Expression, Log, Monomial, total_of
from clearhead.working.fields import read_cell, read_sequence
from clearhead.working.kinds.kind import Kind
from clearhead.working.losses import surprise
from clearhead.working.matrices import Matrix, number, sum_of
from clearhead.working.notation import bracketed, named, plain
from clearhead.working.powers import exp, log
from clearhead.working.rules import Show, Term, multiplied
from clearhead.working.steps import Plan, Step, Working

if TYPE_CHECKING:
    from clearhead.working.problem import Problem

TEMPLATE = """\
kind = "perplexity"
title = "The perplexity of four tokens"

[given]
probabilities = ["1/2", 0.25, 0.125, 0.25]   # what the model gave each token that came, all from 0 to 1

[options]
base = 2                       # of the logarithm: "e" (without it) or any positive number but 1
# round = 2                    # round every step to so many decimals; without it all is exact
"""
MOST_WRITTEN_OUT = 64  # logarithms of one sum


@dataclass(frozen=True, slots=True)
class Base:
    """The base of a logarithm: e where `number` is None."""

    number: Fraction | None = None

    @property
    def name(self) -> str:
        return "e" if self.number is None else plain(self.number)

    @property
    def log_name(self) -> str:
        return "ln" if self.number is None else f"log_{bracketed(self.name)}"

    @property
    def log_latex(self) -> str:
        return r"\ln" if self.number is None else rf"\log_{{{self.name}}}"

    @property
    def log(self) -> Exact:
        """Its natural logarithm as a sum over its primes."""
        found = ONE if self.number is None else log(self.number)
        return ONE if isinstance(found, float) else found

    @property
    def whole_log(self) -> Exact:
        """The same as one factor that can be cancelled: ln 10, not ln 2 + ln 5."""
        if self.number is None or (isinstance(self.log, Expression) and len(self.log.terms) == 1):
            return self.log
        return Expression({Monomial(1, ZERO, frozenset({(Log(self.number), 1)})): ONE})

    def divide(self, total: Exact) -> Exact:
        """A natural logarithm in this base: what is a multiple of ln b becomes a fraction, so that log_10 (1/10) is −1."""
        if self.log == self.whole_log or isinstance(total, Fraction):
            return total / self.log
        assert isinstance(self.log, Expression)
        prime, power = next(iter(self.log.terms.items()))
        multiple = total.terms.get(prime, ZERO) / power
        return (total - self.log * multiple) / self.whole_log + multiple

    def multiply(self, exponent: Exact) -> Exact:
        """A logarithm in this base as a natural one, over its primes again."""
        product = exponent * self.whole_log
        if self.log == self.whole_log or isinstance(product, Fraction):
            return product
        assert isinstance(self.whole_log, Expression)
        [whole] = self.whole_log.terms
        return total_of(self.log * c if m == whole else Expression({m: c}) for m, c in product.terms.items())


def read_base(raw: Any) -> Base:
    if raw == "e":
        return Base()
    value = read_cell(raw)
    if value <= 0 or value == 1:
        raise InputError(f'must be "e" or a positive number other than 1, but is {value}')
    return Base(value)


@dataclass(frozen=True, slots=True)
class MeanLog:
    """The average of log_b p over the tokens."""

    base: Base

    def __call__(self, *inputs: Matrix) -> Matrix:
        row = inputs[0].rows[0]
        mean = sum_of(negative(surprise(cell)) for cell in row)
        if isinstance(mean, float):
            return number(mean if self.base.number is None or self.base.number > 1 else -mean)
        return number(self.base.divide(mean) / len(row))

    def with_logs(self, factor: Exact, *inputs: Matrix) -> Matrix:
        return multiplied(self(*inputs), factor)

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        row = inputs[0].rows[0]
        found = [surprise(cell) for cell in row]
        return [Term((), self.base.divide(-cell) / len(row)) for cell in found if not isinstance(cell, float)]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row = inputs[0].rows[0]
        written = row if len(row) <= MOST_WRITTEN_OUT else (*row[:2], row[-1])
        logs = [f"{self.base.log_name} {bracketed(show(cell))}" for cell in written]
        return f"({' + '.join(logs if written is row else [*logs[:2], '…', logs[2]])}) / {len(row)}"


@dataclass(frozen=True, slots=True)
class Perplexity:
    """b to the power of minus the mean logarithm."""

    base: Base

    def __call__(self, *inputs: Matrix) -> Matrix:
        mean = inputs[0].cell
        return number(mean if isinstance(mean, float) and mean > 0 else power(self.base, negative(mean)))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(self.base.name)}^{bracketed(show(negative(inputs[0].cell)))}"


def negative(cell: Cell) -> Cell:
    return -cell


def power(base: Base, exponent: Cell) -> Cell:
    """b^x; an infinite x can only come from a probability 0, and gives ∞."""
    return abs(exponent) if isinstance(exponent, float) else exp(base.multiply(exponent))


def plan(problem: "Problem") -> Plan:
    [probabilities] = problem.require("probabilities")
    for j, cell in enumerate(probabilities.rows[0], start=1):
        if not 0 <= cell <= 1:
            raise InputError(f"given.probabilities: number {j} must be from 0 to 1, but is {plain(cell)}")
    base = problem.option("base", Base())
    count = probabilities.shape[1]
    mean = Step(
        name="mean_log",
        formula=f"the sum of {base.log_name} p over the tokens, divided by {count}",
        latex=rf"\frac{{1}}{{{count}}} \sum_{{i=1}}^{{{count}}} {base.log_latex} p_i",
        symbol=r"\overline{\log p}",
        why=f"The average logarithm of the probability that each token got, in base {base.name}.",
        needs=("probabilities",),
        rule=MeanLog(base),
    )
    perplexity = Step(
        name="perplexity",
        formula=f"{bracketed(base.name)}^(-mean_log)",
        latex=rf"{bracketed(base.name)}^{{-\overline{{\log p}}}}",
        symbol=named("perplexity"),
        why="Among how many equally likely tokens the model would be as unsure, on average.",
        needs=("mean_log",),
        rule=Perplexity(base),
    )
    return Plan(
        kind="perplexity",
        title=problem.title,
        given={"probabilities": probabilities},
        steps=(mean, perplexity),
        answer=("perplexity",),
        observe=lambda working: observe(working, base),
        marks=problem.marks,
    )


def observe(working: Working, base: Base) -> list[str]:
    """That the base cancels, with the numbers of three bases; or that a probability 0 makes the perplexity infinite."""
    given = working.values["probabilities"]
    never = [j for j, cell in enumerate(given.rows[0], start=1) if cell == 0]
    if never:
        return [f"Token {never[0]} got the probability 0, whose logarithm is -∞: the perplexity is infinite in every base."]
    bases = [base, *(other for other in (Base(Fraction(2)), Base(), Base(Fraction(10))) if other != base)][:3]
    means = [MeanLog(each)(given) for each in bases]
    exact = Perplexity(base)(means[0]).cell
    powers = " ≈ ".join(
        f"{bracketed(each.name)}^{bracketed(working.said(negative(mean.cell)))}"
        for each, mean in zip(bases, means, strict=True)
    )
    said = [
        "The base cancels: b^(-(1/M) Σ log_b p) = (p1·p2·…·pM)^(-1/M), which has no b in it. "
        f"Without rounding in between, {powers} ≈ {working.said(exact)}."
    ]
    if working.policy.settle(exact) != working.values["perplexity"].cell:
        said.append(
            f"Rounding mean_log first moved the perplexity from {working.said(exact)} to "
            f"{working.said(working.values['perplexity'].cell)}: the base cancels exactly, rounded numbers only nearly."
        )
    return said


KIND = Kind(given={"probabilities": read_sequence}, options={"base": read_base}, template=TEMPLATE, plan=plan)
