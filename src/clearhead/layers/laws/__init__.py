"""The kinds of layers that are known: a family a file, and one line for each family in this table."""

from importlib import import_module

from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, Twin, Weights
from clearhead.layers.laws.signatures import parameters

__all__ = ["LAWS", "TWINS", "Arguments", "Law", "Numbers", "Outcome", "Twin", "Weights", "parameters"]

FAMILIES = (
    "convolutions",
    "pools",
    "dense_layers",
    "reshapes",
    "norms",
    "nonlinearities",
    "recurrent_layers",
    "attention_layers",
    "transformers",
    "pads",
    "resizes",
    "lazy_layers",
    "losses_and_distances",
)
"""The file of that name beside this one has `LAWS`: the layers of the family by torch's names."""

LAWS: dict[str, Law] = {
    kind: law for family in FAMILIES for kind, law in import_module(f"clearhead.layers.laws.{family}").LAWS.items()
}
"""Every known layer by torch's name."""

TWINS: dict[str, tuple[str, Twin]] = {law.twin.name: (kind, law.twin) for kind, law in LAWS.items() if law.twin}
"""The functions that do what a layer does, each with that layer."""
