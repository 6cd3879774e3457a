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
    kinds = [float if isinstance(each, float) else each.whole if isinstance(each, Tensor) else True for each in (left, right)]
    whole: bool | None = False if sign == "/" or float in kinds or False in kinds else None if None in kinds else True
    if len(tensors) == 1:
        return Outcome(replace(tensors[0], whole=whole, raw=False, strides=new_strides(tensors[0])))
    shape = common(left.shape, right.shape, sign)
    text = f"{left} {sign} {right}" if left.shape != right.shape else ""
    alike = left.shape == right.shape and left.strides == right.strides
    in_order = joins_in_order(left) and joins_in_order(right)
    strides = new_strides(left) if alike else row_major(shape) if in_order else None
    fresh = left.fresh and right.fresh
    return Outcome(Tensor(shape, whole, strides, join(left.field, right.field), fresh=fresh), text)


def common(one: tuple[int, ...], other: tuple[int, ...], sign: str) -> tuple[int, ...]:
    """The shape that two shapes are stretched to."""
    axes = max(len(one), len(other))
    pairs = zip((1,) * (axes - len(one)) + one, (1,) * (axes - len(other)) + other, strict=True)
    shape = []
    for place, (a, b) in enumerate(pairs):
        if a != b and 1 not in (a, b):
            ones, others = Tensor(one), Tensor(other)
            why = f"{ones} {sign} {others} does not fit: axis {place} is {show_size(a)} and {show_size(b)}"
            raise Refusal(why, sizes=(a, b))
        shape.append(b if a == 1 else a)
    return tuple(shape)


def describe(value: Any) -> str:
    if isinstance(value, tuple) and any(isinstance(each, Tensor) for each in value):
        return f"{len(value)} results at once (a tuple); take the first with [0]"
    return show(value)


def compare_tensors(left: Any, right: Any) -> Tensor:
    """True or false for each number: a mask, whose numbers are not known."""
    output = broadcast(left, right, "and").output
    assert isinstance(output, Tensor)
    return replace(output, whole=True, origin="*mask")


def matmul(left: Any, right: Any) -> Outcome:
    """Rows times columns over the last two axes; the axes before them are matched as in a sum."""
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):
        raise NotKnown("a matrix product with something that is not known")
    if not left.shape or not right.shape:
        raise Refusal(f"{left} @ {right} does not fit: a single number has no rows")
    row, column = len(left.shape) == 1, len(right.shape) == 1
    one = (1, *left.shape) if row else left.shape
    other = (*right.shape, 1) if column else right.shape
    if one[-1] != other[-2]:
        a, b = show_size(one[-1]), show_size(other[-2])
        raise Refusal(f"{left} @ {right} does not fit: rows of {a} against columns of {b}")
    if None not in (left.whole, right.whole) and left.whole != right.whole:
        raise Refusal(f"{left} @ {right} mixes whole numbers and decimals")
    front = common(one[:-2], other[:-2], "@")
    cost = product((*front, one[-2], other[-1])) * one[-1]
    shape = (*front, *(() if row else (one[-2],)), *(() if column else (other[-1],)))
    return Outcome(Tensor(shape, left.whole, row_major(shape), OPEN), f"{left} @ {right}", cost)


def flat_product(left: Any, right: Any) -> Outcome:
    """`mm` and `bmm`: no stretching, two or three axes."""
    axes = len(left.shape)
    if axes != len(right.shape) or axes not in (2, 3) or (axes == 3 and left.shape[0] != right.shape[0]):
        raise Refusal(f"{left} and {right} do not fit: both need 2 axes, or 3 with the same batch")
    return matmul(left, right)


def times_plus(added: Tensor, left: Tensor, right: Tensor, **rest: Any) -> Outcome:
    """`addmm` and `baddbmm`: a product with something added."""
    outcome = matmul(left, right)
    assert isinstance(outcome.output, Tensor)
    common(added.shape, outcome.output.shape, "+")
    return outcome


def outer(left: Tensor, right: Tensor) -> Outcome:
    if len(left.shape) != 1 or len(right.shape) != 1:
        raise Refusal(f"an outer product takes two vectors, and gets {left} and {right}")
    shape = (left.shape[0], right.shape[0])
    return Outcome(Tensor(shape, left.whole, row_major(shape), OPEN))


def three(x: Tensor, one: Any, other: Any, **rest: Any) -> Outcome:
    """Number by number over three tensors: `addcmul`, `lerp`."""
    found = broadcast(one, other, "·").output if isinstance(one, Tensor) or isinstance(other, Tensor) else one
    return broadcast(x, found, "+")


def choose_between(mask: Any, one: Any = None, other: Any = None) -> Outcome:
    """`torch.where(mask, a, b)`: number by number from one or the other."""
    if one is None:
        raise NotKnown("where the numbers are that a mask picks depends on the numbers in a tensor")
    both = broadcast(one, other, "or").output if isinstance(one, Tensor) or isinstance(other, Tensor) else None
    if both is None:
        return Outcome(replace(mask, whole=not isinstance(one, float), origin=""))
    assert isinstance(both, Tensor)
    output = broadcast(mask, both, "?").output
    assert isinstance(output, Tensor)
    return Outcome(replace(output, whole=both.whole))


def masked(x: Tensor, mask: Any, value: Any = 0) -> Outcome:
    """`masked_fill`: the mask is stretched to the tensor."""
    if isinstance(mask, Tensor):
        shape = common(x.shape, mask.shape, "masked by")
        if shape != x.shape:
            return Outcome(Tensor(shape, x.whole, row_major(shape), OPEN))
    return Outcome(replace(x, raw=False, strides=new_strides(x)))


def distance(one: Tensor, other: Tensor, **rest: Any) -> Outcome:
    """`cdist`: a distance from each row to each row."""
    shape = (*common(one.shape[:-2], other.shape[:-2], "and"), one.shape[-2], other.shape[-2])
    return Outcome(Tensor(shape, strides=row_major(shape), field=OPEN))


def similarity(one: Tensor, other: Tensor, dim: int = 1, eps: float = 1e-8) -> Outcome:
    """`cosine_similarity`: the axis that is compared along goes."""
    shape = common(one.shape, other.shape, "and")
    place = dim % max(len(shape), 1)
    left = shape[:place] + shape[place + 1 :]
    return Outcome(Tensor(left, strides=row_major(left), field=OPEN))


def attend(q: Tensor, k: Tensor, v: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Scaled dot-product attention: a row of v for each query."""
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise Refusal(f"queries {q}, keys {k} and values {v} do not fit")
    front = common(common(q.shape[:-2], k.shape[:-2], "@"), v.shape[:-2], "@")
    shape = (*front, q.shape[-2], v.shape[-1])
    cost = product(front) * q.shape[-2] * k.shape[-2] * (q.shape[-1] + v.shape[-1])
    return Outcome(Tensor(shape, strides=row_major(shape), field=ALL), "a row of values for each query", cost)
