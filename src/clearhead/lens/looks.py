"""What was seen inside a model on one text: the attention of every head, in plain arrays, and where it came from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clearhead.errors import InputError, ShapeError

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LayerLook:
    """The attention of one layer: rows are who looks, columns what is looked at."""

    name: str  # "1", or "encoder 1", "cross 1": what stands before the point in a head's name
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    weights: Array  # (heads, n_q, n_k)  each row sums to 1
    visible: NDArray[np.bool_] | None = None  # (n_q, n_k); None: every row sees every column
    q: Array | None = None  # (heads, n_q, d_k); None: not known
    k: Array | None = None  # (heads, n_k, d_k)
    v: Array | None = None  # (heads, n_k, d_v)
    output: Array | None = None  # (heads, n_q, d_v)
    scale: float | None = None  # what the products q·k are multiplied by; None: 1/√d_k
    bias: Array | None = None  # (heads, n_q, n_k): what is added to the scaled scores, as by T5's positions
    groups: tuple[int, ...] = ()  # of each head, which keys it shares, from 1; none: each has its own
    row_places: tuple[int, ...] = ()  # where in the text each row stands; none: one after the other
    column_places: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        wanted = (len(self.weights), len(self.rows), len(self.columns))
        if self.weights.ndim != 3 or self.weights.shape != wanted:
            raise ShapeError(
                f"layer {self.name}: weights must be (heads, rows, columns) with a name each: they are {self.weights.shape}, "
                f"with {len(self.rows)} and {len(self.columns)} names."
            )

    @property
    def heads(self) -> int:
        return len(self.weights)

    @property
    def scores(self) -> Array | None:
        """Q Kᵀ of each head, (heads, n_q, n_k)."""
        if self.q is None or self.k is None:
            return None
        return np.asarray(self.q @ self.k.swapaxes(-1, -2), dtype=np.float32)

    @property
    def scaled(self) -> Array | None:
        """scores / √d_k, or by the model's own scale, and what its positions add."""
        if self.scores is None or self.q is None:
            return None
        by = self.q.shape[-1] ** -0.5 if self.scale is None else self.scale
        return np.asarray(self.scores * by + (0 if self.bias is None else self.bias), dtype=np.float32)

    @property
    def at_rows(self) -> NDArray[np.int64]:
        """Where in the text each row stands."""
        return np.asarray(self.row_places or range(len(self.rows)))

    @property
    def at_columns(self) -> NDArray[np.int64]:
        """Where in the text each column stands."""
        return np.asarray(self.column_places or range(len(self.columns)))

    def head_name(self, head: int) -> str:
        """As people write it: `2.5` is head 5 of layer 2, both counted from 1."""
        return f"{self.name}.{head + 1}"

    def seen(self) -> NDArray[np.bool_]:
        """Who may look at whom: (n_q, n_k)."""
        return np.ones(self.weights.shape[1:], dtype=bool) if self.visible is None else self.visible


@dataclass(frozen=True, eq=False)
class Seen:
    """One text through one model: layers of attention, guesses on the way, and notes on what a person should know."""

    source: str  # which run or model
    text: str
    layers: tuple[LayerLook, ...]
    notes: tuple[str, ...] = ()
    guesses: tuple[Mapping[str, Any], ...] = ()  # the logit lens: where, and the best tokens with their probabilities
    answer: Mapping[str, Any] = field(default_factory=dict)  # what is watched: the answer and its probability, changed or not
    controls: Mapping[str, Sequence["Seen"]] = field(default_factory=dict)  # the same on blank models and on shuffled texts
    names: tuple[int, ...] = ()  # places of names in the text, where it has any
    worked_out: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # what was made of it already

    def __post_init__(self) -> None:
        if not self.layers:
            raise InputError(f"{self.source}: there is no attention to look at.")

    def layer(self, name: str) -> LayerLook:
        """A layer by its name."""
        found = next((layer for layer in self.layers if layer.name == name), None)
        if found is None:
            raise InputError(f"there is no layer {name!r}; layers: {', '.join(layer.name for layer in self.layers)}.")
        return found

    def head(self, name: str) -> tuple[LayerLook, int]:
        """A head by its name, such as 2.5: the layer, and which of its heads from 0."""
        before, _, number = name.rpartition(".")
        if not before or not number.isdigit():
            raise InputError(f"{name!r} is no head; write LAYER.HEAD, both counted from 1, such as 2.5.")
        layer = self.layer(before)
        if not 1 <= int(number) <= layer.heads:
            raise InputError(f"layer {before} has the heads {before}.1 to {before}.{layer.heads}; there is no {name}.")
        return layer, int(number) - 1

    def heads(self) -> Iterator[tuple[LayerLook, int]]:
        """Every head, layer by layer."""
        for layer in self.layers:
            for head in range(layer.heads):
                yield layer, head
