"""Weights as they are: any array that has a row for each token that looks and a column for each that is looked at."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError, ShapeError
from clearhead.lens.looks import LayerLook, Seen

NEAR = 2e-2  # so far may a row's sum be from 1: half precision, and weights rounded to two digits


def look_at_weights(weights: Any, tokens: str | Sequence[Any]) -> Seen:
    """Weights (n, n), (heads, n, n), (layers, heads, n, n), or a list of one a layer with a batch of 1 before, or not."""
    names = tokens.split() if isinstance(tokens, str) else [str(token) for token in tokens]
    layers = [layer_of(str(number), each, names) for number, each in enumerate(split_layers(weights), 1)]
    return Seen("weights as given", " ".join(names), tuple(layers))


def stitched_steps(steps: Sequence[Sequence[Any]]) -> list[NDArray[np.float32]]:
    """What transformers' `generate` gives, the rows of every layer step by step, each step wider: one triangle a layer."""
    layers = []
    for layer in zip(*steps, strict=True):
        rows = [without_batch(as_array(each)) for each in layer]  # (heads, n_q, n_k) each
        wide = rows[-1].shape[-1]
        padded = [np.pad(each, ((0, 0), (0, 0), (0, wide - each.shape[-1]))) for each in rows]
        layers.append(np.concatenate(padded, axis=1))
    return layers


def is_steps(weights: Any) -> bool:
    """Whether it is a list of steps, each a list of layers, each with a batch of 1, and more keys from step to step."""
    if not isinstance(weights, list | tuple) or len(weights) < 2 or not all(isinstance(each, list | tuple) for each in weights):
        return False
    if any(not len(step) or not hasattr(step[0], "shape") or len(step[0].shape) != 4 for step in weights):
        return False
    keys = [int(step[0].shape[-1]) for step in weights]
    return all(int(step[0].shape[0]) == 1 for step in weights) and keys == sorted(set(keys))


def split_layers(weights: Any) -> list[NDArray[np.float32]]:
    """One array (heads, n_q, n_k) a layer."""
    if is_steps(weights):
        return stitched_steps(weights)
    if isinstance(weights, list | tuple) and len(weights):
        sizes = [as_array(each).shape for each in weights]
        if (
            all(len(size) == 3 or (len(size) == 4 and size[0] == 1) for size in sizes)
            and len({len(size) for size in sizes}) == 1
        ):
            return [without_batch(as_array(each)) for each in weights]
    whole = as_array(weights)
    if whole.ndim == 2:
        return [whole[None]]
    if whole.ndim == 3:
        return [whole]
    if whole.ndim == 5 and whole.shape[1] == 1:
        whole = whole[:, 0]
    if whole.ndim == 4:
        return list(whole)
    raise ShapeError(
        "weights must be (n, n), (heads, n, n), (layers, heads, n, n) or a list of one a layer, of a single text: "
        f"they are {whole.shape}."
    )


def as_array(x: Any) -> NDArray[np.float32]:
    """Nested lists, numpy, torch or anything that numpy takes."""
    if x is None or (isinstance(x, list | tuple) and any(each is None for each in x)):
        raise InputError(
            "there are no weights: None was given. In transformers, load the model with attn_implementation='eager' and call "
            "it with output_attentions=True, or give clearhead.look the model itself."
        )
    if hasattr(x, "detach"):
        x = x.detach().to("cpu").float()
    try:
        return np.asarray(x, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise InputError(f"weights must be numbers in rows of one length: {error}.") from None


def without_batch(x: NDArray[np.float32]) -> NDArray[np.float32]:
    return x[0] if x.ndim == 4 else x


def layer_of(name: str, weights: NDArray[np.float32], names: Sequence[str]) -> LayerLook:
    """One layer, checked: every row is shared out, and each row and column has a name."""
    heads, n_q, n_k = weights.shape
    if len(names) not in (n_k, n_q) or (n_q != n_k and len(names) != n_k):
        raise ShapeError(f"each token needs a row and a column: {len(names)} tokens, weights {weights.shape}.")
    if not np.isfinite(weights).all() or (weights < -1e-6).any():
        raise InputError(f"layer {name}: weights must be finite and not negative; these look like scores: take their softmax.")
    sums = weights.sum(-1)
    if heads and n_q and np.abs(sums - 1).max() > NEAR:
        worst = float(sums.flat[int(np.abs(sums - 1).argmax())])
        raise InputError(
            f"layer {name}: each row of weights must sum to 1; one sums to {worst:.3g}. Scores need their softmax."
        )
    rows = tuple(names) if n_q == len(names) else tuple(names[n_k - n_q :])
    hidden = (weights == 0).all(0)
    causal = n_q == n_k and bool(hidden[np.triu_indices(n_q, 1)].all()) and n_q > 1
    visible = np.tril(np.ones((n_q, n_k), dtype=bool)) if causal else None
    return LayerLook(name, rows, tuple(names), np.clip(weights, 0, 1), visible)
