"""Flatten, unflatten, view and reshape: the numbers stay, the axes change."""

from dataclasses import replace

from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, axis_of, listed, show, whole
from clearhead.layers.source.fixes import RenameFunction, SetLastSize
from clearhead.layers.values.axis_sizes import product, show_shape, show_size
from clearhead.layers.values.receptive_field import OPEN, Field
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, is_row_major, row_major


def reshaped(x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The same numbers under another shape, copied only where they must be; which axis is which is not followed further."""
    strides = None if x.strides is None else viewed_strides(x, shape) or row_major(shape)
    field = Field("flat", x.field.axes) if x.field.kind == "axes" and x.shape != shape else x.field
    return replace(x, shape=shape, strides=strides, field=field, fresh=x.fresh and x.shape == shape)


def flatten(x: Tensor, start: int, end: int) -> Outcome:
    """The axes from start to end become one."""
    if not x.shape:
        axis_of(x, start, "start_dim"), axis_of(x, end, "end_dim")
        return Outcome(reshaped(x, (1,)))
    first, last = axis_of(x, start, "start_dim"), axis_of(x, end, "end_dim")
    if first > last:
        raise Refusal(f"start_dim={start} comes after end_dim={end} in {x}")
    merged = x.shape[first : last + 1]
    shape = (*x.shape[:first], product(merged), *x.shape[last + 1 :])
    sizes = "·".join(show_size(size) for size in merged)
    text = f"{sizes} = {show_size(product(merged))}" if len(merged) > 1 else "nothing to flatten"
    return Outcome(reshaped(x, shape), text)


def run_flatten(a: Arguments, x: Tensor) -> Outcome:
    return flatten(x, whole(a, "start_dim"), whole(a, "end_dim"))


def check_unflatten(a: Arguments) -> None:
    whole(a, "dim")
    if not isinstance(a["unflattened_size"], (tuple, list)):
        raise Refusal(f"unflattened_size must be several whole numbers, and is {show(a['unflattened_size'])}")
    listed(a, "unflattened_size")


def unflatten(x: Tensor, axis: int, sizes: tuple[int, ...]) -> Outcome:
    """One axis becomes several, which multiply up to it; −1 is worked out."""
    place = axis_of(x, axis)
    if not sizes:
        raise Refusal("the new sizes must not be empty")
    found = inferred((x.shape[place],), sizes)
    text = f"{show_size(x.shape[place])} = {'·'.join(show_size(size) for size in found)}"
    return Outcome(reshaped(x, x.shape[:place] + found + x.shape[place + 1 :]), text)


def run_unflatten(a: Arguments, x: Tensor) -> Outcome:
    return unflatten(x, whole(a, "dim"), listed(a, "unflattened_size"))


def inferred(have: tuple[int, ...], sizes: tuple[int, ...], call: str = "") -> tuple[int, ...]:
    """The sizes with the one −1 worked out; refuses where they do not multiply up to what is there."""
    numbers, shown = product(have), ", ".join(show_size(size) for size in sizes)
    if sizes.count(-1) > 1 or any(size < -1 for size in sizes):
        raise Refusal(f"sizes must not be negative, but for one −1: ({shown})")
    rest = product(size for size in sizes if size != -1)
    if -1 in sizes and rest and numbers % rest == 0:
        return tuple(numbers // rest if size == -1 else size for size in sizes)
    if -1 in sizes or rest != numbers:
        raise Refusal(misfit(have, sizes, shown), *misfit_fix(have, sizes, call))
    return sizes


def misfit(have: tuple[int, ...], sizes: tuple[int, ...], shown: str) -> str:
    if len(have) == 1:
        return f"({shown}) must multiply up to {show_size(have[0])}"
    return f"{show_shape(have)} is {show_size(product(have))} numbers, which do not fill ({shown})"


def misfit_fix(have: tuple[int, ...], sizes: tuple[int, ...], call: str) -> tuple[SetLastSize, ...]:
    """`view(-1, 120)` of 144 numbers an example: the 120 should be 144."""
    if call and len(sizes) == 2 and len(have) > 1 and (sizes[0] == -1 or sizes[0] == have[0]):
        return (SetLastSize(str(product(have[1:]))),)
    return ()


def view(x: Tensor, sizes: tuple[int, ...], call: str) -> Outcome:
    """Another shape for the same numbers; `view` also refuses what would need a copy in memory."""
    shape = inferred(x.shape, sizes, call)
    if call == "view" and not is_row_major(x):
        if x.strides is None:
            raise NotKnown("whether view works depends on the layout in memory, which is not known here; reshape always works")
        if viewed_strides(x, shape) is None:
            why = f"view of {x} as {show_shape(shape)} needs the numbers moved in memory (after transpose or permute)"
            raise Refusal(f"{why}; reshape does that", RenameFunction("reshape"))
    return Outcome(reshaped(x, shape), f"{show_size(product(x.shape))} numbers as {show_shape(shape)}")


def viewed_strides(x: Tensor, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides under a new shape, if no number has to move: runs of axes that lie together may be cut anew."""
    assert x.strides is not None
    if 0 in x.shape:
        return row_major(shape)
    strides, place = [0] * len(shape), len(shape) - 1
    run, step = 1, x.strides[-1] if x.strides else 1
    for axis in range(len(x.shape) - 1, -1, -1):
        run *= x.shape[axis]
        ends = axis == 0 or (x.shape[axis - 1] != 1 and x.strides[axis - 1] != run * step)
        if not ends:
            continue
        cut = 1
        while place >= 0 and (cut < run or shape[place] == 1):
            strides[place] = cut * step
            cut *= shape[place]
            place -= 1
        if cut != run:
            return None
        if axis > 0:
            step, run = x.strides[axis - 1], 1
    return tuple(strides) if place < 0 else None


def permuted(x: Tensor, order: tuple[int, ...]) -> Tensor:
    """The axes in another order; the numbers do not move in memory."""
    strides = None if x.strides is None else tuple(x.strides[axis] for axis in order)
    field = x.field if x.field.kind in ("all", "input") else OPEN
    unmoved = order == tuple(range(len(order)))
    shape = tuple(x.shape[axis] for axis in order)
    return replace(x, shape=shape, strides=strides, field=x.field if unmoved else field, fresh=x.fresh and unmoved)


LAWS = {
    "Flatten": Law("start_dim=1, end_dim=-1", run_flatten, numbers=Numbers.KEEPS),
    "Unflatten": Law("dim, unflattened_size", run_unflatten, check=check_unflatten, numbers=Numbers.KEEPS),
}
