"""The generator of workings agrees with clearhead on every right number, and its wrong ones are wrong where it says."""

import math
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from clearhead.exact.decimals import as_float
from clearhead.working import load_problem, work
from clearhead.working.kinds import KINDS
from clearhead.working.kinds.geometries import QUESTIONS
from clearhead.working.kinds.gradients import MODELS
from oracle.posing import FORMS, posed
from oracle.stages import Again, evaluated
from oracle.workings import CANNOT, KINDS_OF, right_workings, wrong_workings

CONTRACT = """
no-scale d_k no-transpose columns no-mask late-mask sign product swapped-rows swapped-columns heads-averaged heads-order
w_o-side own-position log-base shape
"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rounding", [False, True])
def test_two_independent_workings_agree(form: str, rounding: bool) -> None:
    rng = Random(f"{form} {rounding}")
    compared = 0
    while compared < 25:
        try:
            problem = posed(rng, form)
            right = evaluated(problem, rounding=rounding)
        except Again:
            continue
        working = work(load_problem(problem.tree), round=None if rounding else "exact")
        assert [step.name for step in working.plan.steps if step.rule is not None] == [stage.name for stage in problem.stages]
        for stage in problem.stages:
            for row, line in zip(right[stage.name], working.values[stage.name].rows, strict=True):
                for x, cell in zip(row, line, strict=True):
                    exactly = isinstance(x, Fraction) or math.isinf(x)
                    assert cell == x if exactly else math.isclose(as_float(cell), x, rel_tol=1e-9, abs_tol=1e-12)
        compared += 1


def test_every_slip_of_the_contract_is_made() -> None:
    assert set(KINDS_OF) == set(CONTRACT.split())
    made = {(wrong.slip, wrong.form) for wrong in wrong_workings(1, seed=3)}
    assert made == {(slip, form) for slip in KINDS_OF for form in FORMS if form not in CANNOT[slip]}


def test_the_forms_are_those_of_the_kinds() -> None:
    """Every kind that slips are made for, and every gradient and question, is posed; the others have oracles of their own."""
    elsewhere = {"formula", "bpe", "beam"}
    assert {form.split()[0] for form in FORMS} == set(KINDS) - elsewhere
    assert {form.split()[1] for form in FORMS if form.startswith("gradient")} == set(MODELS)
    assert {form.split()[1] for form in FORMS if form.startswith("geometry")} == set(QUESTIONS)


def test_the_same_seed_makes_the_same_workings() -> None:
    assert list(right_workings(20, seed=5)) == list(right_workings(20, seed=5))
    assert list(right_workings(20, seed=5)) != list(right_workings(20, seed=6))
    assert list(islice(wrong_workings(1, seed=5), 8)) == list(islice(wrong_workings(1, seed=5), 8))
