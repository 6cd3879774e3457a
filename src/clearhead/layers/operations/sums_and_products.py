"""Sums and products of two tensors, matrix products, attention: which shapes fit, and what comes out."""

from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, show
from clearhead.layers.values.axis_sizes import product, show_size
from clearhead.layers.values.receptive_field import ALL, OPEN, join
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Parameter, Tensor, joins_in_order, new_strides, row_major


def broadcast(left: Any, right: Any, sign: str) -> Outcome:
    """Number by number; axes are matched from the last, and an axis of 1 is repeated."""
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    tensors = [each for each in (left, right) if isinstance(each, Tensor)]
    if any(not isinstance(each, (Tensor, int, float)) for each in (left, right)):
        other = next(each for each in (left, right) if not isinstance(each, (Tensor, int, float)))
        if isinstance(other, (tuple, list, str, type(None))):
            raise Refusal(f"a tensor {tensors[0]} cannot be combined with {describe(other)}")
        raise NotKnown("a tensor is combined with something that is not known")
    decimal = sign == "/" or any(isinstance(each, float) for each in (left, right)) or not all(t.whole for t in tensors)
    if len(tensors) == 1:
        return Outcome(replace(tensors[0], whole=not decimal, raw=False, strides=new_strides(tensors[0])))
    shape = common(left.shape, right.shape, sign)
    text = f"{left} {sign} {right}" if left.shape != right.shape else ""
    alike = left.shape == right.shape and left.strides == right.strides
    in_order = joins_in_order(left) and joins_in_order(right)
    strides = new_strides(left) if alike else row_major(shape) if in_order else None
    fresh = left.fresh and right.fresh
    return Outcome(Tensor(shape, not decimal, strides, join(left.field, right.field), fresh=fresh), text)


def common(one: tuple[int, ...], other: tuple[int, ...], sign: str) -> tuple[int, ...]:
    """The shape that two shapes are stretched to."""
    axes = max(len(one), len(other))
    pairs = zip((1,) * (axes - len(one)) + one, (1,) * (axes - len(other)) + other, strict=True)
    shape = []
    for place, (a, b) in enumerate(pairs):
        if a != b and 1 not in (a, b):
            ones, others = Tensor(one), Tensor(other)
            raise Refusal(f"{ones} {sign} {others} does not fit: axis {place} is {show_size(a)} and {show_size(b)}")
        shape.append(b if a == 1 else a)
    return tuple(shape)


def describe(value: Any) -> str:
    if isinstance(value, tuple) and any(isinstance(each, Tensor) for each in value):
        return f"{len(value)} results at once (a tuple); take the first with [0]"
    return show(value)


def matmul(left: Any, right: Any) -> Outcome:
    """Rows times columns over the last two axes; the axes before them are matched as in a sum."""
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):
        raise NotKnown("a matrix product with something that is not known")
    if min(len(left.shape), len(right.shape)) < 2:
        raise NotKnown("a product with a vector is not followed")
    if left.shape[-1] != right.shape[-2]:
        a, b = show_size(left.shape[-1]), show_size(right.shape[-2])
        raise Refusal(f"{left} @ {right} does not fit: rows of {a} against columns of {b}")
    if left.whole != right.whole:
        raise Refusal(f"{left} @ {right} mixes whole numbers and decimals")
    shape = (*common(left.shape[:-2], right.shape[:-2], "@"), left.shape[-2], right.shape[-1])
    return Outcome(Tensor(shape, left.whole, row_major(shape), OPEN), f"{left} @ {right}", product(shape) * left.shape[-1])


def attend(q: Tensor, k: Tensor, v: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Scaled dot-product attention: a row of v for each query."""
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise Refusal(f"queries {q}, keys {k} and values {v} do not fit")
    front = common(common(q.shape[:-2], k.shape[:-2], "@"), v.shape[:-2], "@")
    shape = (*front, q.shape[-2], v.shape[-1])
    cost = product(front) * q.shape[-2] * k.shape[-2] * (q.shape[-1] + v.shape[-1])
    return Outcome(Tensor(shape, strides=None, field=ALL), "a row of values for each query", cost)
