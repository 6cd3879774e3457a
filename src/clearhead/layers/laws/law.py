"""What is known of one kind of layer: its arguments, what it refuses, what it weighs, what it makes of its input."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from clearhead.layers.source.fixes import SetArgument
from clearhead.layers.values.axis_sizes import show_shape
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor

Arguments = Mapping[str, Any]
"""What a layer was made with, by name."""


class Outcome(NamedTuple):
    """What a layer makes: its output (several for a tuple), how the sizes came about, and what it costs."""

    output: Tensor | tuple[Any, ...]
    arithmetic: str = ""
    multiply_adds: int = 0


@dataclass(frozen=True, slots=True)
class Weights:
    """How many trainable numbers a layer holds, and the arithmetic that counts them."""

    count: int
    arithmetic: str = ""


def weighs_nothing(a: Arguments) -> Weights:
    return Weights(0)


def holds_nothing(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    return {}


def accepts_all(a: Arguments) -> None:
    return None


class Numbers(Enum):
    """What a layer does with whole numbers, such as token ids."""

    REFUSES_WHOLE = "refuses whole numbers"
    KEEPS = "whole numbers stay whole"
    MAKES_DECIMALS = "whole numbers become decimals"


class Twin(NamedTuple):
    """The function of `torch.nn.functional` that does what a layer does, and its arguments behind the input."""

    name: str
    signature: str


class Law(NamedTuple):
    """One kind of layer. `check` refuses when the layer is made, `run` when it is used, as torch does.

    What it refuses, it refuses with the fixes that may mend it. The first `needed` of its `inputs` are tensors that it
    cannot do without, the others are handed to `run` by name.
    """

    signature: str
    run: Callable[..., Outcome]
    weigh: Callable[[Arguments], Weights] = weighs_nothing
    check: Callable[[Arguments], None] = accepts_all
    inputs: tuple[str, ...] = ("input",)
    needed: int = 1
    numbers: Numbers = Numbers.REFUSES_WHOLE
    alike: bool = False  # treats all axes but the last alike, so that it stays open where the batch axis stands
    drops: bool = False  # a dropout: idle with p=0 or outside training
    twin: Twin | None = None
    shapes: Callable[[Arguments], dict[str, tuple[int, ...] | None]] = holds_nothing  # of its parameters, by name
    settle: Callable[..., dict[str, Any]] | None = None  # of a lazy layer: the arguments that the first input decides


def whole(a: Arguments, name: str, least: int | None = None) -> int:
    """An argument that must be a whole number."""
    value = a[name]
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refusal(f"{name} must be a whole number, and is {show(value)}")
    if least is not None and value < least:
        raise Refusal(f"{name} must be at least {least}, and is {value}")
    return value


def listed(a: Arguments, name: str) -> tuple[int, ...]:
    """An argument that is a whole number or several."""
    value = a[name]
    several = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if any(isinstance(each, bool) or not isinstance(each, int) for each in several):
        raise Refusal(f"{name} must be whole numbers, and is {show(value)}")
    return several


def spread(a: Arguments, name: str, axes: int) -> tuple[int, ...]:
    """An argument given once for all axes or once for each."""
    several = listed(a, name)
    if len(several) not in (1, axes):
        raise Refusal(f"{name} needs one number, or one for each of {axes} axes, and has {len(several)}: {show(a[name])}")
    return several * axes if len(several) == 1 else several


def require_axes(x: Tensor, kind: str, *allowed: int) -> None:
    """Refuse a tensor whose number of axes the layer cannot take."""
    if len(x.shape) not in allowed:
        wanted = " or ".join(str(n) for n in sorted(allowed))
        raise Refusal(f"{kind} takes tensors with {wanted} axes and gets {len(x.shape)}: {x}")


def axis_of(x: Tensor, axis: int, name: str = "dim") -> int:
    """An axis counted from the front; negative ones count from the back."""
    axes = max(len(x.shape), 1)
    if not -axes <= axis < axes:
        raise Refusal(f"{name}={axis} names an axis that {x} has not: it has axes 0 to {axes - 1} (or −{axes} to −1)")
    return axis % axes


def show(value: Any) -> str:
    """A value as the source would write it, cut where it is long."""
    text = f"a tensor {value}" if isinstance(value, Tensor) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def set_to(name: str, value: int) -> SetArgument:
    """The edit that writes another number for an argument."""
    return SetArgument(name, str(value))


def times(sizes: tuple[int, ...]) -> str:
    """Factors with a dot between them."""
    return show_shape(sizes).replace("×", "·")
