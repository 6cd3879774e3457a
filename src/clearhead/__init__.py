"""Clearhead works attention problems by hand, marks other people's working, trains the same models, and looks inside them."""

from clearhead.version import __version__

__all__ = ["__version__"]
