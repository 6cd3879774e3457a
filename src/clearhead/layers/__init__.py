"""The source text of a network -> its layers, shapes and weights, where it breaks, and how to mend it. Never runs it."""

from clearhead.layers.analysis import Analysis, Input, analyse, read_input
from clearhead.layers.describing import describe
from clearhead.layers.rewriting import Ending

__all__ = ["Analysis", "Ending", "Input", "analyse", "describe", "read_input"]
