"""A first reading by labels and a second by values, brought together: right values stay, the rest must be well supported."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.exact.matrices import Matrix
from clearhead.working.reading.hypotheses.assignment import Assigner
from clearhead.working.reading.hypotheses.claimed_cells import Assignment, CellClaim
from clearhead.working.reading.hypotheses.intermediates import intermediates
from clearhead.working.reading.hypotheses.other_values import Otherwise, Slips
from clearhead.working.reading.hypotheses.phrases import HEADING, TITLE, Phrases
from clearhead.working.reading.hypotheses.possible_steps import Atlas
from clearhead.working.reading.names.aliases import ATTENTION_KINDS
from clearhead.working.reading.names.labels import Signature, names_for
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.numbers.decimal_commas import as_on_page
from clearhead.working.reading.page.unit import Unit
from clearhead.working.reading.page.units import units_of
from clearhead.working.steps import Plan
from clearhead.working.written import Note, Place, Reading, Written, WrittenStep, WrittenSum

Accepts = Callable[[str, Place, Cell, Written], bool]
FORM = re.compile(r"\s*(\w+)\s*[=:]\s*(?:[-+−]?[\d.]+|\[[-+−\d.,;/\s\[\]]*\])\s*$")
UNWORKED = re.compile(r"[^\W\d_]{2,}|σ|\d\s*[+*×·]|\)\s*[+*×·^(-]")  # arithmetic that was not worked out
LARGEST_ERROR = 0.02  # a constant that is further off was not meant as an approximation


ONLY_NAME = "only its name says what it is"
RIVAL = "these are the right values of"


def is_form(page: str, steps: Sequence[str]) -> bool:
    """Whether a page is nothing but answers under the steps' own names, a line each: then its labels are meant.

    >>> is_form("d_w = 7.5\\n\\nnew_w = 0.15", ["d_w", "new_w"]), is_form("so d_w = 7.5", ["d_w"])
    (True, False)
    """
    found = [FORM.match(line) for line in page.splitlines() if line.strip()]
    return bool(found) and all(match is not None and match[1] in steps for match in found)


class SecondLook:
    """What the pages of one problem are looked at with: its words and its values, made once."""

    def __init__(self, plan: Plan, worked: Mapping[str, Matrix]) -> None:
        names = names_for(Signature(plan))
        self.phrases = Phrases(names, plan.kind in ATTENTION_KINDS)
        steps = [name for name in names.steps if name in worked]
        self.atlas = Atlas(worked, steps, [name for name in plan.given if name in worked])
        self.aside = intermediates(names.steps, self.atlas)
        self.page: tuple[str, list[Unit]] = ("", [])  # the one looked at last, taken apart
        self.found = Assignment()  # what was found in it

    def assign(self, page: str, own: Otherwise | None = None, slips: Slips = tuple) -> Assignment:
        if self.page[0] != page:
            self.phrases.forget()
            self.page = page, units_of(page)
        return Assigner(self.page[1], self.phrases, self.atlas, self.aside).assign(own, slips)

    def asides(self, page: str) -> list[tuple[int, str, str]]:
        """The numbers of a page that are no cell of a step: line, as written, and "given" or "intermediate"."""
        found = self.assign(page) if page else Assignment()
        words = [(found.givens, "given"), (found.intermediate, "intermediate")]
        return [
            (unit.final.line or unit.line, cell.text, word)
            for orders, word in words
            for unit in found.all_units
            if unit.order in orders
            for row in unit.final.cells
            for cell in row
            if isinstance(cell, Amount)
        ]

    def unplaced(self) -> list[list[list[Written]]]:
        """The results on the page looked at last that were taken for nothing, neither a step nor a given: rows of numbers."""
        rows_left = map(numbers_of, self.left_over())
        return [rows for rows in rows_left if rows and all(len(row) == len(rows[0]) > 0 for row in rows)]

    def left_over(self) -> list[Unit]:
        """The units of the page looked at last that were taken for nothing."""
        placed = self.found.givens | {claim.unit.order for claim in self.found.claims}
        return [unit for unit in self.found.all_units if unit.order not in placed and unit.final.cells]

    def written_twice(self) -> set[tuple[str, Place]]:
        """The cells that stand on the page looked at last with the right number and with another."""
        return {(claim.step, place) for claim in self.found.contradicted if claim.sure for place in claim.cells}

    def unread(self) -> set[str]:
        """The steps that seem to stand on the page, and of which nothing was found.

        Something of their size has their name; or something was worked out, and taken for nothing, in the section where
        what is made from them stands."""
        left, taken = self.left_over(), {step for step, _ in self.found.taken}
        named = {
            target.step
            for unit in left
            for target in self.atlas.targets(unit.final)
            if target.step in self.atlas.steps and not target.partial and self.phrases.says(unit, target.step) >= HEADING
        }
        worked = [(unit.headings[:1], unit.line) for unit in left if unit.worked]
        before = {
            need
            for claim in self.found.claims
            if any(at == claim.unit.headings[:1] and line < claim.unit.line for at, line in worked)
            for need in self.phrases.steps[claim.step].needs
            if need in self.atlas.steps and need not in taken
        }
        return named | before

    def at(self, first: Reading, accepts: Accepts, own: Otherwise | None = None, slips: Slips = tuple) -> Reading:
        """The first reading, mended by what the values tell."""
        found = self.found = self.assign(first.page, own, slips)
        joined = Joining(first, found, accepts)
        for name in self.atlas.steps:
            joined.step(name, self.atlas.shape(name))
        form = is_form(first.page, self.atlas.steps)
        mended = replace(
            first,
            steps={name: step for name, step in joined.steps.items() if step.cells or step.unreadable},
            notes=(*joined.notes, *contradictions(found)),
            unreadable=tuple(note for note in first.unreadable if note.step not in joined.mended),
            doubts={at: why for at, why in joined.doubts.items() if not form or RIVAL in why},
            constant_error=max((error_of(unit) for unit in found.all_units), default=0.0),
        )
        return as_on_page(mended)


def numbers_of(unit: Unit) -> list[list[Written]]:
    """The finite numbers that a unit comes to, row by row."""
    line = unit.final.line or unit.line
    return [
        [
            Written(cell.text, cell.value, cell.decimals, cell.otherwise, line)
            for cell in row
            if isinstance(cell, Amount) and not isinstance(cell.value, float)
        ]
        for row in unit.final.cells
    ]


class Joining:
    """Two readings of one page, step by step."""

    def __init__(self, first: Reading, found: Assignment, accepts: Accepts) -> None:
        self.first, self.found, self.accepts = first, found, accepts
        self.steps: dict[str, WrittenStep] = {}
        self.doubts: dict[tuple[str, Place], str] = {}
        self.notes = list(first.notes)
        self.mended: set[str] = set()
        self.explained = Counter(
            (line, pointed(cell.text))
            for claim in found.claims
            for at, row in enumerate(claim.unit.final.cells)
            for cell in row
            if isinstance(cell, Amount) and cell in claim.cells.values()
            for line in lines_of(claim.unit, at)
        )
        self.lines = [pointed(line) for line in first.page.split("\n")]

    def step(self, name: str, shape: Place) -> None:
        before = self.first.steps.get(name)
        if before is not None and name in self.found.misshapen and before.shape not in (None, shape):
            self.steps[name] = before
            return
        claims = {place: claim for (step, place), claim in self.found.taken.items() if step == name}
        if before is None and not claims:
            return
        cells: dict[Place, Written] = {}
        old = before.cells if before is not None else {}
        for place in sorted({*old, *claims}):
            self.cell(name, place, old.get(place), claims.get(place), cells)
        if claims:
            self.mended.add(name)
        misfit = before is not None and before.shape not in (None, shape)
        if misfit and claims:
            cells = {place: cell for place, cell in cells.items() if place in claims}
        keeps_shape = before is not None and before.shape is not None and not (misfit and claims)
        if misfit and not claims and before is not None and name not in self.found.misshapen:
            for place in before.cells:
                self.doubts[name, place] = "its size is not that of the step, and nothing else on the page speaks for it"
        line = min((cell.line for cell in cells.values() if cell.line), default=before.line if before else 0)
        unreadable = {p: text for p, text in (before.unreadable if before else {}).items() if p not in cells}
        self.steps[name] = WrittenStep(name, cells, before.shape if before and keeps_shape else None, line, unreadable)

    def cell(self, name: str, place: Place, old: Written | None, claim: CellClaim | None, cells: dict[Place, Written]) -> None:
        new = written_of(claim, place) if claim is not None else None
        if new is None or claim is None:
            assert old is not None
            right = self.accepts(name, place, old.value, old)
            if right or not self.is_explained(old):
                cells[place] = old
            if not right and name not in self.found.misshapen:
                self.doubts[name, place] = "only its place on the page says that it belongs here"
            return
        if old is not None and old.value == new.value:
            cells[place] = old if new.sum is None else new  # which knows its own chain from the others of its line
        elif old is not None and self.accepts(name, place, old.value, old) and not self.says_more(name, place, old, new):
            cells[place] = new if claim.full and claim.sure and self.is_explained(old) else old
        else:
            cells[place] = new
        if not claim.sure:
            self.doubts[name, place] = doubt_of(claim)

    def is_explained(self, old: Written) -> bool:
        """Whether a number was taken for something else, as often as it stands on its line."""
        taken = self.explained[old.line, pointed(old.text)]
        line = self.lines[old.line - 1] if 0 < old.line <= len(self.lines) else ""
        return taken >= max(len(re.findall(rf"(?<![\d.]){re.escape(pointed(old.text))}(?![\d.]\d?)", line)), 1)

    def says_more(self, name: str, place: Place, old: Written, new: Written) -> bool:
        """Whether another number is right too, to more decimals: 1 is right for 0.587 only as far as it goes.

        Any number says more than the arithmetic that it was worked out from."""
        unworked = old.decimals is None and UNWORKED.search(old.text) is not None
        more = new.decimals is not None and (unworked or (old.decimals is not None and new.decimals > old.decimals))
        return more and self.accepts(name, place, new.value, new)


def lines_of(unit: Unit, row: int) -> set[int]:
    """The lines on which a row of a unit may stand: a table's may have a heading above it."""
    first = unit.final.line or unit.line
    return {first, first + row, first + row + (len(unit.final.cells) > 1)}


def pointed(text: str) -> str:
    return text.replace(",", ".")


def doubt_of(claim: CellClaim) -> str:
    if claim.why == "inside":
        return "it stands only inside a function"
    if claim.rival:
        return f"{RIVAL} {claim.rival}"
    if claim.why == "several":
        return "more than one number has this label"
    if any(text.strip(" #*`_:=${}") == claim.step for text in (*claim.unit.labels, claim.unit.prefix)):
        return ONLY_NAME
    return "only its label says what it is" if claim.near >= TITLE else "its label is too far away to be sure"


def written_of(claim: CellClaim, place: Place) -> Written | None:
    cell = claim.cells.get(place)
    if not isinstance(cell, Amount):
        return None
    value = -cell.value if claim.turned else cell.value
    other = None if cell.otherwise is None else -cell.otherwise if claim.turned else cell.otherwise
    total = claim.sums.get(place)
    if total is not None:
        terms = tuple((-term[0], *term[1:]) for term in total.terms) if claim.turned else total.terms
        sum_value = -total.value if claim.turned else total.value
        total = WrittenSum(total.text, terms, sum_value, claim.unit.line, total.otherwise)
    return Written(cell.text, value, cell.decimals, other, claim.unit.final.line or claim.unit.line, total)


def contradictions(found: Assignment) -> list[Note]:
    """What was written once more and differently, where the right value stands elsewhere."""
    text = "written again here with other numbers; the right ones were kept"
    return [Note(claim.step, claim.unit.line, text) for claim in found.contradicted if claim.sure][:20]


def error_of(unit: Unit) -> float:
    """How far off a stated root is: √2 ≈ 1.41."""
    roots = [side.cells[0][0] for side in unit.sides if side.worked and "√" in side.text and len(side.text) < 12 and side.cells]
    final = unit.final.cells[0][0] if unit.final.layout == "number" else None
    if not roots or not isinstance(final, Amount) or not isinstance(roots[0], Amount) or not roots[0].value:
        return 0.0
    error = abs(as_float(final.value) / as_float(roots[0].value) - 1)
    return error if error < LARGEST_ERROR else 0.0
