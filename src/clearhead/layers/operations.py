"""Operations on tensors that are not layers, by their shapes: sums, products, joins, means, other orders of axes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.field import ALL, OPEN, join
from clearhead.layers.laws.activation import run_softmax
from clearhead.layers.laws.law import Outcome, axis_of, show
from clearhead.layers.laws.reshaping import flatten, permuted, reshaped, unflatten, view
from clearhead.layers.sizes import product, show_size
from clearhead.layers.values import (
    NotKnown,
    Parameter,
    Refusal,
    Tensor,
    is_in_order,
    joins_in_order,
    made,
    new_strides,
    row_major,
)


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
    if x.whole:
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


def attend(q: Tensor, k: Tensor, v: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Scaled dot-product attention: a row of v for each query."""
    if q.shape[-1] != k.shape[-1] or k.shape[-2] != v.shape[-2]:
        raise Refusal(f"queries {q}, keys {k} and values {v} do not fit")
    front = common(common(q.shape[:-2], k.shape[:-2], "@"), v.shape[:-2], "@")
    shape = (*front, q.shape[-2], v.shape[-1])
    cost = product(front) * q.shape[-2] * k.shape[-2] * (q.shape[-1] + v.shape[-1])
    return Outcome(Tensor(shape, strides=None, field=ALL), "a row of values for each query", cost)


def softmax(x: Tensor, dim: Any = None, *rest: Any, **options: Any) -> Outcome:
    return run_softmax({"dim": dim}, x)


def keep(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(x)


def each(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Number by number."""
    return Outcome(replace(x, strides=new_strides(x), raw=False))


def tidy(x: Tensor) -> Outcome:
    return Outcome(replace(x, strides=row_major(x.shape)))


def decimals(x: Tensor) -> Outcome:
    return Outcome(replace(x, whole=False, raw=False))


def wholes(x: Tensor) -> Outcome:
    return Outcome(replace(x, whole=True, raw=False))


OPERATIONS: dict[str, Callable[..., Outcome]] = {
    "flatten": lambda x, start_dim=0, end_dim=-1: flatten(x, start_dim, end_dim),
    "unflatten": lambda x, dim, sizes: unflatten(x, dim, shape_of((sizes,))),
    "view": lambda x, *sizes: view(x, shape_of(sizes), "view"),
    "reshape": lambda x, *sizes: view(x, shape_of(sizes), "reshape"),
    "permute": permute,
    "transpose": transpose,
    "swapaxes": transpose,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "expand": expand,
    "expand_as": lambda x, other: expand(x, *other.shape),
    "view_as": lambda x, other: view(x, other.shape, "view"),
    "repeat": repeat,
    "chunk": chunk,
    "split": split,
    "mean": mean,
    "sum": reduce,
    "amax": reduce,
    "amin": reduce,
    "std": mean,
    "var": mean,
    "max": extreme,
    "min": extreme,
    "argmax": where_extreme,
    "argmin": where_extreme,
    "cat": cat,
    "concat": cat,
    "concatenate": cat,
    "stack": stack,
    "matmul": matmul,
    "bmm": matmul,
    "mm": matmul,
    "add": lambda a, b: broadcast(a, b, "+"),
    "sub": lambda a, b: broadcast(a, b, "−"),
    "mul": lambda a, b: broadcast(a, b, "*"),
    "div": lambda a, b: broadcast(a, b, "/"),
    "softmax": softmax,
    "log_softmax": softmax,
    "scaled_dot_product_attention": attend,
    "contiguous": tidy,
    "float": decimals,
    "long": wholes,
    "int": wholes,
    **dict.fromkeys(("clone", "detach", "cpu", "cuda", "requires_grad_"), keep),
    **dict.fromkeys(("abs", "clamp", "neg", "square"), each),
}
