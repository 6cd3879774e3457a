"""Queries, keys and values: given as they are, made from X with matrices and biases, or split among heads."""

from collections.abc import Mapping
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, size
from clearhead.exact.notation import named
from clearhead.working.fields import read_matrix, read_tables, read_vector, read_whole
from clearhead.working.kinds.attentions.options import AttentionSetting
from clearhead.working.rules.arrangements import Columns
from clearhead.working.rules.products import Affine, Product, require_product
from clearhead.working.steps import Labels, Step

WEIGHTS = {"W_Q": read_matrix, "W_K": read_matrix, "W_V": read_matrix}


BIASES = {"b_Q": read_vector, "b_K": read_vector, "b_V": read_vector}


PROJECTIONS = {
    "Q": ("queries", "what each token looks for"),
    "K": ("keys", "what each token can be found by"),
    "V": ("values", "what each token hands on"),
}


MOST_HEADS = 64


def read_heads(raw: Any) -> Any:
    """How many heads the columns of Q, K and V are split into, or a table with matrices for each."""
    if isinstance(raw, int) and not isinstance(raw, bool):
        return read_whole(1, MOST_HEADS)(raw)
    return read_tables({**WEIGHTS, **BIASES})(raw)


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


def projections(
    table: Mapping[str, Matrix], where: str, suffix: str, setting: AttentionSetting, givens: dict[str, Matrix]
) -> tuple[list[Step], dict[str, int]]:
    """Q, K and V of one head: given as they are, or a source times its matrix; with how many columns each has."""
    steps: list[Step] = []
    found: dict[str, tuple[int, int]] = {}  # rows and columns
    for letter in PROJECTIONS:
        source, labels = (setting.queries, setting.query_labels) if letter == "Q" else (setting.keys, setting.key_labels)
        weight, bias = f"W_{letter}", f"b_{letter}"
        if letter in table:
            require_given_once(letter, table)
            givens[f"{letter}{suffix}"] = table[letter]
            found[letter] = table[letter].shape
            continue
        x = require_projection(letter, where, source, table, givens)
        givens[f"{weight}{suffix}"] = table[weight]
        if bias in table:
            require_bias(f"{where}{bias}", table[bias], f"{where}{weight}", table[weight])
            givens[f"{bias}{suffix}"] = table[bias]
        steps.append(projected_input(letter, source, suffix, labels, bias in table))
        found[letter] = x.shape[0], table[weight].shape[1]
    require_fit(found, table, where)
    return steps, {letter: columns for letter, (_, columns) in found.items()}


def require_given_once(letter: str, table: Mapping[str, Matrix]) -> None:
    """A letter that is given needs no matrix to make it from."""
    extra = next((name for name in (f"W_{letter}", f"b_{letter}") if name in table), None)
    if extra:
        raise InputError(f"given has both {letter} and {extra}; give {letter} as it is, or what it is made from")


def require_projection(
    letter: str, where: str, source: str, table: Mapping[str, Matrix], givens: Mapping[str, Matrix]
) -> Matrix:
    """The source of Q, K or V, which must be there and fit its matrix."""
    if f"W_{letter}" not in table:
        whose = "every head needs W_Q, W_K and W_V" if where else f"give W_{letter}, or {letter} itself"
        raise InputError(f"given.{where}W_{letter} is missing; {whose}")
    if source not in givens:
        raise InputError(f"given.{source} is missing; {letter} is made from it (or give {letter} itself)")
    require_product(source, givens[source], f"{where}W_{letter}", table[f"W_{letter}"])
    return givens[source]


def require_bias(name: str, bias: Matrix, weight_name: str, weight: Matrix) -> None:
    """A bias stands under every row, so it is as long as a row."""
    if bias.shape[1] != weight.shape[1]:
        raise InputError(
            f"{name} has {bias.shape[1]} numbers and {weight_name} is {size(weight)}: it needs one for each column"
        )


def require_fit(found: Mapping[str, tuple[int, int]], table: Mapping[str, Matrix], where: str) -> None:
    """Queries and keys meet in their columns, keys and values in their rows."""
    names = {letter: letter if letter in table else f"{where}W_{letter}" for letter in PROJECTIONS}
    sizes = {letter: size(table[letter if letter in table else f"W_{letter}"]) for letter in PROJECTIONS}
    if found["Q"][1] != found["K"][1]:
        raise InputError(
            f"{names['Q']} is {sizes['Q']} and {names['K']} is {sizes['K']}: "
            "queries and keys need the same number of columns, d_k"
        )
    if found["K"][0] != found["V"][0]:
        raise InputError(f"{names['K']} is {sizes['K']} and {names['V']} is {sizes['V']}: each key, a row, needs one value")


def projected_input(letter: str, source: str, suffix: str, labels: Labels, has_bias: bool) -> Step:
    """Q, K or V as its source times its matrix, perhaps with a bias under every row."""
    weight, bias = f"W_{letter}{suffix}", f"b_{letter}{suffix}"
    plural, meaning = PROJECTIONS[letter]
    return Step(
        name=f"{letter}{suffix}",
        formula=f"{source} {weight}" + (f" + {bias}" if has_bias else ""),
        latex=rf"{named(source)} {named(weight)}" + (f" + {named(bias)}" if has_bias else ""),
        symbol=named(f"{letter}{suffix}"),
        why=f"The {plural}, {meaning}: each row of {source} times W_{letter}"
        + (f", and the bias b_{letter} added to every row." if has_bias else "."),
        needs=(source, weight, bias) if has_bias else (source, weight),
        rule=Affine() if has_bias else Product(),
        rows=labels,
    )


def split_step(letter: str, number: int, width: int, labels: Labels) -> Step:
    """The columns of Q, K or V that belong to one head."""
    first, last = (number - 1) * width + 1, number * width
    which = f"column {first}" if width == 1 else f"columns {first} to {last}"
    return Step(
        name=f"{letter}{number}",
        formula=f"{which} of {letter}",
        latex=rf"{letter}_{{:,\,{first}{'' if width == 1 else f':{last}'}}}",
        symbol=named(f"{letter}{number}"),
        why=f"Head {number} works with its own {which} of the {PROJECTIONS[letter][0]}.",
        needs=(letter,),
        rule=Columns(first - 1, last),
        rows=labels,
    )
