"""Formulas as labels: softmax(QK^T/√d_k)V names the output, however its parts are spelled and whatever the options say."""

import re
from collections.abc import Callable

Role = tuple[str, str]
"""What a step does (scores, weights, output, …) and the number of its head."""

OVER_ROOT = re.compile(r"(.+)/√(?:d_k|d|dk|d_head|\d{1,4})")
PLUS_MASK = re.compile(r"(.+)\+(?:M|mask|Mask)")
TIMES_VALUES = re.compile(r"(.+)V(?:[_^]?\d{1,2})?")
TIMES_PROJECTION = re.compile(r"(.+)W[_^]?[Oo]")
TIMES_EMBEDDING = re.compile(r"(.+)E\^T")
SCORES = ("scores", "scaled", "masked")
RULES: tuple[tuple[re.Pattern[str], tuple[str, ...], str], ...] = (
    (re.compile(r"(?:row)?(?:softmax|argmax)(.+)", re.IGNORECASE), SCORES, "weights"),
    (re.compile(r"softmax(.+)", re.IGNORECASE), ("logits",), "probabilities"),
    (OVER_ROOT, ("scores",), "scaled"),
    (PLUS_MASK, SCORES, "masked"),
    (TIMES_VALUES, ("weights",), "output"),
    (TIMES_PROJECTION, ("output", "heads"), "projected"),
    (TIMES_EMBEDDING, ("projected",), "logits"),
)
"""Pattern, what its inside must be, and what the whole then is."""


def formula_role(label: str, role_of: Callable[[str], Role | None], depth: int = 0) -> Role | None:
    """The role of a canonical formula, given the roles of its parts.

    >>> formula_role("softmaxQK^T/√d_k", {"QK^T": ("scores", "")}.get)
    ('weights', '')
    """
    if depth > 6:
        return None
    for pattern, insides, outside in RULES:
        match = pattern.fullmatch(label)
        if match is None:
            continue
        inner = role_of(match[1]) or formula_role(match[1], role_of, depth + 1)
        if inner is not None and inner[0] in insides:
            return outside, inner[1]
    return None


def role_named(base: str, head: str, several: bool) -> Role:
    """The role of a step by its name: a decoder calls the output Z and the projection R."""
    if base == "Z":
        return ("heads" if several and not head else "output"), head
    return ("projected" if base == "R" else base), head
