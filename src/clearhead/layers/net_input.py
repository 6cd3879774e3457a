"""What is put into a net: the shape of one example, as a person writes it; several of them, by name or in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from clearhead.errors import InputError
from clearhead.layers.values.axis_sizes import BATCH
from clearhead.layers.values.tensors import Tensor, row_major

LARGEST_SIZE = 2**31
HINT = "Write one example, as in --input 1x32x32 (channels, height, width); a batch axis N is put in front."
KINDS = {"int": True, "long": True, "float": False}


@dataclass(frozen=True, slots=True)
class Input:
    """The shape of one example; `place` is where the batch axis stands, if the person said so.

    `batch` is what stands for the batch: N, a number the source insists on, or None where the sizes are all there is.
    """

    sizes: tuple[int, ...]
    place: int | None = None
    whole: bool = False
    name: str = ""
    batch: int | None = BATCH
    said: bool = False  # the person said whether it holds whole numbers

    @property
    def shape(self) -> tuple[int, ...]:
        if self.batch is None:
            return self.sizes
        at = self.place or 0
        return (*self.sizes[:at], self.batch, *self.sizes[at:])

    def tensor(self) -> Tensor:
        """The tensor that the net gets."""
        return Tensor(self.shape, self.whole, row_major(self.shape), fresh=True, raw=True, origin=self.name or "input")


def read_input(text: str) -> Input:
    """`1x32x32`, `7xNx5` where the batch axis is not in front, `tokens=16:int` by name and kind.

    >>> read_input("1x32x32").sizes, read_input("7xNx5").place
    ((1, 32, 32), 1)
    >>> read_input("tokens=16:int").name, read_input("tokens=16:int").whole
    ('tokens', True)
    """
    named = re.fullmatch(r"\s*([A-Za-z_]\w*)\s*=(.*)", text, re.DOTALL)
    name, rest = (named[1], named[2]) if named else ("", text)
    shape, colon, kind = rest.partition(":")
    if colon and kind.strip() not in KINDS:
        raise InputError(f"--input must end in :int or :float, or in nothing, and is {text!r}. {HINT}")
    words = shape.strip().strip("()[]").replace("×", "x").replace("X", "x").replace("n", "N").split("x")
    numbers = [word for word in words if word != "N"]
    if words.count("N") > 1 or not all(word.isascii() and word.isdigit() for word in numbers):
        raise InputError(f"--input must be whole numbers with x between them, and is {text!r}. {HINT}")
    sizes = tuple(int(word) for word in numbers if len(word) < 12)
    if len(sizes) != len(numbers) or any(not 1 <= size < LARGEST_SIZE for size in sizes):
        raise InputError(f"--input must hold sizes from 1 to {LARGEST_SIZE - 1:,}, and is {text!r}. {HINT}")
    return Input(sizes, words.index("N") if "N" in words else None, KINDS.get(kind.strip(), False), name, said=bool(colon))


def read_inputs(texts: Sequence[str]) -> tuple[Input, ...]:
    """Several inputs, in the order they are given; each name once."""
    found = tuple(read_input(text) for text in texts)
    names = [each.name for each in found if each.name]
    if len(set(names)) < len(names):
        raise InputError(f"--input must name each input once, and names {', '.join(names)}.")
    if not found:
        raise InputError(f"--input must be given. {HINT}")
    return found


def with_batch_in_front(given: tuple[Input, ...]) -> tuple[Input, ...] | None:
    """The same with the first size of each read as the batch axis (`1x3x32x32`), or None where that cannot be meant."""
    if any(each.place is not None or len(each.sizes) < 2 for each in given):
        return None
    return tuple(replace(each, sizes=each.sizes[1:]) for each in given)


def as_they_stand(given: tuple[Input, ...]) -> tuple[Input, ...] | None:
    """The same without any batch axis, or None where the person said where it stands."""
    if any(each.place is not None for each in given):
        return None
    return tuple(replace(each, batch=None) for each in given)
