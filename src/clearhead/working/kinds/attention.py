"""Self and cross attention: Q, K, V, scores, scaled, masked, weights, output, projected; one head or many."""

from fractions import Fraction

from clearhead.errors import InputError
from clearhead.working.attention_steps import WEIGHTS, AttentionSetting, head_steps, labels_of, projection, width_of
from clearhead.working.fields import read_choice, read_flag, read_matrix, read_names, read_tables, read_temperature
from clearhead.working.kinds.kind import Kind
from clearhead.working.observations import observe_maps
from clearhead.working.problem import Problem
from clearhead.working.steps import Plan

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
# heads = [{W_Q = ..., W_K = ..., W_V = ...}, ...]   # several heads instead of W_Q, W_K, W_V

[options]
scale = true                   # divide the scores by the root of d_k
mask = "none"                  # or "causal": nobody looks ahead
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
    x1, x2 = problem.require(queries, keys)
    setting = AttentionSetting(
        scale=problem.option("scale", True),
        causal=problem.option("mask", "none") == "causal",
        temperature=problem.option("temperature", Fraction(1)),
        queries=queries,
        keys=keys,
        query_labels=labels_of(given, "tokens" if queries == "X" else "tokens1", x1),
        key_labels=labels_of(given, "tokens" if keys == "X" else "tokens2", x2),
    )
    if setting.causal and x1.shape[0] != x2.shape[0]:
        raise InputError(
            f'options.mask: "causal" needs as many queries as keys: {queries} has {x1.shape[0]} rows, {keys} has {x2.shape[0]}'
        )
    givens, steps, maps = head_steps(problem, setting, x1, x2)
    if "W_O" in given:
        steps.append(projection(given["W_O"], steps[-1], setting.query_labels, width_of(givens), "projected"))
        givens["W_O"] = given["W_O"]
    return Plan(
        kind="attention",
        title=problem.title,
        given=givens,
        steps=tuple(steps),
        answer=(steps[-1].name,),
        maps=tuple(maps),
        labels={queries: (setting.query_labels, ()), keys: (setting.key_labels, ())},
        observe=observe_maps,
        marks=problem.marks,
    )


KIND = Kind(
    given={
        "tokens": read_names,
        "tokens1": read_names,
        "tokens2": read_names,
        "X": read_matrix,
        "X1": read_matrix,
        "X2": read_matrix,
        **WEIGHTS,
        "W_O": read_matrix,
        "heads": read_tables(dict(WEIGHTS)),
    },
    options={
        "scale": read_flag,
        "mask": read_choice("none", "causal"),
        "temperature": read_temperature,
    },
    template=TEMPLATE,
    plan=plan,
)
