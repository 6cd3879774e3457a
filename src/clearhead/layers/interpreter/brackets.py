"""Square brackets and loops: an item of a list, a slice of a tensor, the things a loop goes over."""

from dataclasses import replace
from typing import Any

from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import BATCH, is_readable, show_size
from clearhead.layers.values.net_parts import Container, Instance
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Tensor

LONGEST = 100_000


def index(value: Any, place: Any, line: int) -> Any:
    """`value[place]`."""
    if isinstance(place, Unknown):
        raise NotKnown(place.why, place.line)
    if isinstance(value, Tensor):
        return slice_tensor(value, place if isinstance(place, tuple) else (place,), line)
    if isinstance(value, Container):
        return part(value, place, line)
    if isinstance(value, dict) and isinstance(place, (str, int)):
        if place not in value:
            raise Refusal(f"there is no key {place!r}")
        return value[place]
    if isinstance(value, tuple) and isinstance(place, tuple) and value and isinstance(value[0], Tensor):
        raise Refusal(f"these are {len(value)} results at once (a tuple), not a tensor; take the first with [0]", TakeFirst())
    if isinstance(value, (list, tuple, str)) and isinstance(place, slice):
        return value[place]
    if isinstance(value, (list, tuple, str)) and isinstance(place, int):
        if not -len(value) <= place < len(value):
            raise Refusal(f"there is no place {place} among {len(value)}")
        return value[place]
    raise NotKnown(f"the brackets on line {line} are not followed")


def part(container: Container, place: Any, line: int) -> Any:
    """A part of a Sequential or a list of modules; a slice is a smaller one."""
    names = list(container.parts)
    if isinstance(place, slice):
        chosen = [container.parts[name] for name in names[place]]
        return Container(container.kind, {str(i): each for i, each in enumerate(chosen)}, line)
    if isinstance(place, str) and place in container.parts:
        return container.parts[place]
    if isinstance(place, int):
        if not -len(names) <= place < len(names):
            raise Refusal(f"there is no part {place} among {len(names)}")
        return container.parts[names[place]]
    raise NotKnown(f"the brackets on line {line} are not followed")


def slice_tensor(x: Tensor, places: tuple[Any, ...], line: int) -> Tensor:
    """Numbers take an axis away, slices shorten it, None adds one, `...` stands for the axes in between."""
    named = sum(1 for place in places if place is not None and place is not Ellipsis)
    if named > len(x.shape):
        raise Refusal(f"{named} places are named in {x}, which has {len(x.shape)} axes")
    if Ellipsis in [place for place in places if not isinstance(place, Tensor)]:
        at = next(i for i, place in enumerate(places) if place is Ellipsis)
        places = places[:at] + (slice(None),) * (len(x.shape) - named) + places[at + 1 :]
    places += (slice(None),) * (len(x.shape) - sum(1 for place in places if place is not None))
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
    """Whether a slice of the batch axis means the same for every N: `[:-1]` and `[1:]` do, `[:5]` does not."""
    return place.stop is None or place.stop < 0


def len_of(bounds: tuple[int, int, int]) -> int:
    start, stop, step = bounds
    return max(0, (stop - start + step - 1) // step)


def items(value: Any, line: int) -> list[Any]:
    """What a loop over a value goes through."""
    if isinstance(value, Unknown):
        raise NotKnown(value.why, value.line)
    if isinstance(value, Container):
        return list(value.parts) if value.kind == "ModuleDict" else list(value.parts.values())
    if isinstance(value, Instance) and "*parts" in value.attributes:
        return list(value.attributes["*parts"].parts.values())
    if isinstance(value, range):
        start, stop, step = value.start, value.stop, value.step
        if abs(stop - start) // abs(step) > LONGEST:
            raise NotKnown(f"the loop on line {line} goes on for too long")
        return list(value)
    if isinstance(value, (list, tuple, dict, str)):
        return list(value)
    raise NotKnown(f"the loop on line {line} goes over something that is not known")
