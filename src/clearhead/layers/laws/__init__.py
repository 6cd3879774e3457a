"""The kinds of layers that are known: a family a file, and one line for each family in this table."""

from clearhead.layers.laws import (
    attention_layers,
    convolutions,
    dense_layers,
    nonlinearities,
    norms,
    pools,
    recurrent_layers,
    reshapes,
)
from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, Twin, Weights
from clearhead.layers.laws.signatures import parameters

__all__ = ["LAWS", "TWINS", "Arguments", "Law", "Numbers", "Outcome", "Twin", "Weights", "parameters"]

FAMILIES = (
    convolutions,
    pools,
    dense_layers,
    reshapes,
    norms,
    nonlinearities,
    recurrent_layers,
    attention_layers,
)
LAWS: dict[str, Law] = {kind: law for family in FAMILIES for kind, law in family.LAWS.items()}
TWINS: dict[str, tuple[str, Twin]] = {law.twin.name: (kind, law.twin) for kind, law in LAWS.items() if law.twin}
