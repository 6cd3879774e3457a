"""Axes in another order, added, taken away, stretched or repeated."""

from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, axis_of, show
from clearhead.layers.laws.reshapes import permuted, reshaped
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, row_major


def permute(x: Tensor, *order: Any) -> Outcome:
    axes = tuple(order[0]) if len(order) == 1 and isinstance(order[0], (tuple, list)) else order
    found = tuple(axis_of(x, axis) for axis in axes)
    if sorted(found) != list(range(len(x.shape))):
        raise Refusal(f"permute must name each axis of {x} once, and names {axes}")
    return Outcome(permuted(x, found), f"axes in the order {', '.join(map(str, found))}")


def transpose(x: Tensor, dim0: int, dim1: int) -> Outcome:
    order, one, other = list(range(len(x.shape))), axis_of(x, dim0), axis_of(x, dim1)
    if order:
        order[one], order[other] = other, one
    return Outcome(permuted(x, tuple(order)), f"axes {one} and {other} change places")


def squeeze(x: Tensor, dim: Any = None) -> Outcome:
    """Axes of size 1 are taken away. Without an axis that would also take a batch of one."""
    if dim is None:
        places = {place for place, size in enumerate(x.shape) if size == 1}
    else:
        named = {axis_of(x, each) for each in (dim if isinstance(dim, (tuple, list)) else (dim,))}
        places = {place for place in named if x.shape and x.shape[place] == 1}
    shape = tuple(size for place, size in enumerate(x.shape) if place not in places)
    return Outcome(reshaped(x, shape))


def unsqueeze(x: Tensor, dim: int) -> Outcome:
    longer = len(x.shape) + 1
    if not -longer <= dim < longer:
        raise Refusal(f"dim={dim} is no place for a new axis in {x}")
    place = dim % longer
    return Outcome(reshaped(x, (*x.shape[:place], 1, *x.shape[place:])))


def shape_of(sizes: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given one by one or as one list."""
    found = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    if any(isinstance(size, bool) or not isinstance(size, int) for size in found):
        raise Refusal(f"sizes must be whole numbers, and are {show(found)}")
    return found


def expand(x: Tensor, *sizes: Any) -> Outcome:
    """Axes of size 1 are repeated; −1 keeps an axis."""
    wanted = shape_of(sizes)
    if len(wanted) < len(x.shape):
        raise Refusal(f"{x} has more axes than expand names: {show(wanted)}")
    own = (1,) * (len(wanted) - len(x.shape)) + x.shape
    shape = tuple(have if size == -1 else size for have, size in zip(own, wanted, strict=True))
    if any(have not in (1, size) for have, size in zip(own, shape, strict=True)):
        raise Refusal(f"{x} cannot be stretched to {show(wanted)}: only axes of size 1 stretch")
    steps = None if x.strides is None else (0,) * (len(wanted) - len(x.shape)) + x.strides
    strides = None if steps is None else tuple(s if a == b else 0 for s, a, b in zip(steps, own, shape, strict=True))
    return Outcome(replace(x, shape=shape, strides=strides, field=x.field if x.field.kind == "all" else OPEN, fresh=False))


def repeat(x: Tensor, *times: Any) -> Outcome:
    counts = shape_of(times)
    if len(counts) < len(x.shape):
        raise Refusal(f"{x} has more axes than repeat names: {show(counts)}")
    own = (1,) * (len(counts) - len(x.shape)) + x.shape
    shape = tuple(have * count for have, count in zip(own, counts, strict=True))
    return Outcome(Tensor(shape, x.whole, row_major(shape), OPEN))
