"""What is put into a net: the shape of one example, as a person writes it."""

from dataclasses import dataclass

from clearhead.errors import InputError
from clearhead.layers.values.axis_sizes import BATCH
from clearhead.layers.values.tensors import Tensor, row_major

LARGEST_SIZE = 2**31


@dataclass(frozen=True, slots=True)
class Input:
    """The shape of one example; `place` is where the batch axis stands, if the person said so."""

    sizes: tuple[int, ...]
    place: int | None = None
    whole: bool = False

    def tensor(self) -> Tensor:
        at = self.place or 0
        shape = (*self.sizes[:at], BATCH, *self.sizes[at:])
        return Tensor(shape, self.whole, row_major(shape), fresh=True, raw=True)


def read_input(text: str) -> Input:
    """`1x32x32`, or `7xNx5` where the batch axis is not in front.

    >>> read_input("1x32x32").sizes, read_input("7xNx5").place
    ((1, 32, 32), 1)
    """
    words = text.strip().replace("×", "x").replace("X", "x").replace("n", "N").split("x")
    numbers = [word for word in words if word != "N"]
    hint = "Write one example, as in --input 1x32x32 (channels, height, width); a batch axis N is put in front."
    if words.count("N") > 1 or not all(word.isascii() and word.isdigit() for word in numbers):
        raise InputError(f"--input must be whole numbers with x between them, and is {text!r}. {hint}")
    sizes = tuple(int(word) for word in numbers if len(word) < 12)
    if len(sizes) != len(numbers) or any(not 1 <= size < LARGEST_SIZE for size in sizes):
        raise InputError(f"--input must hold sizes from 1 to {LARGEST_SIZE - 1:,}, and is {text!r}. {hint}")
    return Input(sizes, words.index("N") if "N" in words else None)
