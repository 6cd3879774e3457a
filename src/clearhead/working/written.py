"""What a person wrote, as data: numbers with the digits they carry, cells with their place and line, steps, notes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from clearhead.exact.expressions import Cell

Place = tuple[int, int]
"""Row and column of a cell, counted from 0 inside the code; files and reports count from 1."""


LAST_COUNTS = "; the last counts"
"""Ends the note on what was written twice, with different numbers."""


class Written(NamedTuple):
    """One number as it stands in a working; a class writes hundreds of thousands, so that making one must be quick."""

    text: str  # as written: "0.62", "5/2", "2^{1/2}", "38%"
    value: Cell  # what it says, exactly: 31/50, 5/2, √2, 19/50
    decimals: int | None = None  # digits after the point (a percent has two more); None: an exact form such as 5/2 or e^3
    otherwise: Cell | None = None  # a second reading, taken only where it alone is right: 2^{1/2} as 2½
    line: int = 0
    sum: "WrittenSum | None" = None  # the sum that was written out before it


@dataclass(frozen=True, slots=True)
class WrittenSum:
    """A cell's own arithmetic, `(1·0) + (-1·1) + (2·1)`: each term a product of the numbers written."""

    text: str
    terms: tuple[tuple[Cell, ...], ...]
    value: Cell  # what the terms add up to
    line: int = 0
    otherwise: Cell | None = None  # what they add up to where 2^{1/2} means 2½


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """One step as a person wrote it: any subset of its cells."""

    name: str  # the plan's name: "scores"
    cells: dict[Place, Written]
    shape: Place | None = None  # rows and columns as written, where a whole table was; None: single cells or rows
    line: int = 0
    unreadable: dict[Place, str] = field(default_factory=dict)  # cells that stand there but cannot be read, as written


@dataclass(frozen=True, slots=True)
class Note:
    """Something to tell the person about their working; `step` is "" where it is about the whole."""

    step: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything found in a working, in the order of the plan's steps, and what could not be read."""

    steps: dict[str, WrittenStep]
    notes: tuple[Note, ...] = ()
    unreadable: tuple[Note, ...] = ()  # lines that look like mathematics for a known step but cannot be read
    page: str = ""  # the text itself, where it is a page that may be looked at again; none for a file of cells
    doubts: Mapping[tuple[str, Place], str] = field(default_factory=dict)  # cells whose reading has a rival, and which
    scanned: bool = False  # read off a picture by OCR, which loses signs and points
    faint: frozenset[tuple[int, str]] = frozenset()  # numbers of a picture (line, as read) that the OCR is not sure of
    constant_error: float = 0.0  # how far, relatively, a root that the page states as a decimal is off: √2 ≈ 1.41
