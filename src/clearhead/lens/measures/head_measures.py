"""What a head does, in numbers: how spread out it looks, how far back, and how much of it falls on places of a kind."""

from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from clearhead.lens.capture.token_names import PART
from clearhead.lens.looks import LayerLook, Seen

MEASURES = {
    "entropy": "bits by which a row is spread out, the mean of the rows",
    "spread": "the entropy as a share of that of an even spread over what a row sees",
    "distance": "tokens looked back, by weight",
    "itself": "share on its own place",
    "first": "share on the first place",
    "previous": "share on the place before",
    "same": "share on earlier places with the same token",
    "after_same": "share on what came after the same token earlier on",
    "names": "share of the last place on names",
}
"""Every measure and what it says; a share is over the rows in which such a place can be seen."""


@dataclass(frozen=True, slots=True)
class HeadMeasures:
    """The measures of one head; nan where no row has a place of the kind."""

    entropy: float
    spread: float
    distance: float
    itself: float
    first: float
    previous: float
    same: float
    after_same: float
    names: float

    def tree(self) -> dict[str, float | None]:
        """As JSON has it: null where there is nothing to measure."""
        return {name: None if np.isnan(value) else round(float(value), 6) for name, value in asdict(self).items()}


def measured_heads(look: Seen) -> dict[str, HeadMeasures]:
    """Every head of a look, worked out once."""
    if "measures" not in look.worked_out:
        places = {layer.name: places_of(layer, look.names) for layer in look.layers}
        look.worked_out["measures"] = {
            layer.head_name(head): measured_head(layer.weights[head], places[layer.name]) for layer, head in look.heads()
        }
    found: dict[str, HeadMeasures] = look.worked_out["measures"]
    return found


@dataclass(frozen=True, slots=True)
class CellPlaces:
    """Of one layer: who sees whom, how far back, and which cells are of which kind; each (n_q, n_k)."""

    visible: NDArray[np.bool_]
    back: NDArray[np.float64]
    kinds: dict[str, NDArray[np.bool_]]


def places_of(layer: LayerLook, names: tuple[int, ...] = ()) -> CellPlaces:
    """The kinds of cells of a layer; a row counts for a kind where it sees a cell of it, and more than that alone."""
    rows, columns = layer.at_rows[:, None], layer.at_columns[None, :]
    visible = layer.seen()
    tokens = np.asarray([word.removeprefix("latent at ") for word in layer.columns], dtype=object)
    asking = np.asarray([word.removeprefix("latent at ") for word in layer.rows], dtype=object)
    alike = (asking[:, None] == tokens[None, :]) & (tokens != PART) & (columns < rows)  # parts of letters are named alike
    before = np.zeros_like(alike)
    before[:, 1:] = alike[:, :-1] & (columns[:, 1:] == columns[:, :-1] + 1)
    last = np.zeros_like(visible)
    if len(layer.rows) and layer.at_rows[-1] == layer.at_columns.max():  # a latent stands before the last token
        last[-1] = np.isin(layer.at_columns, names)
    kinds = {
        "itself": columns == rows,
        "first": (columns == 0) & (rows > 0),
        "previous": columns == rows - 1,
        "same": alike,
        "after_same": before & (columns <= rows),
        "names": last,
    }
    return CellPlaces(
        visible, np.maximum(rows - columns, 0).astype(float), {kind: cells & visible for kind, cells in kinds.items()}
    )


def measured_head(weights: NDArray[np.float32], places: CellPlaces) -> HeadMeasures:
    """One head, (n_q, n_k); rows that see one place only say nothing and are left out."""
    visible = places.visible
    telling = visible.sum(-1) > 1
    if not telling.any():
        return HeadMeasures(*(float("nan") for _ in MEASURES))
    w = np.where(visible, weights, 0).astype(float)
    logs = np.log2(np.where(w > 0, w, 1.0))
    entropy = -(w * logs).sum(-1)  # (n_q,)
    even = np.log2(np.maximum(visible.sum(-1), 2))
    shares = {kind: share_on(w, cells, telling) for kind, cells in places.kinds.items()}
    return HeadMeasures(
        entropy=float(entropy[telling].mean()),
        spread=float((entropy / even)[telling].mean()),
        distance=float((w * places.back).sum(-1)[telling].mean()),
        **shares,
    )


def share_on(weights: NDArray[np.float64], cells: NDArray[np.bool_], telling: NDArray[np.bool_]) -> float:
    """The mean share that rows give to cells, over the rows that have such a cell."""
    rows = cells.any(-1) & telling
    return float((weights * cells).sum(-1)[rows].mean()) if rows.any() else float("nan")
