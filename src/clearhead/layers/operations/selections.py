"""Numbers picked, sorted, shifted or cut out: what shape is left."""

from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, axis_of
from clearhead.layers.operations.reductions import reduce
from clearhead.layers.values.axis_sizes import product
from clearhead.layers.values.receptive_field import ALL, OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, new_strides, row_major


def opened(shape: tuple[int, ...], x: Tensor, whole: bool | None = None) -> Tensor:
    """New numbers of a known shape, from anywhere in a source."""
    return Tensor(shape, x.whole if whole is None else whole, row_major(shape), ALL if x.field.kind == "all" else OPEN)


def gather(x: Tensor, dim: int, index: Tensor, **rest: Any) -> Outcome:
    axis_of(x, dim)
    if len(index.shape) != len(x.shape):
        raise Refusal(f"gather needs as many axes in the places ({index}) as in {x}")
    return Outcome(opened(index.shape, x))


def index_select(x: Tensor, dim: int, index: Tensor) -> Outcome:
    place = axis_of(x, dim)
    return Outcome(opened((*x.shape[:place], product(index.shape), *x.shape[place + 1 :]), x))


def one_hot(x: Tensor, num_classes: int = -1) -> Outcome:
    if num_classes == -1:
        raise NotKnown("how many classes one_hot finds depends on the numbers in a tensor")
    return Outcome(opened((*x.shape, num_classes), x, whole=True))


def top(x: Tensor, k: int, dim: int = -1, *rest: Any, **options: Any) -> Outcome:
    """`topk`: k values along an axis, and where they stand."""
    place = axis_of(x, dim)
    if k > x.shape[place]:
        raise Refusal(f"the {k} largest of {x.shape[place]} along axis {place} of {x}")
    shape = (*x.shape[:place], k, *x.shape[place + 1 :])
    return Outcome((opened(shape, x), opened(shape, x, whole=True)))


def in_order(x: Tensor, dim: Any = -1, *rest: Any, **options: Any) -> Outcome:
    return Outcome((opened(x.shape, x), opened(x.shape, x, whole=True)))


def order_of(x: Tensor, dim: Any = -1, *rest: Any, **options: Any) -> Outcome:
    return Outcome(opened(x.shape, x, whole=True))


def one_of(x: Tensor, dim: Any = None, keepdim: bool = False, **rest: Any) -> Outcome:
    """`median`, `mode`: values and where they stand, along an axis."""
    outcome = reduce(x, dim, keepdim)
    assert isinstance(outcome.output, Tensor)
    if dim is None:
        return outcome
    return Outcome((outcome.output, replace(outcome.output, whole=True)), outcome.arithmetic)


def unbind(x: Tensor, dim: int = 0) -> Outcome:
    place = axis_of(x, dim)
    if x.shape[place] > 10_000:
        raise NotKnown("an axis that is taken apart is as long as the batch")
    part = replace(x, shape=x.shape[:place] + x.shape[place + 1 :], strides=without(x, place), field=OPEN, fresh=False)
    return Outcome((part,) * x.shape[place])


def without(x: Tensor, place: int) -> tuple[int, ...] | None:
    return None if x.strides is None else x.strides[:place] + x.strides[place + 1 :]


def select(x: Tensor, dim: int, index: int) -> Outcome:
    place = axis_of(x, dim)
    shape = x.shape[:place] + x.shape[place + 1 :]
    return Outcome(replace(x, shape=shape, strides=without(x, place), field=OPEN, fresh=False))


def narrow(x: Tensor, dim: int, start: int, length: int) -> Outcome:
    place = axis_of(x, dim)
    if start + length > x.shape[place]:
        raise Refusal(f"{length} positions from {start} on are more than axis {place} of {x} has")
    return Outcome(replace(x, shape=(*x.shape[:place], length, *x.shape[place + 1 :]), field=OPEN, fresh=False))


def moved(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """`flip`, `roll`: the same shape, other places."""
    return Outcome(replace(x, field=x.field if x.field.kind == "all" else OPEN, raw=False, strides=row_major(x.shape)))


def triangle(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(replace(x, raw=False, strides=new_strides(x)))


def diagonal(x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Outcome:
    one, other = axis_of(x, dim1), axis_of(x, dim2)
    length = min(x.shape[one], x.shape[other] - offset) if offset >= 0 else min(x.shape[one] + offset, x.shape[other])
    shape = (*(size for place, size in enumerate(x.shape) if place not in (one, other)), max(length, 0))
    return Outcome(opened(shape, x))


def diag(x: Tensor, offset: int = 0) -> Outcome:
    if len(x.shape) == 2:
        return diagonal(x, offset)
    side = x.shape[0] + abs(offset)
    return Outcome(opened((side, side), x))


def windows(x: Tensor, dimension: int, size: int, step: int) -> Outcome:
    """`tensor.unfold`: windows along an axis, each as a new last axis."""
    place = axis_of(x, dimension)
    if size > x.shape[place]:
        raise Refusal(f"windows of {size} do not fit into axis {place} of {x}")
    count = (x.shape[place] - size) // step + 1
    return Outcome(opened((*x.shape[:place], count, *x.shape[place + 1 :], size), x))


def repeat_each(x: Tensor, repeats: Any, dim: Any = None, **rest: Any) -> Outcome:
    """`repeat_interleave`: every entry some times, along one axis or over all."""
    if not isinstance(repeats, int):
        raise NotKnown("how often each entry is repeated depends on the numbers in a tensor")
    if dim is None:
        return Outcome(opened((product(x.shape) * repeats,), x))
    place = axis_of(x, dim)
    return Outcome(opened((*x.shape[:place], x.shape[place] * repeats, *x.shape[place + 1 :]), x))


def like(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """`zeros_like` and its kin: a new tensor of the same shape."""
    return Outcome(Tensor(x.shape, x.whole, row_major(x.shape), OPEN))


def random_like(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(Tensor(x.shape, False, row_major(x.shape), OPEN))


def mesh(*tensors: Any, **rest: Any) -> Outcome:
    """`meshgrid`: every tensor stretched over the axes of all."""
    several = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    shape = tuple(product(each.shape) for each in several)
    if rest.get("indexing") == "xy" and len(shape) > 1:
        shape = (shape[1], shape[0], *shape[2:])
    return Outcome(tuple(opened(shape, each) for each in several))


def scatter(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(replace(x, raw=False))


def drawn(x: Tensor, num_samples: int, *rest: Any, **options: Any) -> Outcome:
    """`multinomial`: places drawn by weight."""
    return Outcome(opened((*x.shape[:-1], num_samples), x, whole=True))


def refuse_counting(*values: Any, **rest: Any) -> Outcome:
    raise NotKnown("how many there are depends on the numbers in a tensor")
