"""Means, sums and largest values: axes that are taken away."""

from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, axis_of
from clearhead.layers.operations.sums_and_products import broadcast
from clearhead.layers.values.receptive_field import ALL, OPEN
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, made


def reduce(x: Tensor, dim: Any = None, keepdim: bool = False, **rest: Any) -> Outcome:
    """A mean or a sum takes the named axes away, or all of them."""
    if dim is None:
        axes = set(range(len(x.shape)))
    else:
        axes = {axis_of(x, each) for each in (dim if isinstance(dim, (tuple, list)) else (dim,))}
    shape = tuple(1 if place in axes else size for place, size in enumerate(x.shape) if keepdim or place not in axes)
    spatial = axes == set(range(2, len(x.shape)))
    field = ALL if (spatial and x.field.kind == "axes") or x.field.kind == "all" else OPEN
    return Outcome(made(shape, replace(x, raw=False), field), f"axes taken away: {', '.join(map(str, sorted(axes)))}")


def mean(x: Tensor, dim: Any = None, keepdim: bool = False, **rest: Any) -> Outcome:
    if x.whole is True:
        raise Refusal(f"a mean needs decimals, and {x} holds whole numbers")
    return reduce(x, dim, keepdim)


def extreme(x: Tensor, dim: Any = None, keepdim: bool = False, **rest: Any) -> Outcome:
    """`max` and `min` along an axis also say where: two results."""
    if isinstance(dim, Tensor):
        return broadcast(x, dim, "max")
    require_some(x, dim)
    outcome = reduce(x, dim, keepdim)
    assert isinstance(outcome.output, Tensor)
    values = replace(outcome.output, whole=x.whole)
    return Outcome(values if dim is None else (values, replace(values, whole=True)), outcome.arithmetic)


def require_some(x: Tensor, dim: Any) -> None:
    """Refuse the largest of nothing."""
    if 0 in (x.shape if dim is None else (x.shape[axis_of(x, dim)],) if x.shape else ()):
        raise Refusal(f"{x} has no numbers to choose the largest or the smallest from")


def where_extreme(x: Tensor, dim: Any = None, keepdim: bool = False) -> Outcome:
    require_some(x, dim)
    outcome = reduce(x, dim, keepdim)
    assert isinstance(outcome.output, Tensor)
    return Outcome(replace(outcome.output, whole=True), outcome.arithmetic)
