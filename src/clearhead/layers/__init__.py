"""The source text of a network -> its layers, shapes and weights, where it breaks, and how to mend it. Never runs it."""

from clearhead.layers.analysis import Analysis, analyse, net_calls
from clearhead.layers.description import Description, describe, examine
from clearhead.layers.net_input import Input, read_input, read_inputs

__all__ = [
    "Analysis",
    "Description",
    "Input",
    "analyse",
    "describe",
    "examine",
    "net_calls",
    "read_input",
    "read_inputs",
]
