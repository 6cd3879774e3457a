"""Edits that make a broken net run: the smallest one for each break, checked again after it is made."""

from dataclasses import dataclass, field

from clearhead.layers.analysis import Analysis, analyse
from clearhead.layers.net_input import Input
from clearhead.layers.source.edits import Edit, diff_of
from clearhead.layers.source.file_text import line_of, place
from clearhead.layers.source.missing_commas import Comma, mend_commas
from clearhead.layers.source.syntax_tree import fault_of, parse

MOST = 100  # breaks in one net


@dataclass(frozen=True, slots=True)
class Repair:
    """One edit: the line (counted in the source as mended so far), what stood there and what stands there now."""

    line: int
    before: str
    after: str


@dataclass(slots=True)
class NetReading:
    """A source as it was given, and as it is once mended."""

    given: str
    analysis: Analysis  # of the source as given, or with its commas put in
    commas: list[Comma] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    mended: str = ""
    after: Analysis | None = None  # of the mended source; its break is None if every break was mended

    @property
    def diff(self) -> str:
        """The repairs as a unified diff."""
        return diff_of(self.given, self.mended, "mended")


def read(text: str, wanted: Input, net: str | None = None, title: str = "the source") -> NetReading:
    """Read a source; where commas are missing, read it with them, so that the table can go as far as it goes."""
    with_commas, commas = mend_commas(text)
    if commas and fault_of(with_commas) is not None:
        parse(text, title)  # commas do not mend it all: say where the first fault is
    return NetReading(text, analyse(with_commas, wanted, net, title), commas)


def mend(reading: NetReading, net: str | None = None) -> NetReading:
    """Mend one break after the other, as long as each edit gets the net further."""
    text = reading.given
    for comma in reading.commas:
        text = note(reading, text, comma.edit)
    analysis, wanted = reading.analysis, reading.analysis.input
    for _ in range(MOST):
        if analysis.broken is None or analysis.unknown is not None:
            break
        better = first_that_helps(text, analysis, wanted, net)
        if better is None:
            break
        edit, analysis = better
        text = note(reading, text, edit)
    reading.mended, reading.after = text, analysis
    return reading


def note(reading: NetReading, text: str, edit: Edit) -> str:
    """Apply an edit and write down the line that it changes."""
    line = place(text.encode()[: edit.start].decode())[0]
    after = edit.apply(text)
    added = edit.text.count("\n")
    shown = "\n".join(line_of(after, line + more) for more in range(added + 1))
    reading.repairs.append(Repair(line, line_of(text, line), shown))
    return after


def first_that_helps(text: str, analysis: Analysis, wanted: Input, net: str | None) -> tuple[Edit, Analysis] | None:
    """The first edit after which the net gets further, and nothing in it is less known."""
    assert analysis.broken is not None
    for fix in analysis.broken.fixes:
        edit = fix.edit(analysis.broken.at, text)
        if edit is None:
            continue
        after = analyse(edit.apply(text), wanted, net)
        if after.unknown is None and gets_further(analysis, after):
            return edit, after
    return None


def gets_further(before: Analysis, after: Analysis) -> bool:
    """Whether a net breaks later than before, or at the same layer for another reason, or no more."""
    if before.broken is None or after.broken is None:
        return after.broken is None
    other = after.broken.why != before.broken.why and after.broken.line == before.broken.line
    return after.progress > before.progress or (after.progress == before.progress and other)
