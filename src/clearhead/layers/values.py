"""What an expression of the source can stand for: a tensor known by its shape, or something that cannot be known."""

from dataclasses import dataclass, field, replace
from typing import Any

from clearhead.layers.field import Field
from clearhead.layers.sizes import show_shape


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor without its numbers."""

    shape: tuple[int, ...]
    whole: bool = False  # holds whole numbers, as token ids do
    strides: tuple[int, ...] | None = None  # None: the layout in memory is not known
    field: Field = field(default_factory=Field)
    fresh: bool = False  # the input, or what layers made of it that treat all axes but the last alike
    raw: bool = False  # the input's own numbers: whole if they are read as token ids

    def __str__(self) -> str:
        return show_shape(self.shape)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that the source does not tell, and why."""

    why: str
    line: int


@dataclass(frozen=True, slots=True)
class Function:
    """A name of torch or of Python that the reader knows how to call: `torch.flatten`, `range`."""

    name: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A trainable tensor that a module holds by itself."""

    tensor: Tensor
    line: int


class Refusal(Exception):
    """Torch would refuse this here; `why` says it in numbers, and each fix is an edit that may mend it."""

    def __init__(self, why: str, *fixes: "Fix") -> None:
        super().__init__(why)
        self.why = why
        self.fixes = fixes


@dataclass(frozen=True, slots=True)
class Fix:
    """One edit: write `text` for the argument `name` of the call that was refused (or one of the words below)."""

    name: str
    text: str = ""


FLATTEN_FIRST = Fix("*flatten")  # put a Flatten before the layer
TAKE_FIRST = Fix("*first")  # take the first of the results that the argument's call gives


class NotKnown(Exception):
    """The source does not tell; carries the Unknown that stands for it from here on."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.why = why
        self.line = line


class WrongInput(Exception):
    """The input was set up the other way round from what the first layer wants; read the net again with this."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(str(settings))
        self.settings = settings


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


def made(shape: tuple[int, ...], source: Tensor, field: Field, *, tidy: bool = False) -> Tensor:
    """What a layer makes of a source: new numbers, row by row in memory if the source lay so (or always, if tidy)."""
    known = tidy or is_row_major(source)
    return Tensor(shape, strides=row_major(shape) if known else None, field=field)


def same(source: Tensor) -> Tensor:
    """The result of a layer that works number by number."""
    return replace(source)
