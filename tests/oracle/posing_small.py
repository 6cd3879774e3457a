"""Random problems of softmax, perplexity and convolution."""

import math
from fractions import Fraction
from random import Random
from typing import Any

from oracle.drawing import entry, listed, rounding
from oracle.rows import each, softmax, total
from oracle.sliding import starts
from oracle.stages import Again, Make, Number, Posed, Rows, RuleSlip, Stage, Term, Terms


def pose_softmax(rng: Random) -> Posed:
    given = {"z": [[entry(rng) for _ in range(rng.randint(2, 5))]]}
    temperature = rng.choice([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(0)])
    options: dict[str, Any] = {} if temperature == 1 else {"temperature": f"{temperature}"}
    decimals = rounding(rng, options)
    tree = {"kind": "softmax", "given": {"z": listed(given["z"])[0]}, "options": options}
    if temperature == 0:
        return Posed(tree, given, [Stage("probabilities", ("z",), softmax(temperature), rank=1)], decimals)
    stages = [] if temperature == 1 else [Stage("scaled", ("z",), each(lambda x: x / temperature), rank=1, signed=True)]
    source = stages[-1].name if stages else "z"
    powers = each(lambda x: Fraction(1) if x == 0 else math.exp(x))
    stages.append(Stage("exponentials", (source,), powers, rank=1))
    stages.append(Stage("sum", ("exponentials",), lambda rows: [[total(rows[0])]], cells_of, rank=0))
    stages.append(Stage("probabilities", ("exponentials", "sum"), divided, rank=1))
    return Posed(tree, given, stages, decimals)


def cells_of(i: int, j: int, rows: Rows) -> list[Term]:
    return [(Fraction(1), [(0, r, c)]) for r, row in enumerate(rows) for c in range(len(row))]


def divided(rows: Rows, whole: Rows) -> Rows:
    if not whole[0][0]:
        raise Again
    return [[x / whole[0][0] for x in rows[0]]]


def pose_perplexity(rng: Random) -> Posed:
    chances: Rows = [[Fraction(rng.randint(1, 19), rng.choice([20, 32, 40])) for _ in range(rng.randint(2, 5))]]
    base = rng.choice([None, 2, 10])
    options: dict[str, Any] = {} if base is None else {"base": base}
    decimals = rounding(rng, options)
    tree = {"kind": "perplexity", "given": {"probabilities": listed(chances)[0]}, "options": options}
    size = math.e if base is None else float(base)

    def mean_log(b: float) -> Make:
        return lambda rows: [[math.fsum(math.log(p) for p in rows[0]) / math.log(b) / len(rows[0])]]

    def logs(i: int, j: int, rows: Rows) -> list[Term]:
        return [(math.log(p) / math.log(size) / len(rows[0]), []) for p in rows[0]]

    stages = [
        Stage("mean_log", ("probabilities",), mean_log(size), logs, rank=0),
        Stage("perplexity", ("mean_log",), each(lambda x: size ** -float(x)), rank=0),
    ]
    slips = [RuleSlip("log-base", {"mean_log": mean_log(b)}) for b in (2.0, math.e, 10.0) if b != size]
    return Posed(tree, {"probabilities": chances}, stages, decimals, slips)


def pose_convolution(rng: Random) -> Posed:
    """One layer, or a chain of two or three; the sizes are counted by pushing the window along."""
    size: Rows = [[Fraction(rng.randint(1, 4)), Fraction(rng.randint(7, 20)), Fraction(rng.randint(7, 20))]]
    chain = rng.random() < 0.5
    layers = [random_layer(rng) for _ in range(rng.randint(2, 3) if chain else 1)]
    options: dict[str, Any] = {"layers": layers} if chain else dict(layers[0])
    decimals = rounding(rng, options)
    tree = {"kind": "convolution", "given": {"input": [int(x) for x in size[0]]}, "options": options}
    stages: list[Stage] = []
    source = "input"
    for position, layer in enumerate(layers, start=1):
        suffix = str(position) if chain else ""
        stages.append(Stage(f"size{suffix}", (source,), slid(layer), rank=1))
        stages.append(Stage(f"weights{suffix}", (source,), *counted(layer), rank=0))
        source = f"size{suffix}"
    if chain:
        names = tuple(f"weights{position}" for position in range(1, len(layers) + 1))

        def parts(i: int, j: int, *counts: Rows) -> list[Term]:
            return [(Fraction(1), [(n, 0, 0)]) for n in range(len(counts))]

        stages.append(Stage("weights", names, lambda *counts: [[total([c[0][0] for c in counts])]], parts, rank=0))
    return Posed(tree, {"input": size}, stages, decimals)


def random_layer(rng: Random) -> dict[str, Any]:
    pooling = rng.random() < 0.35
    layer: dict[str, Any] = {"kernel": [rng.randint(1, 4), rng.randint(1, 4)]}
    layer |= {"op": rng.choice(["max", "average"])} if pooling else {"filters": rng.randint(1, 16)}
    if not pooling and rng.random() < 0.5:
        layer["bias"] = rng.random() < 0.5
    if rng.random() < 0.5:
        layer["stride"] = [rng.randint(1, 3), rng.randint(1, 3)]
    if rng.random() < 0.4:
        layer["padding"] = [rng.randint(0, 2), rng.randint(0, 2)]
    return layer


def slid(layer: dict[str, Any]) -> Make:
    def make(rows: Rows) -> Rows:
        channels, *lengths = rows[0]
        sizes: list[Number] = []
        stride = layer.get("stride", layer["kernel"] if "op" in layer else [1, 1])
        for length, kernel, step, padding in zip(lengths, layer["kernel"], stride, layer.get("padding", [0, 0]), strict=True):
            if length != int(length) or length < 1:
                raise Again
            sizes.append(Fraction(len(starts(int(length), kernel, step, padding, 1))))
        if not all(sizes):
            raise Again
        return [[Fraction(layer.get("filters", channels)), *sizes]]

    return make


def counted(layer: dict[str, Any]) -> tuple[Make, Terms | None]:
    """How many weights a layer has; a pooling has none."""
    if "op" in layer:
        return lambda rows: [[Fraction(0)]], None
    area = layer["kernel"][0] * layer["kernel"][1]
    biases = layer["filters"] if layer.get("bias", True) else 0

    def terms(i: int, j: int, rows: Rows) -> list[Term]:
        return [(Fraction(layer["filters"] * area), [(0, 0, 0)]), *([(Fraction(biases), [])] if biases else [])]

    def make(rows: Rows) -> Rows:
        if rows[0][0] != int(rows[0][0]) or rows[0][0] < 1:
            raise Again
        return [[layer["filters"] * area * rows[0][0] + biases]]

    return make, terms
