"""Whole-number sizes, and the batch size N that nobody has chosen yet."""

import math
from collections.abc import Iterable

BATCH = 2**61 - 1
"""Stands for N in every size. A prime this large divides no size of a real net, so plain whole-number arithmetic
answers for all N at once: 2·N stays 2·N, and N·144 numbers fill rows of 120 only where they do for every N."""

SMALL = 2**40  # no size of a real net is larger; a number between SMALL and BATCH has lost its meaning
LARGEST = BATCH**4


def is_readable(size: int) -> bool:
    """Whether a size is a plain number, or a sum of small multiples of powers of N."""
    return abs(size) < LARGEST and all(abs(digit) < SMALL for digit in digits(size))


def digits(size: int) -> list[int]:
    """A size as the coefficients of 1, N, N², …, each between −N/2 and N/2.

    >>> digits(3 * BATCH - 2)
    [-2, 3]
    """
    found = []
    while size:
        rest = (size + BATCH // 2) % BATCH - BATCH // 2
        found.append(rest)
        size = (size - rest) // BATCH
    return found or [0]


def show_size(size: int) -> str:
    """A size as a person writes it.

    >>> show_size(28), show_size(BATCH), show_size(2 * BATCH), show_size(BATCH - 1)
    ('28', 'N', '2N', 'N − 1')
    """
    if not is_readable(size):
        return "?"
    terms = ""
    for power, digit in reversed(list(enumerate(digits(size)))):
        if digit or (power == 0 and not terms):
            sign = (" − " if digit < 0 else " + ") if terms else ("−" if digit < 0 else "")
            letter = ("", "N", "N²", "N³", "N⁴")[power]
            terms += sign + (letter if letter and abs(digit) == 1 else f"{abs(digit)}{letter}")
    return terms


def show_shape(shape: Iterable[int]) -> str:
    """Sizes with × between them; a single number has no axis.

    >>> show_shape((BATCH, 8, 28, 28))
    'N×8×28×28'
    """
    return "×".join(show_size(size) for size in shape) or "one number"


def without_batch(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of one example: the first axis that is N is left out."""
    if BATCH not in shape:
        return shape
    place = shape.index(BATCH)
    return shape[:place] + shape[place + 1 :]


def show_example(shape: tuple[int, ...]) -> str:
    """The shape of one example where N stands in front, and the whole shape where it stands elsewhere."""
    return show_shape(shape[1:] if shape[:1] == (BATCH,) else shape)


def product(sizes: Iterable[int]) -> int:
    return math.prod(sizes)
