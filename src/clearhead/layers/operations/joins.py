"""Tensors joined along an axis, and cut apart again."""

from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, axis_of, show
from clearhead.layers.operations.axis_changes import unsqueeze
from clearhead.layers.operations.sums_and_products import describe
from clearhead.layers.values.axis_sizes import show_size
from clearhead.layers.values.receptive_field import OPEN, join
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Parameter, Tensor, is_in_order, row_major


def cat(tensors: Any, dim: int = 0) -> Outcome:
    """Joined along one axis; all other axes must agree."""
    several = [each.tensor if isinstance(each, Parameter) else each for each in tensors]
    wrong = next((each for each in several if isinstance(each, (tuple, int, float, str))), None)
    if wrong is not None:
        raise Refusal(f"only tensors can be joined, and one of them is {describe(wrong)}")
    if not several or not all(isinstance(each, Tensor) for each in several):
        raise NotKnown("the tensors that are joined are not known")
    first = several[0]
    axis = axis_of(first, dim)
    for other in several[1:]:
        fits = len(other.shape) == len(first.shape) and all(
            a == b for place, (a, b) in enumerate(zip(first.shape, other.shape, strict=True)) if place != axis
        )
        if not fits:
            raise Refusal(f"{first} and {other} cannot be joined along axis {axis}: all other axes must agree")
    length = sum(each.shape[axis] for each in several)
    shape = (*first.shape[:axis], length, *first.shape[axis + 1 :])
    field = first.field
    for other in several[1:]:
        field = join(field, other.field)
    field = field if field.kind == "all" or axis == 1 else OPEN
    strides = row_major(shape) if all(is_in_order(each) for each in several) else None
    sizes = " + ".join(show_size(each.shape[axis]) for each in several)
    whole = all(each.whole for each in several)
    return Outcome(Tensor(shape, whole, strides, field), f"axis {axis}: {sizes} = {show_size(length)}")


def stack(tensors: Any, dim: int = 0) -> Outcome:
    return cat([unsqueeze(each, dim).output if isinstance(each, Tensor) else each for each in tensors], dim)


def chunk(x: Tensor, chunks: int, dim: int = 0) -> Outcome:
    """Equal parts along an axis, the last one smaller where it must be."""
    length = x.shape[axis_of(x, dim)]
    if length == 0 or chunks < 1:
        raise NotKnown("the parts of an empty axis are not followed")
    return split(x, -(-length // chunks), dim)


def split(x: Tensor, size: Any, dim: int = 0) -> Outcome:
    axis = axis_of(x, dim)
    length = x.shape[axis]
    if isinstance(size, int) and size > 0 and length // size < 10_000:
        lengths = [min(size, length - start) for start in range(0, length, size)] or [0]
    elif isinstance(size, (list, tuple)) and size and sum(size) == length:
        lengths = list(size)
    else:
        raise Refusal(f"axis {axis} of {x} cannot be cut into {show(size)}")
    field = x.field if axis == 1 or x.field.kind in ("all", "input") else OPEN
    parts = [replace(x, shape=(*x.shape[:axis], n, *x.shape[axis + 1 :]), field=field, fresh=False) for n in lengths]
    return Outcome(tuple(parts), f"axis {axis}: {show_size(length)} = {' + '.join(map(show_size, lengths))}")
