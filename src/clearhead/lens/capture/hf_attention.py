"""The forward pass of a transformers model with somebody looking on: weights as it works them out itself, with q, k and v.

transformers lets a model attend by any function that is registered. Ours calls the model's own plain one and keeps what
passed; a model that attends in a way of its own is asked for the weights it gives out by itself.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clearhead.lens.looks import Array, LayerLook

WATCHED = "clearhead"  # our name among the ways to attend that transformers knows
SUMS = 1e-3


@dataclass(frozen=True, slots=True)
class Called:
    """What passed one attention of a model: in the order in which they came."""

    module: Any
    q: Tensor
    k: Tensor
    v: Tensor
    mask: Tensor | None  # what is added to hide keys
    positions: Tensor | None  # what is added for the positions
    scaling: float | None
    output: Tensor
    weights: Tensor


@torch.no_grad()
def passed_through(model: Any, given: dict[str, Any]) -> tuple[list[Called], Any]:
    """One forward pass with somebody looking on; where a model attends in a way of its own, what it gives by itself."""
    calls: list[Called] = []
    with attending_as(model, calls) as watching:
        if watching:
            model(**given)
    if calls and all(call.weights is not None for call in calls):
        return calls, None
    with eager(model):
        out = model(**given, output_attentions=True)
    return [], out


@contextmanager
def attending_as(model: Any, calls: list[Called]) -> Iterator[bool]:
    """While this is open, the model attends by its own plain function, and every call is kept."""
    try:
        from transformers import AttentionInterface, AttentionMaskInterface
        from transformers.masking_utils import eager_mask
    except ImportError:
        yield False
        return

    def watch(module: Any, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, *more: Any, **named: Any) -> Any:
        own = sys.modules[type(module).__module__].eager_attention_forward
        output, weights = own(module, q, k, v, mask, *more, **named)
        scaling = named.get("scaling", more[0] if more else None)
        calls.append(Called(module, q, k, v, mask, named.get("position_bias"), scaling, output, weights))
        return output, weights

    AttentionInterface.register(WATCHED, watch)
    AttentionMaskInterface.register(WATCHED, eager_mask)
    with implementation(model, WATCHED) as possible:
        yield possible


@contextmanager
def eager(model: Any) -> Iterator[bool]:
    """While this is open, the model attends plainly, so that there are weights."""
    with implementation(model, "eager") as possible:
        yield possible


@contextmanager
def implementation(model: Any, name: str) -> Iterator[bool]:
    """While this is open, another way to attend; afterwards as before."""
    before = getattr(model.config, "_attn_implementation", None)
    try:
        model.set_attn_implementation(name)
    except (AttributeError, ValueError, KeyError):
        yield False
        return
    try:
        yield True
    finally:
        if before:
            model.set_attn_implementation(before)


def layers_of_calls(calls: Sequence[Called], names: Sequence[str], said: Sequence[str]) -> list[LayerLook]:
    """Every attention in the order of the model: its own text, its decoder's, and across."""
    counts: dict[str, int] = {}
    layers = []
    for call in calls:
        n_q, n_k = call.weights.shape[-2:]
        decoding = bool(said) and getattr(call.module, "is_decoder", n_q == len(said) and n_k != len(names))
        crossing = decoding and not bool(getattr(call.module, "is_causal", n_q == n_k))
        kind = "" if not said else "cross " if crossing else "decoder " if decoding else "encoder "
        counts[kind] = counts.get(kind, 0) + 1
        rows, columns = (said if decoding else names), (names if crossing or not decoding else said)
        layers.append(layer_of_call(f"{kind}{counts[kind]}", call, rows, columns))
    return sorted(layers, key=lambda layer: ("encoder", "decoder", "cross").index(layer.name.split()[0])) if said else layers


def layer_of_call(name: str, call: Called, rows: Sequence[str], columns: Sequence[str]) -> LayerLook:
    """One attention in plain arrays; keys that several heads share are given to each of them."""
    heads = call.q.shape[1]
    each = heads // call.k.shape[1]
    q, k, v = plain(call.q[0]), plain(call.k[0]).repeat(each, axis=0), plain(call.v[0]).repeat(each, axis=0)
    weights = plain(call.weights[0])
    positions = None if call.positions is None else plain(call.positions[0])
    layer = LayerLook(
        name=name,
        rows=tuple(rows),
        columns=tuple(columns),
        weights=weights,
        visible=shown_by(call.mask, weights.shape),
        q=q,
        k=k,
        v=v,
        output=plain(call.output[0]).swapaxes(0, 1),
        scale=None if call.scaling is None or abs(call.scaling - q.shape[-1] ** -0.5) < 1e-9 else float(call.scaling),
        bias=None if positions is None or not positions.any() else np.broadcast_to(positions, weights.shape).copy(),
        groups=tuple(head // each + 1 for head in range(heads)) if each > 1 else (),
    )
    return layer if explained(layer) else replace(layer, q=None, k=None, v=None, output=None, bias=None)


def shown_by(mask: Tensor | None, shape: tuple[int, ...]) -> NDArray[np.bool_] | None:
    """What a mask that is added leaves visible, (n_q, n_k); None where it hides nothing."""
    if mask is None:
        return None
    kept = plain(mask.float()[0, 0, ..., : shape[-1]]) > np.finfo(np.float16).min / 2
    return None if kept.all() else np.broadcast_to(kept, shape[1:]).copy()


def explained(layer: LayerLook) -> bool:
    """Whether q, k and the positions make the weights, and the weights the output: a model may cap scores, or add a sink."""
    scaled = layer.scaled
    assert scaled is not None
    assert layer.v is not None
    assert layer.output is not None
    visible = np.where(layer.seen(), scaled, -np.inf)
    shares = np.exp(visible - visible.max(-1, keepdims=True))
    shares = shares / shares.sum(-1, keepdims=True)
    return bool(np.abs(shares - layer.weights).max() < SUMS and np.abs(layer.weights @ layer.v - layer.output).max() < SUMS)


def layers_of_outputs(out: Any, names: Sequence[str]) -> list[LayerLook]:
    """The weights that a model gives out by itself; no q and k."""
    found = []
    for kind in ("encoder ", "decoder ", "cross ", ""):
        given = getattr(out, f"{kind.strip()}_attentions".lstrip("_"), None)
        if not given or any(each is None for each in given):
            continue
        for number, each in enumerate(given, 1):
            weights = plain(each[0])
            if weights.ndim == 3 and np.abs(weights.sum(-1) - 1).max() < SUMS:
                sides = [tuple(names) if n == len(names) else tuple(str(k + 1) for k in range(n)) for n in weights.shape[1:]]
                found.append(LayerLook(f"{kind}{number}", sides[0], sides[1], weights))
    return found


def plain(x: Tensor) -> Array:
    """A tensor as an array of float32."""
    return np.asarray(x.detach().to("cpu", torch.float32).numpy())
