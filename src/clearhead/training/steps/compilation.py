"""What is done to the parts of a model before it learns: compiled for speed, or worked out again on the way back for memory."""

import shutil
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from torch.utils.checkpoint import checkpoint

from clearhead.models import Model

Compilable = TypeVar("Compilable", bound=Model)


def compiled(model: Compilable, note: Callable[[str], None]) -> Compilable:
    """The same model with its parts compiled in place; as it is, with a note, where there is no C++ compiler."""
    if not any(shutil.which(name) for name in ("g++", "clang++", "c++", "cl")):
        note("no C++ compiler was found, so nothing is compiled: the run goes on, only slower.")
        return model
    for part in model.compilable():
        part.compile(dynamic=True)
    return model


def recomputing(model: Compilable, note: Callable[[str], None]) -> Compilable:
    """The same model, whose blocks keep what comes in and nothing else: on the way back they are worked out again."""
    if not model.compilable():
        note(f"a {type(model).__name__} has no blocks to work out again, so recompute changes nothing.")
    for part in model.compilable():
        part.forward = partial(checkpoint, part.forward, use_reentrant=False)
    return model
