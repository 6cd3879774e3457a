"""The source text of a network -> its layers, shapes and weights, where it breaks, and how to mend it. Never runs it."""

from clearhead.layers.analysis import Analysis, analyse
from clearhead.layers.description import describe
from clearhead.layers.net_input import Input, read_input
from clearhead.layers.repairs.equal_convolution import Ending

__all__ = ["Analysis", "Ending", "Input", "analyse", "describe", "read_input"]
