"""The softmax of a vector, with a temperature and both of its limits."""

import math
from fractions import Fraction
from typing import Any

from clearhead.exact.decimals import is_zero
from clearhead.exact.expressions import ZERO
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import bracketed, named, plain, text
from clearhead.working.fields import read_flag, read_temperature, read_vector
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.scores import MinusLargest, OverTemperature, Temperature
from clearhead.working.rules.shares import Exponential, ShareOfSum, Softmax, softmax_row
from clearhead.working.rules.sums import Total
from clearhead.working.steps import Plan, Step, Working

TEMPLATE = """\
kind = "softmax"
title = "The softmax of three numbers, at temperature 2"

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
z = [4, 2, 0]

[options]
temperature = 2                # softmax(z / T); 0 is the limit (argmax, ties share), "inf" the other (uniform)
# shift = true                 # subtract the largest number first, as programs do; by itself only beyond ±600
# round = 2                    # round every step to so many decimals; without it all is exact
"""
LIMITS_LISTED = 8  # so many limits are told one by one
LARGEST_EXPONENT = 600  # e^600 has 261 digits: nobody writes more than that


def read_any_temperature(raw: Any) -> Temperature:
    return math.inf if raw in ("inf", "infinity", "∞") else read_temperature(raw)


def plan(problem: Problem) -> Plan:
    [z] = problem.require("z")
    temperature = problem.option("temperature", Fraction(1))
    shift = problem.option("shift", False) or is_large(z, temperature)
    steps = limit_at_zero() if temperature == 0 else ordinary(temperature, shift)
    return Plan(
        kind="softmax",
        title=problem.title,
        given={"z": z},
        steps=tuple(steps),
        answer=("probabilities",),
        observe=lambda working: [*observe(z, temperature), *vanished(working)],
        marks=problem.marks,
    )


def is_large(z: Matrix, temperature: Temperature) -> bool:
    """Whether some exponential would have hundreds of digits."""
    if temperature == 0 or isinstance(temperature, float):
        return False
    return any(isinstance(cell, Fraction) and abs(cell / temperature) > LARGEST_EXPONENT for cell in z.rows[0])


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


def shifted_step(source: str) -> Step:
    """The largest number taken from all: every exponential is then at most 1."""
    return Step(
        name="shifted",
        formula=f"{source} - max({source})",
        latex=rf"{named(source)} - \max_j {named(source)}_j",
        symbol=named("shifted"),
        why="The largest number is subtracted from all, so that no exponential is larger than 1: the shares stay the same.",
        needs=(source,),
        rule=MinusLargest(),
    )


def ordinary(temperature: Temperature, shift: bool) -> list[Step]:
    source = "z" if temperature == 1 else "scaled"
    steps = [] if temperature == 1 else [scaled_step(temperature)]
    if shift:
        steps.append(shifted_step(source))
        source = "shifted"
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
        rule=ShareOfSum(),
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
        if count <= LIMITS_LISTED:
            limit = f"[{', '.join(text(cell) for cell in coldest)}]"
        said.append(f"As T goes to 0 the probabilities go to {limit}; as T goes to infinity, to 1/{count} each.")
    else:
        said.append("A single number takes the probability 1 at every temperature.")
    return said


def vanished(working: Working) -> list[str]:
    """Shares that are shown as 0 and are not."""
    row = working.values["probabilities"].rows[0]
    hidden = [j for j, cell in enumerate(row, start=1) if not is_zero(cell) and float(working.said(cell)) == 0]
    if not hidden:
        return []
    which = f"Number {hidden[0]} gets" if len(hidden) == 1 else f"{len(hidden)} numbers get"
    return [f"{which} a share that is not 0 but too small for the decimals shown."]


KIND = Kind(
    given={"z": read_vector},
    options={"temperature": read_any_temperature, "shift": read_flag},
    template=TEMPLATE,
    plan=plan,
)
