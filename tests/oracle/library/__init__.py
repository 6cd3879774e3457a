"""The bundled formula problems once more, in numpy and torch: from the givens of each, the numbers it must come to.

Knows nothing of clearhead. Each function takes the givens as arrays (a list is one row) and returns some of the steps,
the answers always among them.
"""

from oracle.library import (
    attentions,
    chances,
    descents,
    layers,
    likenesses,
    makers,
    recurrent_cells,
    rewards,
    windows,
)
from oracle.library.solution import LIBRARY

__all__ = [
    "LIBRARY",
    "attentions",
    "chances",
    "descents",
    "layers",
    "likenesses",
    "makers",
    "recurrent_cells",
    "rewards",
    "windows",
]
