"""Functions that torch runs by itself, so that several threads compute at once.

Python lets one thread at a time go on, and a loop of small products comes back to Python after each. TorchScript takes such a
loop over as it is written, and needs no compiler; a torch or a Python that has it no longer runs the function as it is.
"""

import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import ParamSpec, TypeVar

import torch

P = ParamSpec("P")
R = TypeVar("R")

WITHOUT = (3, 14)  # from this Python on torch does not promise it


@cache
def unlocked(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, free of Python's lock where torch can do that."""
    if sys.version_info >= WITHOUT or not hasattr(torch.jit, "script"):
        return function
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        scripted: Callable[P, R] = torch.jit.script(function)
    return scripted
