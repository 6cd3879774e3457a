"""A head of a real model on a short text as a problem file: `clearhead work` works it by hand, and the two agree."""

import json

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError
from clearhead.lens.looks import LayerLook, Seen

MOST_TOKENS = 24
MOST_DIGITS = 12


def head_problem(look: Seen, name: str, digits: int = 3, round: int | None = None) -> str:
    """Q, K and V of one head as TOML, to so many decimals; `round` asks the working to round each step too."""
    layer, head = look.head(name)
    if not 0 <= digits <= MOST_DIGITS:
        raise InputError(f"digits must lie from 0 to {MOST_DIGITS}; got {digits}.")
    if layer.q is None or layer.k is None or layer.v is None:
        raise InputError(f"{look.source}: only the weights are known here, not q, k and v: there is nothing to work from.")
    if max(len(layer.rows), len(layer.columns)) > MOST_TOKENS or not layer.rows:
        raise InputError(
            f"a head is worked by hand on 1 to {MOST_TOKENS} tokens; this look has {len(layer.columns)}: take a shorter text."
        )
    mask = mask_of(layer)
    q, k, v = layer.q[head], layer.k[head], layer.v[head]
    lines = [
        'kind = "attention"',
        f"title = {text(f'Head {name} of {source_name(look)} on: {look.text}')}",
        "",
        "[given]",
        *names_of(layer),
        f"Q = {table(by_scale(layer, q), digits)}",
        f"K = {table(k, digits)}",
        f"V = {table(v, digits)}",
        "",
        "[options]",
        f"scale = {'true' if layer.scale is None else 'false'}",
        f'mask = "{mask}"',
    ]
    if round is not None:
        lines.append(f"round = {round}")
    return "\n".join(lines) + "\n"


def source_name(look: Seen) -> str:
    """The last part of where the model lies."""
    return look.source.replace("\\", "/").rstrip("/").rpartition("/")[2]


def by_scale(layer: LayerLook, q: NDArray[np.float32]) -> NDArray[np.float32]:
    """Queries of a model with a scale of its own carry it, since the problem then has none."""
    return q if layer.scale is None else np.asarray(q * layer.scale, dtype=np.float32)


def mask_of(layer: LayerLook) -> str:
    """The mask in a problem's words; refused where it has none, or where the scores have more in them than q and k."""
    if layer.bias is not None:
        raise InputError(f"layer {layer.name} adds a bias of positions to its scores: q and k alone do not make its weights.")
    seen = layer.seen()
    if seen.all():
        return "none"
    if seen.shape[0] == seen.shape[1] and (seen == np.tril(np.ones_like(seen))).all():
        return "causal"
    raise InputError(
        f"layer {layer.name} has a mask of its own (neither none nor causal); take one of the layers between latents, or a GPT."
    )


def names_of(layer: LayerLook) -> list[str]:
    """The labels: one list for one sequence, two for two."""
    rows, columns = ([token.strip() or "␣" for token in side] for side in (layer.rows, layer.columns))
    if rows == columns:
        return [f"tokens = {text(rows)}"]
    return [f"tokens1 = {text(rows)}", f"tokens2 = {text(columns)}"]


def table(cells: NDArray[np.float32], digits: int) -> str:
    """Rows of decimals, one a line.

    >>> print(table(np.array([[0.12345, -2.0]], dtype=np.float32), 2))
    [
      [0.12, -2.00],
    ]
    """
    rows = ["  [" + ", ".join(number(float(cell), digits) for cell in row) + "],\n" for row in cells]
    return "[\n" + "".join(rows) + "]"


def number(value: float, digits: int) -> str:
    written = f"{value:.{digits}f}"
    return written.lstrip("-") if float(written) == 0 else written


def text(value: object) -> str:
    """A string or a list of them, as TOML and JSON alike write it."""
    return json.dumps(value, ensure_ascii=False)
