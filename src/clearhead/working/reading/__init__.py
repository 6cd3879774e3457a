"""Somebody's working, as a person writes it → the cells of each step, what could not be read, and what was read how."""

from clearhead.working.reading.sources import read_working

__all__ = ["read_working"]
