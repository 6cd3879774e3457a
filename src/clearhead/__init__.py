"""Clearhead works attention problems by hand, marks other people's working, trains the same models, and looks inside them."""

from typing import TYPE_CHECKING

from clearhead.version import __version__

if TYPE_CHECKING:
    from clearhead.working import load_problem, work

__all__ = ["__version__", "load_problem", "work"]


def __getattr__(name: str) -> object:
    """`import clearhead` stays light: what works problems is read when it is first asked for."""
    if name in {"load_problem", "work"}:
        from clearhead import working

        return getattr(working, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
