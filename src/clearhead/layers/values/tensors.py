"""What an expression of the source can stand for: a tensor known by its shape, or something that cannot be known."""

from dataclasses import dataclass, field, replace
from itertools import pairwise

from clearhead.layers.values.axis_sizes import show_shape
from clearhead.layers.values.receptive_field import Field


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor without its numbers."""

    shape: tuple[int, ...]
    whole: bool | None = False  # holds whole numbers, as token ids do; None: not known
    strides: tuple[int, ...] | None = None  # None: the layout in memory is not known
    field: Field = field(default_factory=Field)
    fresh: bool = False  # the input, or what layers made of it that treat all axes but the last alike
    raw: bool = False  # the input's own numbers: whole if they are read as token ids
    origin: str = ""  # which of the inputs that is, by name

    def __str__(self) -> str:
        return show_shape(self.shape)


@dataclass(frozen=True, slots=True)
class Function:
    """A name of torch or of Python that the reader knows how to call: `torch.flatten`, `range`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A trainable tensor that a module holds by itself; the same one may be held twice (tied weights)."""

    tensor: Tensor
    line: int


def row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor that lies in memory row by row.

    >>> row_major((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def is_row_major(tensor: Tensor) -> bool:
    """Whether the tensor is known to lie in memory row by row; axes of size 1 may have any stride."""
    if tensor.strides is None:
        return False
    pairs = zip(tensor.shape, tensor.strides, row_major(tensor.shape), strict=True)
    return 0 in tensor.shape or all(size == 1 or stride == plain for size, stride, plain in pairs)


def is_in_order(tensor: Tensor) -> bool:
    """Whether the axes lie in memory in their own order, perhaps with gaps, as after a slice but not after a transpose."""
    if tensor.strides is None:
        return False
    steps = [stride for size, stride in zip(tensor.shape, tensor.strides, strict=True) if size != 1]
    return 0 in tensor.shape or (all(one >= two for one, two in pairwise(steps)) and 0 not in steps)


def joins_in_order(tensor: Tensor) -> bool:
    """As `is_in_order`, for one side of a sum: an axis that is stretched (stride 0) may stand anywhere."""
    if tensor.strides is None:
        return False
    steps = [stride for size, stride in zip(tensor.shape, tensor.strides, strict=True) if size != 1 and stride]
    return 0 in tensor.shape or all(one >= two for one, two in pairwise(steps))


def new_strides(source: Tensor) -> tuple[int, ...] | None:
    """The layout of new numbers that are made one by one from a source: its order of axes, without gaps."""
    if is_in_order(source) or len(source.shape) < 2:
        return row_major(source.shape)
    if source.strides is None or len(set(source.strides)) < len(source.strides) or 0 in source.strides:
        return None
    strides = source.strides
    order = sorted(range(len(source.shape)), key=lambda axis: -strides[axis])
    plain = row_major(tuple(source.shape[axis] for axis in order))
    return tuple(plain[order.index(axis)] for axis in range(len(order)))


def made(shape: tuple[int, ...], source: Tensor, field: Field, *, tidy: bool = False) -> Tensor:
    """What a layer makes of a source: new numbers, row by row in memory if the source lay in order (or always, if tidy)."""
    known = tidy or is_in_order(source) or len(shape) < 2  # new numbers in a row lie in a row
    return Tensor(shape, strides=row_major(shape) if known else None, field=field)


def same(source: Tensor, in_place: bool = False) -> Tensor:
    """The result of a layer that works number by number."""
    return source if in_place else replace(source, strides=new_strides(source))
