"""Gradients by hand: the derivation in symbols, then forward, backward and one step of descent with the numbers."""

from fractions import Fraction
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.activations import ACTIVATIONS
from clearhead.exact.matrices import Matrix
from clearhead.working.fields import read_cell, read_choice, read_matrix, read_number, read_sequence, read_vector
from clearhead.working.kinds.gradients import MODELS
from clearhead.working.kinds.gradients.gradient_model import descent_line, descent_steps
from clearhead.working.kinds.gradients.layered_net import BIAS_NAMES, MATRIX_NAMES
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.steps import Plan

TEMPLATE = """\
kind = "gradient"
title = "Logistic regression with a penalty: the gradient and one step"

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
x = [1, 2, -1]
y = 1
w = [0.5, -0.5, 0.5]
# of = "softmax":  theta = [1, 2, 3] and y = [0, 1, 0]; the loss is cross-entropy after softmax(theta)
# of = "network":  x, y, W1, b1, W2, b2 of h = sigmoid(x W1 + b1), softmax(h W2 + b2); biases may be left out, and
#                  layers added (W3 b3 W4 b4 W5 b5 W6 b6 W7 b7 W8 b8 W9 b9); g = "relu", "tanh" or "identity" instead
# of = "rnn":      x = [1, 2], y = 0.5, w = 1, a = 1, g = "tanh" (or "sigmoid", "relu", "identity")
# of = "logistic": x, y = 0 or 1 (or -1 or 1), w

[options]
of = "logistic"                # or "softmax", "network", "rnn"
penalty = "max-norm"           # logistic only: "none", "l2" or "max-norm"
lambda = 0.1                   # adds lambda/2 times the squared length (l2) or the largest square (max-norm)
rate = 0.5                     # optional: also one step of descent, new_w = w - rate * d_w
# round = 2                    # round every step to so many decimals; without it all is exact
"""


def read_number_or_vector(raw: Any) -> Matrix:
    return read_vector(raw) if isinstance(raw, list) else read_number(raw)


def read_rate(raw: Any) -> Fraction:
    value = read_cell(raw)
    if value <= 0:
        raise InputError(f"must be more than 0, but is {value}")
    return value


def read_strength(raw: Any) -> Fraction:
    value = read_cell(raw)
    if value < 0:
        raise InputError(f"must be 0 or more, but is {value}")
    return value


def plan(problem: Problem) -> Plan:
    if "of" not in problem.options:
        raise InputError(f"options.of is missing; it says which gradient: {', '.join(MODELS)}")
    of = problem.options["of"]
    model = MODELS[of]
    for where, found, known in (
        ("given", problem.given, model.given),
        ("options", problem.options, ("of", "rate", "round", *model.options)),
    ):
        foreign = next((key for key in found if key not in known), None)
        if foreign is not None:
            raise InputError(f'{where}.{foreign} has no place where of = "{of}"; it takes {", ".join(known)}')
    derived = model.derive(problem)
    lines, steps = list(derived.lines), list(derived.steps)
    answer = [f"d_{name}" for name in derived.wanted]
    if "rate" in problem.options:
        lines.append(descent_line(len(lines) + 1, derived.parameters))
        steps += descent_steps(derived.parameters, problem.options["rate"])
        answer += [f"new_{name}" for name in derived.parameters]
    return Plan(
        kind="gradient",
        title=problem.title,
        given=derived.given,
        steps=(*lines, *steps),
        answer=tuple(answer),
        observe=derived.observe,
        marks=problem.marks,
    )


KIND = Kind(
    given={
        "theta": read_vector,
        "x": read_sequence,
        "y": read_number_or_vector,
        "w": read_number_or_vector,
        "a": read_number,
        "g": read_choice(*ACTIVATIONS),
        **dict.fromkeys(MATRIX_NAMES, read_matrix),
        **dict.fromkeys(BIAS_NAMES, read_vector),
    },
    options={
        "of": read_choice(*MODELS),
        "penalty": read_choice("none", "l2", "max-norm"),
        "lambda": read_strength,
        "rate": read_rate,
    },
    template=TEMPLATE,
    plan=plan,
)
