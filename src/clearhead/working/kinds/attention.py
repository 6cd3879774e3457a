"""Self and cross attention: Q, K, V, scores, scaled, masked, weights, output, projected; one head or many."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, cast

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix
from clearhead.working.fields import read_matrix, read_names, read_temperature, read_vector, read_whole
from clearhead.working.kinds.attentions.head_steps import head_steps, projection, width_of
from clearhead.working.kinds.attentions.inputs import BIASES, WEIGHTS, labels_of, read_heads
from clearhead.working.kinds.attentions.options import AttentionSetting, mask_of, read_mask, read_scale
from clearhead.working.kinds.kind import Kind
from clearhead.working.observations import observe_maps
from clearhead.working.problem import Problem
from clearhead.working.steps import Labels, Plan

TEMPLATE = """\
kind = "attention"
title = "Self-attention over two tokens"

[given]                        # numbers may be written 3, -0.5 or "1/2"; decimals are exact
tokens = ["cat", "sat"]        # optional labels (tokens1 and tokens2 for two sequences)
X   = [[1, 0, 2], [0, 1, -1]]  # one row a token: self-attention
# X1 = ...                     # two sequences instead of X: queries from X1,
# X2 = ...                     # keys and values from X2 (cross-attention)
W_Q = [[1, 0], [0, 1], [1, 1]]
W_K = [[1, 1], [0, 1], [0, 1]]
W_V = [[2, 0], [0, 2], [1, 0]]
# W_O = [[1, 0], [0, 1]]       # optional: the output projection
# Q = ..., K = ..., V = ...    # given as they are, instead of X and the matrices that make them
# b_Q = [1, 0]                 # optional biases, one number a column: b_Q, b_K, b_V, b_O
# heads = 2                    # split the columns of Q, K and V into so many heads; or, with matrices for each:
# heads = [{W_Q = ..., W_K = ..., W_V = ...}, ...]

[options]
scale = true                   # divide the scores by the root of d_k; a number multiplies them instead
mask = "none"                  # or "causal": nobody looks ahead; "padding" with lengths = 3: only the first 3 keys are real;
                               # or a table, a row a query: 1 may look, 0 may not (or numbers to add, "-inf" among them)
temperature = 1                # 0 is the limit: the largest takes all, ties share equally
# round = 2                    # round every step to so many decimals; without it all is exact

[marks]                        # optional: what each step is worth; 1 each without it
weights = 2
"""


def plan(problem: Problem) -> Plan:
    given = dict(problem.given)
    if "X" in given and ("X1" in given or "X2" in given):
        raise InputError("given has both X and X1 or X2; give X for self-attention, X1 and X2 for cross-attention")
    queries, keys = ("X", "X") if "X1" not in given and "X2" not in given else ("X1", "X2")
    asked = first_of(given, queries, "Q", "X")
    found = first_of(given, keys, "K", "V", "X")
    setting = AttentionSetting(
        scale=problem.option("scale", True),
        mask=mask_of(problem.option("mask", "none"), problem.option("lengths", None), asked.shape[0], found.shape[0]),
        temperature=problem.option("temperature", Fraction(1)),
        queries=queries,
        keys=keys,
        query_labels=labels_of(given, "tokens" if queries == "X" else "tokens1", asked),
        key_labels=labels_of(given, "tokens" if keys == "X" else "tokens2", found),
    )
    givens, steps, maps = head_steps(problem, setting, given.get(queries), given.get(keys))
    if "W_O" in given:
        steps.append(projection(given, steps[-1], setting.query_labels, width_of(givens), "projected"))
        givens |= {name: given[name] for name in ("W_O", "b_O") if name in given}
    elif "b_O" in given:
        raise InputError("given.b_O needs given.W_O: it is the bias of the output projection")
    return Plan(
        kind="attention",
        title=problem.title,
        given=givens,
        steps=tuple(steps),
        answer=(steps[-1].name,),
        maps=tuple(maps),
        labels={queries: (setting.query_labels, ()), keys: (setting.key_labels, ()), **row_labels(setting, givens)},
        observe=observe_maps,
        marks=problem.marks,
    )


def first_of(given: Mapping[str, Any], *names: str) -> Matrix:
    """The first of some givens that is there: it says how many rows there are."""
    found = next((given[name] for name in names if name in given), None)
    if found is None:
        alone = next((name for name in ("Q", "K", "V") if name in given), None)
        lone = (
            f"; beside {alone} there must be {' and '.join(n for n in 'QKV' if n != alone)}, or X to make them from"
            if alone
            else ""
        )
        raise InputError(f"given.{names[-1 if alone else 0]} is missing{lone}; `clearhead kinds attention` prints a template")
    return cast(Matrix, found)


def row_labels(setting: AttentionSetting, givens: Mapping[str, Matrix]) -> dict[str, tuple[Labels, Labels]]:
    """The labels of Q, K, V and M, where they are given."""
    q, k = setting.query_labels, setting.key_labels
    labels: dict[str, tuple[Labels, Labels]] = {"Q": (q, ()), "K": (k, ()), "V": (k, ()), "M": (q, k)}
    return {name: both for name, both in labels.items() if name in givens}


KIND = Kind(
    given={
        "tokens": read_names,
        "tokens1": read_names,
        "tokens2": read_names,
        "X": read_matrix,
        "X1": read_matrix,
        "X2": read_matrix,
        "Q": read_matrix,
        "K": read_matrix,
        "V": read_matrix,
        **WEIGHTS,
        **BIASES,
        "W_O": read_matrix,
        "b_O": read_vector,
        "heads": read_heads,
    },
    options={
        "scale": read_scale,
        "mask": read_mask,
        "lengths": read_whole(1, 1000),
        "temperature": read_temperature,
    },
    template=TEMPLATE,
    plan=plan,
)
