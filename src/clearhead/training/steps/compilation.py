"""Optional compilation: faster steps after a slow start, and a note where it cannot be had."""

import shutil
from collections.abc import Callable
from typing import TypeVar

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
