"""Perplexity from the probabilities of the tokens, in any base, and that the base cancels."""

from fractions import Fraction
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import ZERO
from clearhead.exact.logarithms import Base, negative
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import bracketed, named, plain
from clearhead.working.fields import read_cell, read_sequence
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.mean_logs import MeanLog, MeanOfNumbers, Perplexity
from clearhead.working.steps import Plan, Step, Working

TEMPLATE = """\
kind = "perplexity"
title = "The perplexity of four tokens"

[given]
probabilities = ["1/2", 0.25, 0.125, 0.25]   # what the model gave each token that came, all from 0 to 1
# log_probabilities = [-1, -2, -3, -2]       # or their logarithms, in the base below

[options]
base = 2                       # of the logarithm: "e" (without it) or any positive number but 1
# round = 2                    # round every step to so many decimals; without it all is exact
"""


def read_base(raw: Any) -> Base:
    if raw == "e":
        return Base()
    value = read_cell(raw)
    if value <= 0 or value == 1:
        raise InputError(f'must be "e" or a positive number other than 1, but is {value}')
    return Base(value)


def plan(problem: Problem) -> Plan:
    base = problem.option("base", Base())
    if "log_probabilities" in problem.given:
        return from_logs(problem, base)
    [probabilities] = problem.require("probabilities")
    for j, cell in enumerate(probabilities.rows[0], start=1):
        if not 0 <= cell <= 1:
            raise InputError(f"given.probabilities: number {j} must be from 0 to 1, but is {plain(cell)}")
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
    return Plan(
        kind="perplexity",
        title=problem.title,
        given={"probabilities": probabilities},
        steps=(mean, perplexity_step(base)),
        answer=("perplexity",),
        observe=lambda working: observe(working, base),
        marks=problem.marks,
    )


def perplexity_step(base: Base) -> Step:
    """b to the power of minus the mean logarithm."""
    return Step(
        name="perplexity",
        formula=f"{bracketed(base.name)}^(-mean_log)",
        latex=rf"{bracketed(base.name)}^{{-\overline{{\log p}}}}",
        symbol=named("perplexity"),
        why="Among how many equally likely tokens the model would be as unsure, on average.",
        needs=("mean_log",),
        rule=Perplexity(base),
    )


def from_logs(problem: Problem, base: Base) -> Plan:
    """The same where the logarithms are given, as programs print them."""
    logs: Matrix = problem.given["log_probabilities"]
    if "probabilities" in problem.given:
        raise InputError("given has both probabilities and log_probabilities; give one of them")
    above = base.number is None or base.number > 1
    for j, cell in enumerate(logs.rows[0], start=1):
        if (compare(cell, ZERO) > 0) if above else (compare(cell, ZERO) < 0):
            raise InputError(f"given.log_probabilities: number {j} is the logarithm of a probability above 1")
    count = logs.shape[1]
    mean = Step(
        name="mean_log",
        formula=f"the sum of the logarithms, divided by {count}",
        latex=rf"\frac{{1}}{{{count}}} \sum_{{i=1}}^{{{count}}} {base.log_latex} p_i",
        symbol=r"\overline{\log p}",
        why=f"The average logarithm of the probability that each token got, in base {base.name}.",
        needs=("log_probabilities",),
        rule=MeanOfNumbers(),
    )
    return Plan(
        kind="perplexity",
        title=problem.title,
        given={"log_probabilities": logs},
        steps=(mean, perplexity_step(base)),
        answer=("perplexity",),
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


KIND = Kind(
    given={"probabilities": read_sequence, "log_probabilities": read_sequence},
    options={"base": read_base},
    template=TEMPLATE,
    plan=plan,
)
