"""The geometry of attention: copying a value, projecting one out of a sum, averaging two, one head against two."""

from fractions import Fraction
from typing import Any

from clearhead.errors import InputError
from clearhead.working.fields import read_cell, read_choice, read_matrix, read_number, read_vector, read_whole
from clearhead.working.kinds.geometries import QUESTIONS
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.steps import Plan

TEMPLATE = """\
kind = "geometry"
title = "Which query copies the second value?"

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
K = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]   # one key a row
V = [[1, 0], [0, 2], [3, 1]]            # its value
j = 2                          # the value to copy, counted from 1: q = lambda * k_j
lambda = 5                     # how long the query is; or, for orthonormal keys,
# within = 0.01                # how close c must come: the lambda is found
# question = "average": K, V, a, b (two values) and lambda or within; q = lambda * (k_a + k_b)
# question = "project": A and B (their columns are bases), v_a, v_b; M = A A^T applied to v_a + v_b
# question = "heads":   K (orthonormal means), V, a, b, lambda; gamma = [-0.5, 0, 0.5], variance = 0.5

[options]
question = "copy"              # or "project", "average", "heads"
# samples = 10000              # heads only: how many keys are drawn
# seed = 0                     # heads only: which ones
# round = 2                    # round every step to so many decimals; without it all is exact
"""


def read_positive(raw: Any) -> Fraction:
    value = read_cell(raw)
    if value <= 0:
        raise InputError(f"must be more than 0, but is {value}")
    return value


def plan(problem: Problem) -> Plan:
    if "question" not in problem.options:
        raise InputError(f"options.question is missing; it is one of {', '.join(QUESTIONS)}")
    asked = problem.options["question"]
    question = QUESTIONS[asked]
    for where, found, known in (
        ("given", problem.given, question.given),
        ("options", problem.options, ("question", "round", *question.options)),
    ):
        foreign = next((key for key in found if key not in known), None)
        if foreign is not None:
            raise InputError(f'{where}.{foreign} has no place where question = "{asked}"; it takes {", ".join(known)}')
    laid = question.lay_out(problem)
    return Plan(
        kind="geometry",
        title=problem.title,
        given=laid.given,
        steps=tuple(laid.steps),
        answer=laid.answer,
        labels=laid.labels,
        observe=laid.observe,
        marks=problem.marks,
    )


KIND = Kind(
    given={
        "K": read_matrix,
        "V": read_matrix,
        "j": read_whole(1, 1000),
        "a": read_whole(1, 1000),
        "b": read_whole(1, 1000),
        "lambda": read_number,
        "within": read_positive,
        "A": read_matrix,
        "B": read_matrix,
        "v_a": read_vector,
        "v_b": read_vector,
        "gamma": read_vector,
        "variance": read_positive,
    },
    options={
        "question": read_choice(*QUESTIONS),
        "samples": read_whole(2, 50_000),
        "seed": read_whole(0, 10**9),
    },
    template=TEMPLATE,
    plan=plan,
)
