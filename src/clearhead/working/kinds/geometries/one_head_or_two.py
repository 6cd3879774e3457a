"""One head against two when the length of key a varies: k_a = (1 + γ) μ_a, γ normal with mean 0."""

import math
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.decimals import as_float
from clearhead.exact.lengths import is_orthonormal
from clearhead.exact.matrices import vector
from clearhead.exact.notation import named, plain
from clearhead.working.kinds.geometries.draws import VaryingKeys, sampled
from clearhead.working.kinds.geometries.geometry_question import (
    GeometryQuestion,
    Laid,
    numbered,
    require_keys_and_values,
    require_place,
)
from clearhead.working.kinds.gradients.gradient_model import derivation
from clearhead.working.problem import Problem
from clearhead.working.rules.products import Product
from clearhead.working.rules.shares import Softmax
from clearhead.working.rules.sums import Average
from clearhead.working.rules.varying_keys import HeadScores, SigmoidShare
from clearhead.working.rules.vectors import Distance, MeanOfRows
from clearhead.working.steps import Labels, Step, Working

DRAWS = 10_000
SOME_GAMMAS = (Fraction(-1, 2), Fraction(0), Fraction(1, 2))


def lay_out(problem: Problem) -> Laid:
    keys, values, a, b, strength = problem.require("K", "V", "a", "b", "lambda")
    require_keys_and_values(keys, values)
    require_place("a", a, keys)
    require_place("b", b, keys)
    if a == b:
        raise InputError(f"given.a and given.b are both {a}; two different values are to be averaged")
    if not is_orthonormal(keys):
        raise InputError("given.K must hold orthonormal rows (perpendicular, of length 1): they are the means of the keys")
    gammas = problem.given.get("gamma", vector(SOME_GAMMAS))
    variance = problem.given.get("variance", Fraction(1, 2))
    setting = VaryingKeys(
        values=tuple(tuple(as_float(cell) for cell in row) for row in values.rows),
        a=a - 1,
        b=b - 1,
        strength=as_float(strength.cell),
        variance=as_float(variance),
    )
    draws, seed = problem.option("samples", DRAWS), problem.option("seed", 0)
    return Laid(
        given={"K": keys, "V": values, "lambda": strength, "gamma": gammas},
        steps=[*lines(a, b, variance), *numbers(keys.shape[0], a, b, tuple(f"γ = {plain(g)}" for g in gammas.rows[0]))],
        answer=("distance_one", "distance_two"),
        labels={"K": (numbered("μ", keys.shape[0]), ()), "V": (numbered("v", keys.shape[0]), ())},
        observe=lambda working: observe(working, setting, draws, seed),
    )


def lines(a: int, b: int, variance: Fraction) -> list[Step]:
    """The closed forms, in symbols."""
    return derivation(
        (
            f"k{a} = (1 + γ) μ{a}, γ normal with mean 0 and variance {plain(variance)}; the other keys are their means",
            f"k_{{{a}}}",
            rf"(1 + \gamma) \mu_{{{a}}}, \quad \gamma \sim N(0, {plain(variance)})",
            "Only the length of one key varies; the means are perpendicular and of length 1.",
        ),
        (
            f"one head: q = λ (μ{a} + μ{b}) scores λ (1 + γ) for k{a}, λ for k{b}, 0 for the others",
            "q",
            rf"\lambda (\mu_{{{a}}} + \mu_{{{b}}}), \quad q \cdot k_{{{a}}} = \lambda (1 + \gamma), "
            rf"\quad q \cdot k_{{{b}}} = \lambda",
            "The query that averages two values when all keys have the length 1.",
        ),
        (
            f"share of k{a} between the two: e^(λ + λγ) / (e^(λ + λγ) + e^λ) = 1 / (1 + e^(-λγ))",
            r"\mathrm{share}",
            r"\frac{e^{\lambda + \lambda \gamma}}{e^{\lambda + \lambda \gamma} + e^{\lambda}} = "
            r"\frac{1}{1 + e^{-\lambda \gamma}}",
            "Dividing by the numerator: a sigmoid of λγ, so a long query that should be fair makes small changes decisive.",
        ),
        (
            "mean of the share = 1/2",
            r"\mathrm{mean}(\mathrm{share})",
            r"\frac{1}{2}",
            "γ and -γ are equally likely, and their two shares add up to 1. The variance has no closed form; "
            "it goes to 1/4 as λ grows.",
        ),
        (
            f"two heads: q1 = λ μ{a}, q2 = λ μ{b}, and the output is the mean of both",
            "c",
            rf"\frac{{1}}{{2}} (c_1 + c_2), \quad q_1 = \lambda \mu_{{{a}}}, \quad q_2 = \lambda \mu_{{{b}}}",
            f"Each head has one key to find: the first finds k{a} as long as 1 + γ is well above 0, the second never meets γ.",
        ),
    )


def numbers(count: int, a: int, b: int, gammas: Labels) -> list[Step]:
    share = Step(
        name="share",
        formula="1 / (1 + e^(-λγ))",
        latex=r"\frac{1}{1 + e^{-\lambda \gamma}}",
        symbol=named("share"),
        why=f"What key {a} gets of the weight that it and key {b} have, for each γ.",
        needs=("gamma", "lambda"),
        rule=SigmoidShare(),
        columns=gammas,
    )
    one = head_steps("", "one", f"One head, looking for both k{a} and k{b}", HeadScores(count, a - 1, b - 1), gammas)
    first = head_steps("_a", "c_a", f"The first of two heads, looking for k{a} alone", HeadScores(count, a - 1, None), gammas)
    second = head_steps("_b", "c_b", f"The second of two heads, looking for k{b} alone", HeadScores(count, None, b - 1), gammas)
    two = Step(
        name="two",
        formula="(c_a + c_b) / 2",
        latex=r"\frac{c_{a} + c_{b}}{2}",
        symbol=named("two"),
        why="What two heads give together.",
        needs=("c_a", "c_b"),
        rule=Average(),
        rows=gammas,
    )
    mean = Step(
        name="mean",
        formula=f"(v{a} + v{b}) / 2",
        latex=rf"\frac{{v_{{{a}}} + v_{{{b}}}}}{{2}}",
        symbol=named("mean"),
        why="What both should come close to.",
        needs=("V",),
        rule=MeanOfRows((a - 1, b - 1)),
    )
    return [share, *one, *first, *second, two, mean, distance("one", gammas), distance("two", gammas)]


def head_steps(suffix: str, output: str, who: str, rule: HeadScores, gammas: Labels) -> list[Step]:
    """Scores, weights and output of one head, a row for each γ."""
    keys = numbered("k", rule.count)
    found = [f"{score} for {keys[place]}" for score, place in (("λ(1 + γ)", rule.a), ("λ", rule.b)) if place is not None]
    scores = Step(
        name=f"scores{suffix}",
        formula=f"{', '.join(found)}; 0 for the others",
        latex=r"q \cdot k_i",
        symbol=named(f"scores{suffix}"),
        why=f"{who}: its scores, one row for each γ.",
        needs=("gamma", "lambda"),
        rule=rule,
        rows=gammas,
        columns=keys,
    )
    weights = Step(
        name=f"weights{suffix}",
        formula=f"softmax(scores{suffix})",
        latex=rf"\mathrm{{softmax}}({named(f'scores{suffix}')})",
        symbol=named(f"weights{suffix}"),
        why="The softmax of each row.",
        needs=(f"scores{suffix}",),
        rule=Softmax(),
        rows=gammas,
        columns=keys,
    )
    mixed = Step(
        name=output,
        formula=f"weights{suffix} V",
        latex=rf"{named(f'weights{suffix}')}\, V",
        symbol=named(output),
        why="The values, averaged by the weights.",
        needs=(f"weights{suffix}", "V"),
        rule=Product(),
        rows=gammas,
    )
    return [scores, weights, mixed]


def distance(output: str, gammas: Labels) -> Step:
    heads = "one head ends" if output == "one" else "two heads end"
    return Step(
        name=f"distance_{output}",
        formula=f"‖{output} - mean‖ for each γ",
        latex=rf"\left\| {named(output)} - \mathrm{{mean}} \right\|",
        symbol=rf"\mathrm{{distance}}_{{\mathrm{{{output}}}}}",
        why=f"How far {heads} up from the average of the two values.",
        needs=(output, "mean"),
        rule=Distance(),
        columns=gammas,
    )


def observe(working: Working, setting: VaryingKeys, draws: int, seed: int) -> list[str]:
    """Probabilities in closed form, then what only drawing can tell."""
    deviation = math.sqrt(setting.variance)
    turned = math.erfc(1 / (deviation * math.sqrt(2))) / 2
    lopsided = math.erfc(math.log(9) / (abs(setting.strength) * deviation * math.sqrt(2))) if setting.strength else 0.0
    found = sampled(setting, draws, seed)
    a = setting.a + 1
    return [
        f"Closed form: with one head the share of k{a} is below 0.1 or above 0.9 with probability {lopsided:.4f}, since "
        "that is |λγ| > ln 9; its mean is 1/2 for every λ.",
        f"Closed form: 1 + γ is below 0, so that k{a} points backwards, with probability {turned:.4f}; then the head that "
        f"looks for k{a} misses it, with one head or two.",
        f"Drawn ({draws:,} times, seed {seed}; no closed form): the share of k{a} has the standard deviation "
        f"{found.share_deviation:.4f}; the distance from the average of v{a} and v{setting.b + 1} is {found.one:.4f} on "
        f"average with one head and {found.two:.4f} with two.",
    ]


HEADS = GeometryQuestion(
    given=("K", "V", "a", "b", "lambda", "gamma", "variance"), options=("samples", "seed"), lay_out=lay_out
)
"""What do one head and two make of a key whose length varies?"""
