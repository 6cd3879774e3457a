"""Clearhead works attention problems by hand, marks other people's working, trains the same models, and looks inside them."""

from importlib import import_module
from typing import TYPE_CHECKING

from clearhead.version import __version__

if TYPE_CHECKING:
    from clearhead.lens import look
    from clearhead.run import Run, open_run, train
    from clearhead.working import load_problem, work
    from clearhead.working.marking import mark

__all__ = ["Run", "__version__", "load_problem", "look", "mark", "open_run", "train", "work"]

HOMES = {
    "load_problem": "working",
    "work": "working",
    "mark": "working.marking",
    "look": "lens",
    "Run": "run",
    "open_run": "run",
    "train": "run",
}
"""Where each name lives: `import clearhead` stays light, and a room is read when it is first asked for."""


def __getattr__(name: str) -> object:
    if name in HOMES:
        return getattr(import_module(f"clearhead.{HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
