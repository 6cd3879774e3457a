"""Edits that make a broken net run: the smallest one for each break, checked again after it is made."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from clearhead.layers.analysis import Analysis, analyse
from clearhead.layers.net_input import Input
from clearhead.layers.repairs.outer_edits import outer_edits
from clearhead.layers.repairs.producer_edits import producer_edits
from clearhead.layers.source.edits import Edit, diff_of
from clearhead.layers.source.file_text import line_of, lines_in, place
from clearhead.layers.source.missing_commas import Comma, mend_commas
from clearhead.layers.source.syntax_tree import fault_of, parse

MOST = 100  # breaks in one net
MOST_EDITS = 40  # tried for one break
Analyse = Callable[[str], Analysis]


class Repair(NamedTuple):
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

    @property
    def is_broken(self) -> bool:
        """Whether the source as given breaks."""
        return bool(self.commas) or self.analysis.broken is not None

    @property
    def runs_now(self) -> bool:
        """Whether it broke, and is mended to the end."""
        return self.is_broken and self.after is not None and self.after.broken is None and bool(self.repairs)


def read(text: str, wanted: Input | Sequence[Input], net: str | None = None, title: str = "the source") -> NetReading:
    """Read a source; where commas are missing, read it with them, so that the table can go as far as it goes."""
    with_commas, commas = mend_commas(text)
    if commas and fault_of(with_commas) is not None:
        parse(text, title)  # commas do not mend it all: say where the first fault is
    return NetReading(text, analyse(with_commas, wanted, net, title), commas)


def mend(reading: NetReading, net: str | None = None, again: Analyse | None = None) -> NetReading:
    """Mend one break after the other, as long as each edit gets the net further. `again` reads (or runs) a text anew."""
    text, analysis = reading.given, reading.analysis
    wanted = analysis.inputs
    again = again or (lambda edited: analyse(edited, wanted, net or analysis.net.again))
    if reading.commas:
        text = analysis.text
        reading.repairs += comma_repairs(reading.given, reading.commas)
    for _ in range(MOST):
        if analysis.broken is None or analysis.unknown is not None:
            break
        better = first_that_helps(text, analysis, again)
        if better is None:
            break
        edit, analysis = better
        text = note(reading, text, edit)
    reading.mended, reading.after = text, analysis
    return reading


def comma_repairs(text: str, commas: list[Comma]) -> list[Repair]:
    """Each comma as an edit of its line."""
    lines, found = lines_in(text), list[Repair]()
    for comma in commas:
        before = lines[comma.line - 1]
        at = comma.column + sum(repair.line == comma.line for repair in found[-20:])
        lines[comma.line - 1] = before[:at] + "," + before[at:]
        found.append(Repair(comma.line, before, lines[comma.line - 1]))
    return found


def note(reading: NetReading, text: str, edit: Edit) -> str:
    """Apply an edit and write down the line that it changes."""
    line = place(text.encode()[: edit.start].decode())[0]
    after = edit.apply(text)
    added = edit.text.count("\n")
    shown = "\n".join(line_of(after, line + more) for more in range(added + 1))
    reading.repairs.append(Repair(line, line_of(text, line), shown))
    return after


def first_that_helps(text: str, analysis: Analysis, again: Analyse) -> tuple[Edit, Analysis] | None:
    """The edit after which the net runs, or else the first after which it gets further and nothing is less known."""
    assert analysis.broken is not None
    further: tuple[Edit, Analysis] | None = None
    for tried, edit in enumerate(edits_for(text, analysis)):
        if tried >= MOST_EDITS:
            break
        after = again(edit.apply(text))
        if after.unknown is not None or not gets_further(analysis, after):
            continue
        if after.broken is None:
            return edit, after
        if further is None or after.progress > further[1].progress:
            further = edit, after
    return further


def edits_for(text: str, analysis: Analysis) -> Iterator[Edit]:
    """Every edit that may mend the break, each once: where the size was brought, then where the layer is made."""
    assert analysis.broken is not None
    seen: set[Edit] = set()
    for fix in analysis.broken.fixes:
        for edit in (*outer_edits(fix, analysis.broken.at, text), fix.edit(analysis.broken.at, text)):
            if edit is not None and edit not in seen:
                seen.add(edit)
                yield edit
    for edit in producer_edits(analysis, text):
        if edit not in seen:
            seen.add(edit)
            yield edit


def gets_further(before: Analysis, after: Analysis) -> bool:
    """Whether a net breaks later than before, or at the same layer for another reason, or no more."""
    if before.broken is None or after.broken is None:
        return after.broken is None
    other = after.broken.why != before.broken.why and after.broken.line == before.broken.line
    return after.progress > before.progress or (after.progress == before.progress and other)
