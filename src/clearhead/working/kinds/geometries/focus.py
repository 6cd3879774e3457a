"""The query that copies one value (q = λ k_j) or averages two (q = λ(k_a + k_b)), and how close it comes."""

from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.enclosures import compare
from clearhead.exact.expressions import ZERO, Exact, finite
from clearhead.exact.lengths import is_orthonormal, row
from clearhead.exact.matrices import Matrix, dot
from clearhead.exact.notation import bracketed, named, plain
from clearhead.exact.order import largest
from clearhead.exact.powers import exp
from clearhead.working.kinds.geometries.geometry_question import (
    GeometryQuestion,
    Laid,
    numbered,
    require_keys_and_values,
    require_place,
)
from clearhead.working.problem import Problem
from clearhead.working.rules.products import Product, ProductTransposed
from clearhead.working.rules.shares import Softmax
from clearhead.working.rules.vectors import Along, Distance, Focus, MeanOfRows, Strength, pull
from clearhead.working.steps import Step, Working


def copy(problem: Problem) -> Laid:
    keys, values, j = problem.require("K", "V", "j")
    require_place("j", j, keys)
    return laid_out(problem, keys, values, Focus((j - 1,), f"v{j}", f"v{j}"))


def average(problem: Problem) -> Laid:
    keys, values, a, b = problem.require("K", "V", "a", "b")
    require_place("a", a, keys)
    require_place("b", b, keys)
    if a == b:
        raise InputError(f'given.a and given.b are both {a}; the average of one value is itself (question = "copy")')
    return laid_out(problem, keys, values, Focus((a - 1, b - 1), "mean", f"the average of v{a} and v{b}"))


def laid_out(problem: Problem, keys: Matrix, values: Matrix, focus: Focus) -> Laid:
    require_keys_and_values(keys, values)
    given = {"K": keys, "V": values}
    steps = []
    if ("lambda" in problem.given) == ("within" in problem.given):
        raise InputError("given needs either lambda, how far the query goes, or within, how close the result must come")
    if "lambda" in problem.given:
        given["lambda"] = problem.given["lambda"]
    else:
        if not is_orthonormal(keys):
            raise InputError(
                "given.within needs orthonormal keys (rows of K, perpendicular and of length 1); give lambda instead"
            )
        steps.append(strength_step(focus, problem.given["within"], keys.shape[0]))
    steps += focusing(focus, keys.shape[0])
    return Laid(
        given=given,
        steps=steps,
        answer=("q", "c", "distance"),
        labels={"K": (numbered("k", keys.shape[0]), ()), "V": (numbered("v", keys.shape[0]), ())},
        observe=lambda working: observe(working, focus, problem.given.get("within")),
    )


def strength_step(focus: Focus, within: Fraction, count: int) -> Step:
    shared, others = len(focus.rows), count - len(focus.rows)
    size = bracketed(plain(within))
    focused = ", ".join(str(i + 1) for i in focus.rows)
    inside = rf"\frac{{D}}{{{plain(within)}}} - {others}"
    if shared > 1:
        inside = rf"\frac{{1}}{{{shared}}} \left( {inside} \right)"
    return Step(
        name="lambda",
        formula=f"{focus.strength(f'D / {size}', count)}, D = ‖Σ (v_i - {focus.target})‖ over the other i",
        latex=rf"\ln \left( {inside} \right), "
        rf"\quad D = \left\| \sum_{{i \neq {focused}}} (v_i - {named(focus.target)}) \right\|",
        symbol=r"\lambda",
        why=f"With orthonormal keys the distance is D / {weight_below(shared, others)}; this λ makes it {plain(within)}.",
        needs=("K", "V"),
        rule=Strength(focus, within),
    )


def weight_below(shared: int, others: int) -> str:
    """What the exponentials add up to, where every key in focus scores λ and the others 0."""
    return f"({shared if shared > 1 else ''}e^λ + {others})"


def focusing(focus: Focus, count: int) -> list[Step]:
    """q, scores, weights, c, the target and the distance."""
    keys = numbered("k", count)
    q = Step(
        name="q",
        formula=f"λ·{focus.sum_of_keys}",
        latex=rf"\lambda \cdot {focus.latex}",
        why="A query along a key matches that key best; the longer it is, the more the best match wins."
        if len(focus.rows) == 1
        else "A query half-way between two keys matches both alike; the longer it is, the more these two win.",
        needs=("K", "lambda"),
        rule=Along(focus.rows),
    )
    scores = Step(
        name="scores",
        formula="q K^T",
        latex=r"q K^\top",
        symbol=named("scores"),
        why="The query is compared with each key by their dot product.",
        needs=("q", "K"),
        rule=ProductTransposed(),
        columns=keys,
    )
    weights = Step(
        name="weights",
        formula="softmax(scores)",
        latex=r"\mathrm{softmax}(\mathrm{scores})",
        symbol=named("weights"),
        why="The softmax turns the scores into shares that sum to 1.",
        needs=("scores",),
        rule=Softmax(),
        columns=keys,
    )
    c = Step(
        name="c",
        formula="weights V",
        latex=r"\mathrm{weights}\, V",
        why="The average of the values, weighted by the shares.",
        needs=("weights", "V"),
        rule=Product(),
    )
    return [q, scores, weights, c, target_step(focus), distance_step(focus)]


def target_step(focus: Focus) -> Step:
    names = [f"v_{{{i + 1}}}" for i in focus.rows]
    several = len(names) > 1
    return Step(
        name=focus.target,
        formula=f"(v{focus.rows[0] + 1} + v{focus.rows[1] + 1}) / 2" if several else f"row {focus.rows[0] + 1} of V",
        latex=rf"\frac{{{' + '.join(names)}}}{{2}}" if several else f"V_{{{focus.rows[0] + 1}}}",
        symbol=named(focus.target),
        why="What c should come close to.",
        needs=("V",),
        rule=MeanOfRows(focus.rows),
    )


def distance_step(focus: Focus) -> Step:
    return Step(
        name="distance",
        formula=f"‖c - {focus.target}‖",
        latex=rf"\left\| c - {named(focus.target)} \right\|",
        symbol=named("distance"),
        why=f"How close c comes to {focus.spoken}.",
        needs=("c", focus.target),
        rule=Distance(),
    )


def observe(working: Working, focus: Focus, within: Fraction | None) -> list[str]:
    """Why it works or not, the closed form where there is one, and whether the wanted closeness was reached."""
    keys, strength = working.values["K"], finite(working.values["lambda"].cell)
    said = closed_form(working, focus, strength) if is_orthonormal(keys) else [in_the_limit(keys, focus)]
    if within is not None:
        distance = working.values["distance"].cell
        reached = compare(finite(distance) - within, ZERO) <= 0
        verdict = f"is within the {plain(within)}" if reached else f"is just beyond the {plain(within)}"
        said.append(
            f"The distance {working.said(distance)} {verdict} that was asked for{'.' if reached else ', because of rounding.'}"
        )
    return said


def closed_form(working: Working, focus: Focus, strength: Exact) -> list[str]:
    count, shared = working.values["K"].shape[0], len(focus.rows)
    others = count - shared
    written = weight_below(shared, others)
    below = exp(strength) * shared + others
    pulled = pull(focus, working.values["V"])
    whose, each = ("each of the two keys", " each") if shared > 1 else ("its own key", "")
    said = [
        f"The keys are orthonormal, so the query scores λ for {whose} and 0 for all others: the weight is "
        f"e^λ / {written} = {working.said(exp(strength) / below)}{each}."
    ]
    if compare(pulled, ZERO) == 0:
        return [*said, f"The other values pull nowhere, so c is {focus.spoken} for every λ."]
    return [
        *said,
        f"So the distance is D / {written} = {working.said(pulled / below)} without rounding, where D = {working.said(pulled)} "
        f"is the length of the sum of v_i - {focus.target} over the other i: it goes to 0 as λ grows, but never gets there.",
    ]


def in_the_limit(keys: Matrix, focus: Focus) -> str:
    """What c goes to as λ grows, where the keys are not orthonormal."""
    direction = tuple(sum((finite(keys[i, c]) for i in focus.rows), start=ZERO) for c in range(keys.shape[1]))
    matches = tuple(dot(direction, row(keys, i)) for i in range(keys.shape[0]))
    best = largest(matches)
    names = " and ".join(f"k{i + 1}" for i in best)
    match = f"{names} match{'es' if len(best) == 1 else ''} the query best"
    if best == sorted(focus.rows):
        return f"The keys are not orthonormal, but {match}, so c goes to {focus.spoken} as λ grows."
    goal = " and ".join(f"v{i + 1}" for i in best)
    goal = goal if len(best) == 1 else f"the average of {goal}"
    return f"The keys are not orthonormal, and {match}: as λ grows c goes to {goal}, not to {focus.spoken}."


COPY = GeometryQuestion(given=("K", "V", "j", "lambda", "within"), lay_out=copy)
"""Which query copies one value?"""

AVERAGE = GeometryQuestion(given=("K", "V", "a", "b", "lambda", "within"), lay_out=average)
"""Which query averages two values?"""
