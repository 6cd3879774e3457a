"""Variants of a problem: drawn by a seed, kept where they are as hard, none twice."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from clearhead import examples
from clearhead.errors import ClearheadError, InputError
from clearhead.working.file_tree import read_tree
from clearhead.working.problem_file import load_problem, work
from clearhead.working.steps import Working
from clearhead.working.variants.convolution_sizes import drawn_filters, drawn_sizes
from clearhead.working.variants.drawn_givens import changed_places, drawn_given, moved_numbers
from clearhead.working.variants.fairness import why_not

MOST_TRIES = 400  # for one variant; afterwards milder changes are tried
MOST_VARIANTS = 1_000


Draw = Callable[[Mapping[str, Any], Random], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant: its number, the tree of its file, and its working."""

    number: int
    tree: Mapping[str, Any]
    working: Working


def vary(source: "str | Path | Mapping[str, Any]", count: int, seed: int = 0) -> Iterator[Variant]:
    """So many equally hard variants; the same seed gives the same ones, and more of them begin with the same.

    >>> [v.working.plan.kind for v in vary({"kind": "softmax", "given": {"z": [2, 1, 0]}}, 2)]
    ['softmax', 'softmax']
    """
    if not 1 <= count <= MOST_VARIANTS:
        raise InputError(f"count must be from 1 to {MOST_VARIANTS}, but is {count}")
    tree = source if isinstance(source, Mapping) else read_tree(examples.find(str(source), (".toml", ".json")))
    original = work(load_problem(tree))
    seen = {said(tree)}
    for number in range(1, count + 1):
        yield found_variant(tree, original, number, seed, seen)


def found_variant(tree: Mapping[str, Any], original: Working, number: int, seed: int, seen: set[str]) -> Variant:
    rng = Random(f"clearhead {seed} {number}")
    reasons: dict[str, int] = {}
    for draw in ways_of(tree):
        for _ in range(MOST_TRIES):
            fresh = draw(tree, rng)
            reason = "the same once more"
            if said(fresh) not in seen:
                try:
                    working = work(load_problem(fresh))
                    reason = why_not(original, working)
                except (ClearheadError, ArithmeticError) as error:
                    reason = str(error)
                if not reason:
                    seen.add(said(fresh))
                    return Variant(number, titled(fresh, number), work(load_problem(titled(fresh, number))))
            reasons[reason] = reasons.get(reason, 0) + 1
    most = max(reasons, key=lambda reason: reasons[reason])
    raise InputError(
        f"no variant {number} as hard as the original was found in {sum(reasons.values())} tries; most often refused "
        f"for: {most}. Ask for fewer, or give the problem a little more room"
    )


def ways_of(tree: Mapping[str, Any]) -> tuple[Draw, ...]:
    """How new problems are drawn: first freely, then with milder changes, at last with rates and starts moved too."""
    if tree.get("kind") == "convolution" and "input" in tree.get("given", {}):
        return drawn_sizes, drawn_filters
    return (
        lambda tree, rng: {**tree, "given": drawn_given(tree.get("given", {}), rng)},
        lambda tree, rng: {**tree, "given": changed_places(tree.get("given", {}), rng)},
        lambda tree, rng: {**tree, "given": moved_numbers(tree.get("given", {}), rng)},
    )


def titled(tree: Mapping[str, Any], number: int) -> dict[str, Any]:
    title = str(tree.get("title", tree.get("kind", "problem")))
    return {**tree, "title": f"{title} (variant {number})"}


def said(tree: Mapping[str, Any]) -> str:
    """Givens and options as one string, to know them again."""
    return json.dumps([tree.get("given", {}), tree.get("options", {})], sort_keys=True, default=str)
