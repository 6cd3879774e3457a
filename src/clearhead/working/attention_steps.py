"""The steps of one attention, from queries, keys and values to the output, for one head or many."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, size
from clearhead.exact.notation import named
from clearhead.working.fields import read_matrix
from clearhead.working.problem import Problem
from clearhead.working.rules.arrangements import SideBySide
from clearhead.working.rules.products import Product, ProductTransposed, Projection, require_product
from clearhead.working.rules.scores import CausalMask, OverRoot
from clearhead.working.rules.shares import Softmax
from clearhead.working.steps import Labels, Step

WEIGHTS = {"W_Q": read_matrix, "W_K": read_matrix, "W_V": read_matrix}


@dataclass(frozen=True, kw_only=True, slots=True)
class AttentionSetting:
    """What the options say about one attention."""

    scale: bool
    causal: bool
    temperature: Fraction
    queries: str  # the given that queries come from: X or X1
    keys: str  # the given that keys and values come from: X or X2
    query_labels: Labels
    key_labels: Labels
    output: str = "output"  # what the output step is called


def labels_of(given: Mapping[str, object], key: str, x: Matrix) -> Labels:
    """The labels that a key of the givens holds, one for each row; none where it is not given."""
    names = given.get(key)
    if names is None:
        return ()
    if not isinstance(names, tuple) or len(names) != x.shape[0]:
        raise InputError(
            f"given.{key} must name each row once: {len(names) if isinstance(names, tuple) else 0} names, {x.shape[0]} rows"
        )
    return names


def head_steps(
    problem: Problem, setting: AttentionSetting, x1: Matrix, x2: Matrix
) -> tuple[dict[str, Matrix], list[Step], list[str]]:
    """The steps of every head and, where there are several, their concatenation; with the givens and the maps' names."""
    given = problem.given
    if "heads" in given and WEIGHTS.keys() & given.keys():
        raise InputError("given has both heads and W_Q, W_K or W_V; give the matrices inside heads only")
    tables: tuple[Mapping[str, Matrix], ...] = given.get("heads") or (
        dict(zip(WEIGHTS, problem.require(*WEIGHTS), strict=True)),
    )
    several = "heads" in given
    givens: dict[str, Matrix] = {setting.queries: x1, setting.keys: x2}
    steps: list[Step] = []
    maps: list[str] = []
    for number, table in enumerate(tables, start=1):
        suffix = str(number) if several else ""
        require_weights(table, f"heads[{number}]." if several else "", setting, x1, x2)
        givens |= {f"{name}{suffix}": table[name] for name in WEIGHTS}
        steps += attention_steps(setting, suffix, d_k=table["W_K"].shape[1])
        maps.append(f"weights{suffix}")
    if several:
        outputs = tuple(f"{setting.output}{n}" for n in range(1, len(tables) + 1))
        steps.append(concatenation(setting, outputs))
    return givens, steps, maps


def concatenation(setting: AttentionSetting, outputs: tuple[str, ...]) -> Step:
    return Step(
        name="heads" if setting.output == "output" else setting.output,
        formula=f"[{', '.join(outputs)}]",
        latex="[" + r",\ ".join(named(o) for o in outputs) + "]",
        why="The outputs of the heads are put side by side, token by token.",
        needs=outputs,
        rule=SideBySide(),
        rows=setting.query_labels,
    )


def require_weights(table: Mapping[str, Matrix], where: str, setting: AttentionSetting, x1: Matrix, x2: Matrix) -> None:
    for name in WEIGHTS:
        if name not in table:
            raise InputError(f"given.{where}{name} is missing; every head needs W_Q, W_K and W_V")
    require_product(setting.queries, x1, f"{where}W_Q", table["W_Q"])
    require_product(setting.keys, x2, f"{where}W_K", table["W_K"])
    require_product(setting.keys, x2, f"{where}W_V", table["W_V"])
    if table["W_Q"].shape[1] != table["W_K"].shape[1]:
        raise InputError(
            f"{where}W_Q is {size(table['W_Q'])} and {where}W_K is {size(table['W_K'])}: "
            "queries and keys need the same number of columns, d_k"
        )


def attention_steps(setting: AttentionSetting, suffix: str, d_k: int) -> list[Step]:
    """One head: Q K V scores scaled masked weights output; what the options make empty is left out."""
    q, k = setting.query_labels, setting.key_labels
    steps = [projected_input("Q", "queries", "what each token looks for", setting.queries, suffix, q)]
    steps.append(projected_input("K", "keys", "what each token can be found by", setting.keys, suffix, k))
    steps.append(projected_input("V", "values", "what each token hands on", setting.keys, suffix, k))
    scores = Step(
        name=f"scores{suffix}",
        formula=f"Q{suffix} K{suffix}^T",
        latex=rf"{named('Q' + suffix)} {named('K' + suffix)}^\top",
        symbol=named(f"scores{suffix}"),
        why="Each query is compared with each key by their dot product: the larger, the better the match.",
        needs=(f"Q{suffix}", f"K{suffix}"),
        rule=ProductTransposed(),
        rows=q,
        columns=k,
    )
    steps.append(scores)
    if setting.scale:
        steps.append(scaled_step(suffix, d_k, q, k))
    if setting.causal:
        steps.append(masked_step(steps[-1].name, suffix, q, k))
    steps.append(weights_step(steps[-1].name, setting.temperature, suffix, q, k))
    steps.append(
        Step(
            name=f"{setting.output}{suffix}",
            formula=f"weights{suffix} V{suffix}",
            latex=rf"{named('weights' + suffix)}\, {named('V' + suffix)}",
            symbol=named(f"{setting.output}{suffix}"),
            why="Each token takes the average of the values, weighted by where it looks.",
            needs=(f"weights{suffix}", f"V{suffix}"),
            rule=Product(),
            rows=q,
        )
    )
    return steps


def projected_input(name: str, plural: str, meaning: str, source: str, suffix: str, labels: Labels) -> Step:
    weight = f"W_{name}{suffix}"
    return Step(
        name=f"{name}{suffix}",
        formula=f"{source} {weight}",
        latex=rf"{named(source)} {named(weight)}",
        symbol=named(f"{name}{suffix}"),
        why=f"The {plural}, {meaning}: each row of {source} times W_{name}.",
        needs=(source, weight),
        rule=Product(),
        rows=labels,
    )


def scaled_step(suffix: str, d_k: int, q: Labels, k: Labels) -> Step:
    return Step(
        name=f"scaled{suffix}",
        formula=f"scores{suffix} / √{d_k}",
        latex=rf"{named('scores' + suffix)} / \sqrt{{{d_k}}}",
        symbol=named(f"scaled{suffix}"),
        why=f"Dividing by the root of d_k = {d_k} keeps the scores from growing with the number of columns.",
        needs=(f"scores{suffix}",),
        rule=OverRoot(d_k),
        rows=q,
        columns=k,
    )


def masked_step(source: str, suffix: str, q: Labels, k: Labels) -> Step:
    return Step(
        name=f"masked{suffix}",
        formula=f"{source} where the key is not later than the query, else -∞",
        latex=rf"{named(source)} + M",
        symbol=named(f"masked{suffix}"),
        why="A token must not look at later ones: their scores become -∞, so that the softmax gives them 0.",
        needs=(source,),
        rule=CausalMask(),
        rows=q,
        columns=k,
    )


def weights_step(source: str, temperature: Fraction, suffix: str, q: Labels, k: Labels) -> Step:
    if temperature == 0:
        formula, latex = f"argmax of each row of {source}", rf"\lim_{{T \to 0^+}} \mathrm{{softmax}}({named(source)} / T)"
        why = "At temperature 0 the largest score of each row takes all the weight, and ties share it equally."
    elif temperature == 1:
        formula, latex = f"softmax({source})", rf"\mathrm{{softmax}}({named(source)})"
        why = "The softmax of each row turns scores into shares that are positive and sum to 1."
    else:
        formula, latex = f"softmax({source} / {temperature})", rf"\mathrm{{softmax}}({named(source)} / ({temperature}))"
        why = f"The softmax of each row, at temperature {temperature}, turns scores into shares that sum to 1."
    return Step(
        name=f"weights{suffix}",
        formula=formula,
        latex=latex,
        symbol=named(f"weights{suffix}"),
        why=why,
        needs=(source,),
        rule=Softmax(temperature),
        rows=q,
        columns=k,
    )


def projection(w_o: Matrix, last: Step, rows: Labels, width: int, name: str) -> Step:
    """What the heads give, times W_O."""
    if w_o.shape[0] != width:
        raise InputError(f"W_O is {size(w_o)}, but {last.name} has {width} columns: W_O needs {width} rows")
    return Step(
        name=name,
        formula=f"{last.name} W_O",
        latex=rf"{named(last.name)}\, W_O",
        symbol=named(name),
        why="The output projection mixes the columns into the width that the next layer expects.",
        needs=(last.name, "W_O"),
        rule=Projection(),
        rows=rows,
    )


def width_of(givens: Mapping[str, Matrix]) -> int:
    """How many columns the attention puts out: those of W_V, over all heads."""
    return sum(value.shape[1] for name, value in givens.items() if name.startswith("W_V"))
