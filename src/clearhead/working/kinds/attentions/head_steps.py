"""The steps of one attention, from queries, keys and values to the output, for one head or many."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, multiplied, size
from clearhead.exact.notation import bracketed, named, plain
from clearhead.exact.powers import sqrt
from clearhead.working.kinds.attentions.inputs import BIASES, PROJECTIONS, WEIGHTS, projections, require_bias, split_step
from clearhead.working.kinds.attentions.options import AttentionSetting, Mask, Scale
from clearhead.working.problem import Problem
from clearhead.working.rules.arrangements import SideBySide
from clearhead.working.rules.products import Affine, Product, ProductTransposed, Projection
from clearhead.working.rules.scores import OverRoot, TimesNumber
from clearhead.working.rules.shares import Softmax
from clearhead.working.steps import Labels, OtherOrder, Step


def head_steps(
    problem: Problem, setting: AttentionSetting, x1: Matrix | None, x2: Matrix | None
) -> tuple[dict[str, Matrix], list[Step], list[str]]:
    """The steps of every head and, where there are several, their concatenation; with the givens and the maps' names."""
    givens = {name: x for name, x in ((setting.queries, x1), (setting.keys, x2)) if x is not None}
    heads = problem.given.get("heads", ())
    if isinstance(heads, int):
        return split_heads(problem, setting, givens, heads)
    if heads and {*WEIGHTS, *BIASES, *PROJECTIONS} & problem.given.keys():
        raise InputError("given has both heads and W_Q, W_K or W_V; give the matrices inside heads only")
    steps: list[Step] = []
    for number, table in enumerate(heads or (problem.given,), start=1):
        suffix, where = (str(number), f"heads[{number}].") if heads else ("", "")
        made, columns = projections(table, where, suffix, setting, givens)
        steps += [*made, *attention_steps(setting, suffix, columns["K"])]
    count = len(heads) or 1
    if heads:
        steps.append(concatenation(setting, tuple(f"{setting.output}{n}" for n in range(1, count + 1))))
    return with_mask(givens, setting), steps, [f"weights{n}" for n in range(1, count + 1)] if heads else ["weights"]


def with_mask(givens: dict[str, Matrix], setting: AttentionSetting) -> dict[str, Matrix]:
    """A mask that is a table is shown among the givens."""
    return {**givens, "M": setting.mask.table} if setting.mask and setting.mask.table else givens


def split_heads(
    problem: Problem, setting: AttentionSetting, givens: dict[str, Matrix], count: int
) -> tuple[dict[str, Matrix], list[Step], list[str]]:
    """Q, K and V made once, their columns split evenly among the heads."""
    steps, columns = projections(problem.given, "", "", setting, givens)
    for letter, width in columns.items():
        if width % count:
            raise InputError(f"given.heads is {count}, but {letter} has {counted(width)}: they cannot be split evenly")
    for number in range(1, count + 1):
        for letter, width in columns.items():
            labels = setting.query_labels if letter == "Q" else setting.key_labels
            steps.append(split_step(letter, number, width // count, labels))
        steps += attention_steps(setting, str(number), columns["K"] // count)
    steps.append(concatenation(setting, tuple(f"{setting.output}{n}" for n in range(1, count + 1))))
    return with_mask(givens, setting), steps, [f"weights{n}" for n in range(1, count + 1)]


def counted(columns: int) -> str:
    """How many columns, in words."""
    return "1 column" if columns == 1 else f"{columns} columns"


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


def attention_steps(setting: AttentionSetting, suffix: str, d_k: int) -> list[Step]:
    """One head from its Q, K and V: scores scaled masked weights output; what the options make empty is left out."""
    q, k = setting.query_labels, setting.key_labels
    steps: list[Step] = []
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
    if setting.scale is not False:
        steps.append(scaled_step(setting.scale, suffix, d_k, q, k))
    if setting.mask is not None:
        steps.append(masked_step(setting.mask, steps[-1].name, suffix, q, k, other_order(setting, d_k)))
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


def scaled_step(scale: Scale, suffix: str, d_k: int, q: Labels, k: Labels) -> Step:
    """The scores divided by √d_k, or times a number that was asked for."""
    scores = f"scores{suffix}"
    if isinstance(scale, bool):
        formula, latex, rule = f"{scores} / √{d_k}", rf"{named(scores)} / \sqrt{{{d_k}}}", OverRoot(d_k)
        why = f"Dividing by the root of d_k = {d_k} keeps the scores from growing with the number of columns."
        return Step(
            name=f"scaled{suffix}",
            formula=formula,
            latex=latex,
            why=why,
            symbol=named(f"scaled{suffix}"),
            needs=(scores,),
            rule=rule,
            rows=q,
            columns=k,
        )
    factor = plain(scale)
    return Step(
        name=f"scaled{suffix}",
        formula=f"{factor}·{scores}",
        latex=rf"{factor} \cdot {named(scores)}",
        why=f"The scores are multiplied by {factor}, as options.scale says.",
        symbol=named(f"scaled{suffix}"),
        needs=(scores,),
        rule=TimesNumber(scale),
        rows=q,
        columns=k,
    )


def other_order(setting: AttentionSetting, d_k: int) -> OtherOrder | None:
    """Masked first and scaled afterwards: −∞ stays −∞; a mask of other numbers would be scaled too."""
    mask, scale = setting.mask, setting.scale
    if mask is None or scale is False or scale == 0 or not mask.only_hides:
        return None
    whole = sqrt(Fraction(d_k)) if isinstance(scale, bool) else 1 / scale
    return OtherOrder(
        "masked before it was scaled: the order does not matter",
        lambda scaled, *others: mask.rule(multiplied(scaled, whole), *others),
    )


def masked_step(mask: Mask, source: str, suffix: str, q: Labels, k: Labels, also: OtherOrder | None) -> Step:
    """The scores with −∞ wherever a query must not look."""
    return Step(
        name=f"masked{suffix}",
        formula=mask.formula.format(source),
        latex=mask.latex.format(named(source)),
        symbol=named(f"masked{suffix}"),
        why=mask.why,
        needs=(source,) if mask.table is None else (source, "M"),
        rule=mask.rule,
        rows=q,
        columns=k,
        also=also,
    )


def weights_step(source: str, temperature: Fraction, suffix: str, q: Labels, k: Labels) -> Step:
    if temperature == 0:
        formula, latex = f"argmax of each row of {source}", rf"\lim_{{T \to 0^+}} \mathrm{{softmax}}({named(source)} / T)"
        why = "At temperature 0 the largest score of each row takes all the weight, and ties share it equally."
    elif temperature == 1:
        formula, latex = f"softmax({source})", rf"\mathrm{{softmax}}({named(source)})"
        why = "The softmax of each row turns scores into shares that are positive and sum to 1."
    else:
        cool = bracketed(plain(temperature))
        formula, latex = f"softmax({source} / {cool})", rf"\mathrm{{softmax}}({named(source)} / {cool})"
        why = f"The softmax of each row, at temperature {plain(temperature)}, turns scores into shares that sum to 1."
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


def projection(given: Mapping[str, Any], last: Step, rows: Labels, width: int, name: str) -> Step:
    """What the heads give, times W_O, perhaps with a bias under every row."""
    w_o: Matrix = given["W_O"]
    if w_o.shape[0] != width:
        raise InputError(f"W_O is {size(w_o)}, but {last.name} has {width} columns: W_O needs {width} rows")
    has_bias = "b_O" in given
    if has_bias:
        require_bias("b_O", given["b_O"], "W_O", w_o)
    return Step(
        name=name,
        formula=f"{last.name} W_O" + (" + b_O" if has_bias else ""),
        latex=rf"{named(last.name)}\, W_O" + (" + b_O" if has_bias else ""),
        symbol=named(name),
        why="The output projection mixes the columns into the width that the next layer expects.",
        needs=(last.name, "W_O", "b_O") if has_bias else (last.name, "W_O"),
        rule=Affine() if has_bias else Projection(),
        rows=rows,
    )


def width_of(givens: Mapping[str, Matrix]) -> int:
    """How many columns the attention puts out: those of V or W_V, over all heads."""
    return sum(value.shape[1] for name, value in givens.items() if name == "V" or name.startswith("W_V"))
