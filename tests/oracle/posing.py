"""Random problems, and their steps in plain arithmetic: fractions where numbers are rational, float64 where they are not.

Written from the formulas, for making workings to mark; knows nothing of clearhead. A problem is a chain of stages, each a
function of earlier rows of numbers, so that a slip is one stage done differently.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from operator import mul
from random import Random
from typing import Any, TypeAlias

Number: TypeAlias = Fraction | float
Rows: TypeAlias = list[list[Number]]
Make: TypeAlias = Callable[..., Rows]


class Again(Exception):
    """This draw is of no use (a tie that float64 cannot see, an infinite loss): draw another."""


@dataclass(frozen=True)
class Stage:
    """One named step: what it needs and how it is made; `product` says that cells are sums of products, and of which kind."""

    name: str
    needs: tuple[str, ...]
    make: Make
    product: str = ""  # "AB" or "ABt"


@dataclass(frozen=True)
class Posed:
    """A problem file's tree, the numbers in it, and its stages."""

    tree: dict[str, Any]
    given: dict[str, Rows]
    stages: list[Stage]
    decimals: int | None = None  # of options.round
    slips: list["RuleSlip"] = field(default_factory=list)

    def stage(self, name: str) -> Stage:
        return next(stage for stage in self.stages if stage.name == name)


@dataclass(frozen=True)
class RuleSlip:
    """A slip that is a wrong rule: stages done differently, steps that nobody then writes, and where the person stops."""

    name: str
    changes: dict[str, Make]
    unwritten: frozenset[str] = frozenset()
    last: str = ""  # where the sizes no longer fit, the working ends here


def evaluated(
    posed: Posed, changes: Mapping[str, Make] | None = None, *, rounding: bool = False, last: str = ""
) -> dict[str, Rows]:
    """Every stage in order, with some done differently; each rounded once where the person rounds every step."""
    values = dict(posed.given)
    for stage in posed.stages:
        make = (changes or {}).get(stage.name, stage.make)
        rows = make(*(values[name] for name in stage.needs))
        if rounding and posed.decimals is not None:
            rows = [[settled(x, posed.decimals) for x in row] for row in rows]
        values[stage.name] = rows
        if stage.name == last:
            break
    return values


def settled(x: Number, decimals: int) -> Number:
    """Half away from zero; a float too close to a tie is refused."""
    if isinstance(x, float) and math.isinf(x):
        return x
    scaled = abs(x) * 10**decimals
    if isinstance(scaled, float):
        if abs(scaled % 1 - 0.5) < 1e-6:
            raise Again
        whole = math.floor(scaled + 0.5)
    else:
        whole = math.floor(scaled + Fraction(1, 2))
    return Fraction(-whole if x < 0 else whole, 10**decimals)


# ── the arithmetic ──────────────────────────────────────────────────────────────────────────────────────────────────


def times(a: Rows, b: Rows) -> Rows:
    return times_transposed(a, turned(b))


def times_transposed(a: Rows, b: Rows) -> Rows:
    if any(isinstance(x, float) for rows in (a, b) for row in rows for x in row):
        return [[total([x * y for x, y in zip(row, other, strict=True)]) for other in b] for row in a]
    above, top = whole_numbers(a)
    below, bottom = whole_numbers(b)
    return [[Fraction(sum(map(mul, row, other)), top * bottom) for other in below] for row in above]


def whole_numbers(rows: Rows) -> tuple[list[list[int]], int]:
    """The same numbers times the one denominator that makes all of them whole."""
    common = math.lcm(*{Fraction(x).denominator for row in rows for x in row})
    return [[int(x * common) for x in row] for row in rows], common


def total(parts: list[Number]) -> Number:
    exact = sum((x for x in parts if isinstance(x, Fraction)), Fraction(0))
    inexact = [x for x in parts if isinstance(x, float)]
    return math.fsum([*inexact, float(exact)]) if inexact else exact


def each(change: Callable[[Number], Number]) -> Make:
    return lambda rows: [[change(x) for x in row] for row in rows]


def over_root(d_k: int) -> Make:
    root = math.isqrt(d_k)
    if root * root == d_k:
        return each(lambda x: x / root)
    return each(lambda x: Fraction(0) if x == 0 else float(x) / math.sqrt(d_k))


def over(d_k: int) -> Make:
    return each(lambda x: x / d_k)


def unchanged(rows: Rows) -> Rows:
    return rows


def masked_late(temperature: Fraction) -> Make:
    return lambda rows: zero_later(softmax(temperature)(rows))


def hide_later(rows: Rows) -> Rows:
    return [[x if j <= i else -math.inf for j, x in enumerate(row)] for i, row in enumerate(rows)]


def zero_later(rows: Rows) -> Rows:
    return [[x if j <= i else Fraction(0) for j, x in enumerate(row)] for i, row in enumerate(rows)]


def softmax_row(row: list[Number], temperature: Fraction) -> list[Number]:
    largest = max(row)
    best = [j for j, x in enumerate(row) if x == largest]
    seen = [x for x in row if x != -math.inf]
    if temperature == 0 or len(best) == len(seen):
        return [Fraction(1, len(best)) if j in best else Fraction(0) for j in range(len(row))]
    powers = [math.exp((x - largest) / temperature) if x != -math.inf else 0.0 for x in row]
    whole = math.fsum(powers)
    return [p / whole if x != -math.inf else Fraction(0) for p, x in zip(powers, row, strict=True)]


def softmax(temperature: Fraction) -> Make:
    return lambda rows: [softmax_row(row, temperature) for row in rows]


def softmax_down(temperature: Fraction) -> Make:
    return lambda rows: turned([softmax_row(column, temperature) for column in turned(rows)])


def turned(rows: Rows) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def side_by_side(*heads: Rows) -> Rows:
    return [[x for part in parts for x in part] for parts in zip(*heads, strict=True)]


def averaged(*heads: Rows) -> Rows:
    return [[total(list(cells)) / len(heads) for cells in zip(*parts, strict=True)] for parts in zip(*heads, strict=True)]


def surprise(places: list[tuple[int, int]], base: float = math.e) -> Make:
    def make(rows: Rows) -> Rows:
        chances = [float(rows[i][j]) for i, j in places]
        if min(chances) < 1e-12:
            raise Again
        return [[-math.fsum(math.log(p) for p in chances) / math.log(base)]]

    return make


# ── random problems ─────────────────────────────────────────────────────────────────────────────────────────────────


def entry(rng: Random) -> Fraction:
    return Fraction(rng.choice([-3, -2, -1, -1, 0, 0, 1, 1, 2, 3]), rng.choice([1, 1, 1, 1, 1, 2, 4, 10]))


def table(rng: Random, rows: int, columns: int) -> Rows:
    return [[entry(rng) for _ in range(columns)] for _ in range(rows)]


def listed(rows: Rows) -> list[list[Any]]:
    """As a problem file writes them."""
    return [[int(x) if x == int(x) else f"{Fraction(x)}" for x in row] for row in rows]


def posed(rng: Random, kind: str = "") -> Posed:
    """A random problem of a kind, or of any."""
    kind = kind or rng.choice(["attention"] * 5 + ["decoder"] * 3 + ["softmax", "perplexity"])
    return {"attention": pose_attention, "decoder": pose_decoder, "softmax": pose_softmax, "perplexity": pose_perplexity}[kind](
        rng
    )


def rounding(rng: Random, options: dict[str, Any]) -> int | None:
    if rng.random() < 0.5:
        options["round"] = rng.randint(1, 4)
    decimals: int | None = options.get("round")
    return decimals


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
            Stage(f"Q{h}", (queries, f"W_Q{h}"), times, "AB"),
            Stage(f"K{h}", (keys, f"W_K{h}"), times, "AB"),
            Stage(f"V{h}", (keys, f"W_V{h}"), times, "AB"),
            Stage(f"scores{h}", (f"Q{h}", f"K{h}"), times_transposed, "ABt"),
        ]
        if sizes.n_k == sizes.d_k:
            slips.append(RuleSlip("no-transpose", {f"scores{h}": times}))
        if sizes.scale:
            stages.append(Stage(f"scaled{h}", (stages[-1].name,), over_root(sizes.d_k)))
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
        stages.append(Stage(f"{output}{h}", (f"weights{h}", f"V{h}"), times, "AB"))
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
    stages.append(Stage(name, (stages[-1].name, "W_O"), times, "AB"))
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
    stages.append(Stage("logits", (stages[-1].name, "E"), times_transposed, "ABt"))
    stages.append(Stage("probabilities", ("logits",), softmax(Fraction(1))))
    stages.append(Stage("loss", ("probabilities",), surprise(right)))
    slips.append(RuleSlip("columns", {"probabilities": softmax_down(Fraction(1))}))
    slips += [RuleSlip("log-base", {"loss": surprise(right, base)}) for base in (2.0, 10.0)]
    if predict == "next":
        slips.append(RuleSlip("own-position", {"loss": surprise(places["own"])}))
    return Posed(tree, given, stages, decimals, slips)


def pose_softmax(rng: Random) -> Posed:
    given = {"z": [[entry(rng) for _ in range(rng.randint(2, 5))]]}
    temperature = rng.choice([Fraction(1), Fraction(2), Fraction(1, 2), Fraction(0)])
    options: dict[str, Any] = {} if temperature == 1 else {"temperature": f"{temperature}"}
    decimals = rounding(rng, options)
    tree = {"kind": "softmax", "given": {"z": listed(given["z"])[0]}, "options": options}
    if temperature == 0:
        return Posed(tree, given, [Stage("probabilities", ("z",), softmax(temperature))], decimals)
    stages = [] if temperature == 1 else [Stage("scaled", ("z",), each(lambda x: x / temperature))]
    source = stages[-1].name if stages else "z"
    powers = each(lambda x: Fraction(1) if x == 0 else math.exp(x))
    stages.append(Stage("exponentials", (source,), powers))
    stages.append(Stage("sum", ("exponentials",), lambda rows: [[total(rows[0])]]))
    stages.append(Stage("probabilities", ("exponentials", "sum"), divided))
    return Posed(tree, given, stages, decimals)


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

    stages = [
        Stage("mean_log", ("probabilities",), mean_log(size)),
        Stage("perplexity", ("mean_log",), each(lambda x: size ** -float(x))),
    ]
    slips = [RuleSlip("log-base", {"mean_log": mean_log(b)}) for b in (2.0, math.e, 10.0) if b != size]
    return Posed(tree, {"probabilities": chances}, stages, decimals, slips)
