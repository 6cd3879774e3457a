"""The receptive field: how many input positions along each axis one output can depend on.

Borders are left out of account: it is the field of an output in the middle of a large enough input, from its first
position to its last. With jump the distance of two neighbouring outputs in input positions, a layer makes

    size' = size + (kernel − 1)·dilation·jump,    jump' = jump·stride

A transposed convolution gives neighbouring outputs different fields, so there the positions are followed back one by
one, for every phase, and the largest field counts.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

PHASES, POSITIONS = 64, 20_000  # beyond these a field is left open rather than waited for


@dataclass(frozen=True, slots=True, eq=False)
class AxisField:
    """One axis: how the outputs of a layer hang on those of the layers before it, back to the input."""

    start: int = 0  # of the field of output 0; closed form, only where no transposed convolution came before
    size: int | None = 1
    jump: int = 1
    depth: int = 0
    phases: int = 1
    window: tuple[int, int, int, int, bool] = (1, 1, 0, 1, False)  # kernel, stride, padding, dilation, transposed
    parents: tuple["AxisField", ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """The field over all axes: of the untouched input, of axes, of all there is, or open (None to show)."""

    kind: Literal["input", "axes", "flat", "all", "open"] = "input"
    axes: tuple[AxisField, ...] = field(default=(), compare=False)

    def sizes(self) -> tuple[int, ...] | None:
        """Positions along each axis, or None where it is all or open."""
        found = [extent(axis) for axis in self.axes]
        known = tuple(size for size in found if size is not None)
        return known if self.kind in ("axes", "flat") and len(known) == len(found) else None

    def __str__(self) -> str:
        sizes = self.sizes()
        if sizes is not None:
            return "×".join(str(size) for size in sizes)
        return {"all": "all", "input": "1"}.get(self.kind, "–")


ALL, OPEN = Field("all"), Field("open")


def slide(before: Field, windows: list[tuple[int, int, int, int]], transposed: bool = False) -> Field:
    """The field after windows (kernel, stride, padding, dilation) slid along the axes."""
    if before.kind == "input":
        axes = tuple(AxisField() for _ in windows)
    elif before.kind == "axes" and len(before.axes) == len(windows):
        axes = before.axes
    else:
        return before if before.kind == "all" else OPEN
    return Field("axes", tuple(step(axis, window, transposed) for axis, window in zip(axes, windows, strict=True)))


def step(axis: AxisField, window: tuple[int, int, int, int], transposed: bool) -> AxisField:
    kernel, stride, padding, dilation = window
    if transposed or axis.size is None:
        phases = axis.phases * (stride if transposed else 1)
        return AxisField(size=None, depth=axis.depth + 1, phases=phases, window=(*window, transposed), parents=(axis,))
    return AxisField(
        start=axis.start - padding * axis.jump,
        size=axis.size + (kernel - 1) * dilation * axis.jump,
        jump=axis.jump * stride,
        depth=axis.depth + 1,
        window=(*window, False),
        parents=(axis,),
    )


def join(one: Field, other: Field) -> Field:
    """The field of a sum or a concatenation: what either sees."""
    if one.kind == "input" or other.kind == "input":  # an untouched operand sees its own position only
        one, other = (other, one) if one.kind == "input" else (one, other)
        if one.kind == "axes":
            other = Field("axes", tuple(AxisField() for _ in one.axes))
        else:
            return one
    if one.kind != other.kind or len(one.axes) != len(other.axes):
        return ALL if "all" in (one.kind, other.kind) else OPEN
    return Field(one.kind, tuple(merge(a, b) for a, b in zip(one.axes, other.axes, strict=True)))


def merge(one: AxisField, other: AxisField) -> AxisField:
    if one is other:
        return one
    deep, phases = max(one.depth, other.depth) + 1, max(one.phases, other.phases)
    if one.size is None or other.size is None or one.jump != other.jump:
        return AxisField(size=None, depth=deep, phases=phases, parents=(one, other))
    start = min(one.start, other.start)
    end = max(one.start + one.size, other.start + other.size)
    return AxisField(start=start, size=end - start, jump=one.jump, depth=deep, parents=(one, other))


@lru_cache(maxsize=4096)
def extent(axis: AxisField) -> int | None:
    """How far the input positions that one output sees reach, at most; None where that is too much to follow."""
    if axis.size is not None:
        return axis.size
    if axis.phases > PHASES:
        return None
    largest = 0
    for output in range(axis.phases):
        seen = follow(axis, output)
        if seen is None:
            return None
        largest = max(largest, max(seen) - min(seen) + 1 if seen else 0)
    return largest


def follow(axis: AxisField, output: int) -> set[int] | None:
    """The input positions that one output sees, followed back layer by layer, the deepest first."""
    waiting: dict[AxisField, set[int]] = {axis: {output}}
    work, seen = 0, set[int]()
    while waiting:
        deepest = max(waiting, key=lambda each: each.depth)
        positions = waiting.pop(deepest)
        kernel, stride, padding, dilation, transposed = deepest.window
        work += len(positions) * kernel
        if work > POSITIONS:
            return None
        taps = range(0, kernel * dilation, dilation)
        if transposed:
            back = {(o + padding - t) // stride for o in positions for t in taps if (o + padding - t) % stride == 0}
        else:
            back = {o * stride - padding + t for o in positions for t in taps}
        if not deepest.parents:
            seen |= back
        for parent in deepest.parents:
            waiting[parent] = waiting.get(parent, set()) | back
    return seen
