"""Random problems of attention and of a one-layer decoder, with the slips that can happen on the way."""

from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from oracle.drawing import listed, rounding, table
from oracle.rows import (
    averaged,
    hide_later,
    masked_late,
    over,
    over_root,
    side_by_side,
    softmax,
    softmax_down,
    surprise,
    surprises,
    times,
    times_terms,
    times_transposed,
    times_transposed_terms,
    unchanged,
)
from oracle.stages import Posed, Rows, RuleSlip, Stage


@dataclass(frozen=True)
class Sizes:
    """How large the tables of one attention are, and what its options say."""

    n_q: int
    n_k: int
    width: int
    d_k: int
    d_v: int
    heads: int  # 0: one head, not numbered
    scale: bool
    causal: bool
    temperature: Fraction


def random_sizes(rng: Random, n: int, cross: bool, causal: bool) -> Sizes:
    n_k = rng.randint(2, 4) if cross else n
    return Sizes(
        n_q=n,
        n_k=n_k,
        width=rng.randint(2, 3),
        d_k=rng.choice([1, 2, 2, 3, 4, n_k]),
        d_v=rng.randint(1, 3),
        heads=rng.choice([0, 0, 2, 2, 3]),
        scale=rng.random() < 0.75,
        causal=causal,
        temperature=rng.choice([Fraction(1)] * 4 + [Fraction(2), Fraction(1, 2), Fraction(0)]),
    )


def attention_options(rng: Random, sizes: Sizes, default_mask: str) -> dict[str, Any]:
    options: dict[str, Any] = {} if sizes.scale and rng.random() < 0.5 else {"scale": sizes.scale}
    mask = "causal" if sizes.causal else "none"
    if mask != default_mask or rng.random() < 0.3:
        options["mask"] = mask
    if sizes.temperature != 1:
        options["temperature"] = f"{sizes.temperature}"
    return options


def attention_stages(sizes: Sizes, queries: str, keys: str, output: str) -> tuple[list[Stage], list[RuleSlip]]:
    """Every head from Q to its output, their concatenation, and the slips that can happen on the way."""
    stages: list[Stage] = []
    per_head: list[list[RuleSlip]] = []
    numbers = [str(h) for h in range(1, sizes.heads + 1)] or [""]
    for h in numbers:
        slips: list[RuleSlip] = []
        stages += [
            Stage(f"Q{h}", (queries, f"W_Q{h}"), times, times_terms),
            Stage(f"K{h}", (keys, f"W_K{h}"), times, times_terms),
            Stage(f"V{h}", (keys, f"W_V{h}"), times, times_terms),
            Stage(f"scores{h}", (f"Q{h}", f"K{h}"), times_transposed, times_transposed_terms),
        ]
        if sizes.n_k == sizes.d_k:
            slips.append(RuleSlip("no-transpose", {f"scores{h}": times}))
        if sizes.scale:
            stages.append(Stage(f"scaled{h}", (stages[-1].name,), over_root(sizes.d_k), signed=True))
            for name, make in (("no-scale", unchanged), ("d_k", over(sizes.d_k))):
                slips.append(RuleSlip(name, {f"scaled{h}": make}))
                slips.append(RuleSlip(name, {f"scaled{h}": make}, frozenset({f"scaled{h}"})))
        if sizes.causal:
            stages.append(Stage(f"masked{h}", (stages[-1].name,), hide_later))
            slips.append(RuleSlip("no-mask", {f"masked{h}": unchanged}))
            slips.append(RuleSlip("no-mask", {f"masked{h}": unchanged}, frozenset({f"masked{h}"})))
            late = {f"masked{h}": unchanged, f"weights{h}": masked_late(sizes.temperature)}
            slips.append(RuleSlip("late-mask", late, frozenset({f"masked{h}"})))
        stages.append(Stage(f"weights{h}", (stages[-1].name,), softmax(sizes.temperature)))
        slips.append(RuleSlip("columns", {f"weights{h}": softmax_down(sizes.temperature)}))
        stages.append(Stage(f"{output}{h}", (f"weights{h}", f"V{h}"), times, times_terms))
        per_head.append(slips)
    found = [slip for slips in per_head for slip in slips]
    if sizes.heads:
        joined = "heads" if output == "output" else output
        outputs = tuple(f"{output}{h}" for h in numbers)
        stages.append(Stage(joined, outputs, side_by_side))
        found += [merged(several) for several in zip(*per_head, strict=True)]
        found.append(RuleSlip("heads-averaged", {joined: averaged}, last=joined))
        found.append(RuleSlip("heads-order", {joined: lambda *heads: side_by_side(*heads[::-1])}))
    return stages, found


def merged(slips: tuple[RuleSlip, ...]) -> RuleSlip:
    """The same slip in every head."""
    changes = {step: make for slip in slips for step, make in slip.changes.items()}
    return replace(slips[0], changes=changes, unwritten=frozenset().union(*(slip.unwritten for slip in slips)))


def random_weights(rng: Random, sizes: Sizes, given: dict[str, Rows], tree: dict[str, Any]) -> None:
    tables = []
    for h in [str(h) for h in range(1, sizes.heads + 1)] or [""]:
        shapes = {"W_Q": sizes.d_k, "W_K": sizes.d_k, "W_V": sizes.d_v}
        found = {name: table(rng, sizes.width, columns) for name, columns in shapes.items()}
        given |= {f"{name}{h}": rows for name, rows in found.items()}
        tables.append({name: listed(rows) for name, rows in found.items()})
    tree["given"] |= {"heads": tables} if sizes.heads else tables[0]


def pose_attention(rng: Random) -> Posed:
    cross = rng.random() < 0.25
    n = rng.randint(2, 4)
    sizes = random_sizes(rng, n, cross, causal=not cross and rng.random() < 0.4)
    options = attention_options(rng, sizes, "none")
    decimals = rounding(rng, options)
    tree: dict[str, Any] = {"kind": "attention", "given": {}, "options": options}
    names = ("X1", "X2") if cross else ("X", "X")
    given = {name: table(rng, rows, sizes.width) for name, rows in zip(names, (sizes.n_q, sizes.n_k), strict=True)}
    tree["given"] = {name: listed(rows) for name, rows in given.items()}
    random_weights(rng, sizes, given, tree)
    stages, slips = attention_stages(sizes, *names, "output")
    if rng.random() < 0.4:
        add_projection(rng, given, tree, stages, slips, rng.choice([1, 2, n]), "projected", n)
    return Posed(tree, given, stages, decimals, slips)


def add_projection(
    rng: Random,
    given: dict[str, Rows],
    tree: dict[str, Any],
    stages: list[Stage],
    slips: list[RuleSlip],
    columns: int,
    name: str,
    n: int,
) -> None:
    width = sum(len(rows[0]) for key, rows in given.items() if key.startswith("W_V"))
    given["W_O"] = table(rng, width, columns)
    tree["given"]["W_O"] = listed(given["W_O"])
    stages.append(Stage(name, (stages[-1].name, "W_O"), times, times_terms))
    if width == columns == n:
        slips.append(RuleSlip("w_o-side", {name: lambda z, w_o: times(w_o, z)}))


def pose_decoder(rng: Random) -> Posed:
    n = rng.randint(3, 4)
    sizes = random_sizes(rng, n, cross=False, causal=rng.random() < 0.85)
    options = attention_options(rng, sizes, "causal")
    decimals = rounding(rng, options)
    if decimals == 1:
        decimals = options["round"] = 3  # one decimal makes most losses infinite
    predict = rng.choice(["", "next", "next", "own"])
    options |= {"predict": predict} if predict else {}
    vocabulary = ["A", "B", "C", "D"][: rng.randint(2, 4)]
    order = [rng.randrange(len(vocabulary)) for _ in range(n)]
    answer = rng.randint(1, n - 1)
    given = {"E": table(rng, len(vocabulary), sizes.width)}
    tree: dict[str, Any] = {"kind": "decoder", "options": options}
    tree["given"] = {
        "vocabulary": vocabulary,
        "E": listed(given["E"]),
        "tokens": [vocabulary[k] for k in order],
        "answer": answer,
    }
    random_weights(rng, sizes, given, tree)
    stages, slips = attention_stages(sizes, "X", "X", "Z")
    stages.insert(0, Stage("X", ("E",), lambda e: [e[k] for k in order]))
    if sizes.d_v * max(sizes.heads, 1) != sizes.width or rng.random() < 0.5:
        add_projection(rng, given, tree, stages, slips, sizes.width, "R", n)
    places = {"next": [(t - 1, order[t]) for t in range(n - answer, n)], "own": [(t, order[t]) for t in range(n - answer, n)]}
    right = places["own" if predict == "own" else "next"]
    stages.append(Stage("logits", (stages[-1].name, "E"), times_transposed, times_transposed_terms))
    stages.append(Stage("probabilities", ("logits",), softmax(Fraction(1))))
    stages.append(Stage("loss", ("probabilities",), surprise(right), surprises(right), rank=0))
    slips.append(RuleSlip("columns", {"probabilities": softmax_down(Fraction(1))}))
    slips += [RuleSlip("log-base", {"loss": surprise(right, base)}) for base in (2.0, 10.0)]
    if predict == "next":
        slips.append(RuleSlip("own-position", {"loss": surprise(places["own"])}))
    return Posed(tree, given, stages, decimals, slips)
