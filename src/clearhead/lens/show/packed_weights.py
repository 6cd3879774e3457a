"""The weights of all heads in few bytes: the largest of each row, to 1/65,535; what is left out is told as a sum."""

import base64
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.lens.looks import Array, LayerLook, Seen

MOST_ENTRIES = 2_400_000  # kept weights of a page, of all heads together
MOST_NUMBERS = 400_000  # of q, k and v
ONE = 65_535


@dataclass(frozen=True, slots=True)
class Packed:
    """Bytes for a page, and what it must know to unpack them."""

    data: str  # base64 of zlib: counts of each row, places, weights (low bytes, high bytes), then q, k, v and the bias, if any
    rows: int
    entries: int
    kept: int  # of each row at most; 0: all
    numbers: int  # float32 numbers at the end
    vectors: tuple[str, ...]  # the heads whose q, k and v are there, in their order

    def tree(self) -> dict[str, Any]:
        """As the page reads it."""
        return {
            "data": self.data,
            "rows": self.rows,
            "entries": self.entries,
            "kept": self.kept,
            "numbers": self.numbers,
            "vectors": list(self.vectors),
        }


def packed(look: Seen, head: str = "", most: int = MOST_ENTRIES) -> Packed:
    """Every head of a look; q, k and v of all heads where they are small, else of the one that is named."""
    kept = largest_that_fits([layer.weights for layer in look.layers], most)
    counts, places, values = zip(*(sparse(layer.weights, kept) for layer in look.layers), strict=True)
    count, place, value = (np.concatenate(each).astype("<u2") for each in (counts, places, values))
    vectors, names = vectors_of(look, head)
    planes = [count.tobytes(), *two_planes(place), *two_planes(value)]
    raw = b"".join(planes)
    raw += b"\0" * (-len(raw) % 4) + vectors.astype("<f4").tobytes()
    data = base64.b64encode(zlib.compress(raw, 6)).decode("ascii")
    return Packed(data, len(count), len(place), kept, len(vectors), names)


def two_planes(x: NDArray[np.uint16]) -> tuple[bytes, bytes]:
    """Low bytes and high bytes apart: they shrink better so."""
    return (x & 255).astype(np.uint8).tobytes(), (x >> 8).astype(np.uint8).tobytes()


def largest_that_fits(layers: Sequence[NDArray[np.float32]], most: int) -> int:
    """How many weights of each row can be kept; 0: all of them.

    >>> largest_that_fits([np.full((2, 4, 4), 0.25)], 16), largest_that_fits([np.full((2, 4, 4), 0.25)], 32)
    (2, 0)
    """
    if sum(int((weights * ONE >= 0.5).sum()) for weights in layers) <= most:
        return 0
    rows = sum(weights.shape[0] * weights.shape[1] for weights in layers)
    return int(max(1, most // max(1, rows)))


def sparse(weights: NDArray[np.float32], kept: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Of each row how many are kept, the steps from one kept place to the next, and their weights in 1/65,535."""
    heads, n_q, n_k = weights.shape
    whole = (np.clip(weights, 0, 1).reshape(heads * n_q, n_k) * ONE + 0.5).astype(np.uint16)
    if kept and kept < n_k:
        least = np.partition(whole, n_k - kept, axis=-1)[:, n_k - kept : n_k - kept + 1]  # the kept-th largest of each row
        whole[whole < least] = 0
        many = np.flatnonzero(
            (whole > 0).sum(-1) > kept
        )  # rows in which several tie for the last place: the first of them stay
        tied = whole[many] == least[many]
        room = kept - (whole[many] > least[many]).sum(-1, keepdims=True)
        whole[many] = np.where(tied & (np.cumsum(tied, axis=-1) > room), 0, whole[many])
    rows, columns = np.nonzero(whole)
    counts = np.bincount(rows, minlength=heads * n_q)
    steps = np.diff(columns, prepend=0)
    firsts = np.concatenate([[True], rows[1:] != rows[:-1]]) if len(rows) else np.zeros(0, dtype=bool)
    return counts, np.where(firsts, columns, steps), whole[rows, columns]


def vectors_of(look: Seen, head: str) -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """q, k, v and a bias one after the other, head by head."""
    known = [(layer, number) for layer, number in look.heads() if layer.q is not None and layer.rows]
    if sum(size_of(layer) for layer, _ in known) > MOST_NUMBERS:
        named = [look.head(head)] if head else []
        known = [(layer, number) for layer, number in named if layer.q is not None and size_of(layer) <= MOST_NUMBERS]
    parts = [part[number].ravel() for layer, number in known for part in vectors_in(layer)]
    flat = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
    return flat, tuple(layer.head_name(number) for layer, number in known)


def vectors_in(layer: LayerLook) -> list[Array]:
    """q, k, v and what the positions add, as far as they are known."""
    return [part for part in (layer.q, layer.k, layer.v, layer.bias) if part is not None]


def size_of(layer: LayerLook) -> int:
    """Numbers of one head's vectors."""
    return sum(part[0].size for part in vectors_in(layer))
