"""Square brackets and loops: an item of a list, a slice of a tensor, the things a loop goes over."""

from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST
from clearhead.layers.operations.sums_and_products import common
from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import BATCH, is_readable, show_size
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor, row_major


def index(value: Any, place: Any, line: int) -> Any:
    """`value[place]`."""
    if isinstance(place, Unknown):
        raise NotKnown(place.why, place.line)
    if isinstance(value, Tensor):
        return slice_tensor(value, place if isinstance(place, tuple) else (place,), line)
    if isinstance(value, Container):
        return part(value, place, line)
    if isinstance(value, Instance) and "*parts" in value.attributes:
        return part(value.attributes["*parts"], place, line)
    if isinstance(value, Instance) and value.cls.fields and isinstance(place, int):
        return value.attributes.get(value.cls.fields[place])
    if isinstance(value, dict) and (isinstance(place, (Function, type(None), str, int, float, tuple)) or is_object(place)):
        if place in value:
            return value[place]
        if "*" in value:
            raise NotKnown(value["*"].why, value["*"].line)
        raise Refusal(f"there is no key {place!r}")
    if isinstance(value, tuple) and isinstance(place, tuple) and value and isinstance(value[0], Tensor):
        raise Refusal(f"these are {len(value)} results at once (a tuple), not a tensor; take the first with [0]", TakeFirst())
    if isinstance(value, (list, tuple, str, range)) and isinstance(place, slice):
        return value[place]
    if isinstance(value, (list, tuple, str, range)) and isinstance(place, int):
        if not -len(value) <= place < len(value):
            raise Refusal(f"there is no place {place} among {len(value)}")
        return value[place]
    raise NotKnown(f"the brackets on line {line} are not followed")


def is_object(value: Any) -> bool:
    """Whether a value is found in a dict by being the same object."""
    return isinstance(value, (Class, Instance, Layer, Container))


def part(container: Container, place: Any, line: int) -> Any:
    """A part of a Sequential or a list of modules; a slice is a smaller one."""
    if "*" in container.parts:
        raise NotKnown(container.parts["*"].why, container.parts["*"].line)
    names = list(container.parts)
    if isinstance(place, slice):
        chosen = [container.parts[name] for name in names[place]]
        return Container(container.kind, {str(i): each for i, each in enumerate(chosen)}, line)
    if isinstance(place, str) and place in container.parts:
        return container.parts[place]
    if isinstance(place, str):
        raise Refusal(f"there is no part {place!r} among {', '.join(names[:6])}")
    if isinstance(place, int):
        if not -len(names) <= place < len(names):
            raise Refusal(f"there is no part {place} among {len(names)}")
        return container.parts[names[place]]
    raise NotKnown(f"the brackets on line {line} are not followed")


def slice_tensor(x: Tensor, places: tuple[Any, ...], line: int) -> Tensor:
    """Numbers take an axis away, slices shorten it, None adds one, `...` stands for the axes in between."""
    places = tuple(each.tensor if isinstance(each, Parameter) else each for each in places)
    if any(isinstance(place, Unknown) for place in places):
        unknown = next(place for place in places if isinstance(place, Unknown))
        raise NotKnown(unknown.why, unknown.line)
    if any(isinstance(place, (Tensor, list, range)) for place in places):
        return picked(x, places, line)
    places = spread_out(x, places)
    shape: list[int] = []
    strides: list[int] = []
    steps = x.strides or (0,) * len(x.shape)
    axis = 0
    for place in places:
        if place is None:
            shape.append(1)
            strides.append(1)
            continue
        size, stride = x.shape[axis], steps[axis]
        if isinstance(place, slice):
            count, step = sliced(size, place, line)
            shape.append(count)
            strides.append(stride * step)
        elif isinstance(place, bool) or not isinstance(place, int):
            raise NotKnown(f"the brackets on line {line} pick by something that is not a number")
        elif not -size <= place < size:
            raise Refusal(f"there is no place {place} along axis {axis} of {x}, which is {show_size(size)} long")
        axis += 1
    whole = all(place == slice(None) for place in places)
    field = x.field if whole or x.field.kind in ("all", "input") else OPEN
    known = None if x.strides is None else tuple(strides)
    return replace(x, shape=tuple(shape), strides=known, field=field, fresh=x.fresh and whole)


def spread_out(x: Tensor, places: tuple[Any, ...]) -> tuple[Any, ...]:
    """One place for each axis: `...` and what is left out are whole axes."""
    named = sum(1 for place in places if place is not None and place is not Ellipsis)
    if named > len(x.shape):
        raise Refusal(f"{named} places are named in {x}, which has {len(x.shape)} axes")
    at = next((i for i, place in enumerate(places) if place is Ellipsis), None)
    if at is not None:
        places = places[:at] + (slice(None),) * (len(x.shape) - named) + places[at + 1 :]
    return places + (slice(None),) * (len(x.shape) - sum(1 for place in places if place is not None))


def picked(x: Tensor, places: tuple[Any, ...], line: int) -> Tensor:
    """Places given by tensors or lists of whole numbers: their common shape stands where the first of them stood."""
    for place in places:
        if isinstance(place, Tensor) and place.whole is not True:
            raise NotKnown(f"the brackets on line {line} pick by what depends on the numbers in a tensor")
        if isinstance(place, Tensor) and is_mask(place):
            raise NotKnown(f"the brackets on line {line} pick by a condition, which depends on the numbers in a tensor")
        if isinstance(place, list) and not all(isinstance(each, int) and not isinstance(each, bool) for each in place):
            raise NotKnown(f"the brackets on line {line} are not followed")
    places = spread_out(x, places)
    kept: list[tuple[bool, int]] = []  # whether it comes of a picking axis, and the size
    picks: list[tuple[int, ...]] = []
    first: int | None = None
    axis, apart, last = 0, False, None
    for at, place in enumerate(places):
        if place is None:
            kept.append((False, 1))
            continue
        size = x.shape[axis]
        axis += 1
        if isinstance(place, slice):
            kept.append((False, sliced(size, place, line)[0]))
        elif isinstance(place, (Tensor, list, range, int)):
            picks.append(place.shape if isinstance(place, Tensor) else () if isinstance(place, int) else (len(place),))
            first = len(kept) if first is None else first
            apart = apart or (last is not None and at != last + 1)
            last = at
        else:
            raise NotKnown(f"the brackets on line {line} are not followed")
    shape: tuple[int, ...] = ()
    for each in picks:
        shape = common(shape, each, "and")
    sizes = tuple(size for _, size in kept)
    at = 0 if apart or first is None else first
    found = sizes[:at] + shape + sizes[at:]
    return Tensor(found, x.whole, row_major(found), OPEN)


def is_mask(place: Tensor) -> bool:
    return place.origin == "*mask"


def sliced(size: int, place: slice, line: int) -> tuple[int, int]:
    """How many positions a slice keeps, and its step."""
    if place == slice(None):
        return size, 1
    step = 1 if place.step is None else place.step
    if step < 1:
        raise Refusal(f"the step of a slice must be at least 1, and is {step}")
    count = len_of(place.indices(size))
    if not is_readable(count) or (size >= BATCH and not keeps_meaning(place)):
        raise NotKnown(f"the slice on line {line} depends on the batch size")
    return count, step


def keeps_meaning(place: slice) -> bool:
    """Whether a slice of the batch axis means the same for every N: `[:-1]`, `[1:]` and `[:N]` do, `[:5]` does not."""
    return place.stop is None or place.stop < 0 or place.stop >= BATCH


def len_of(bounds: tuple[int, int, int]) -> int:
    start, stop, step = bounds
    return max(0, (stop - start + step - 1) // step)


def items(value: Any, line: int) -> list[Any]:
    """What a loop over a value goes through."""
    if isinstance(value, Unknown):
        raise NotKnown(value.why, value.line)
    if isinstance(value, Container):
        if "*" in value.parts:
            raise NotKnown(value.parts["*"].why, value.parts["*"].line)
        return list(value.parts) if value.kind.endswith("Dict") else list(value.parts.values())
    if isinstance(value, Instance) and "*parts" in value.attributes:
        return items(value.attributes["*parts"], line)
    if isinstance(value, range):
        start, stop, step = value.start, value.stop, value.step
        if abs(stop - start) // abs(step) > LONGEST_LIST:
            raise NotKnown(f"the loop on line {line} goes on for too long")
        return list(value)
    if isinstance(value, Tensor) and value.shape and value.shape[0] <= 4096:
        part_of = replace(value, shape=value.shape[1:], strides=None, field=OPEN, fresh=False, raw=False)
        return [part_of] * value.shape[0]
    if isinstance(value, (list, tuple, dict, str, set)):
        return list(value)
    raise NotKnown(f"the loop on line {line} goes over something that is not known")
