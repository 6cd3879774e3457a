"""Single numbers: the cell that their label, their words or the vectors before them name."""

import re

from clearhead.exact.decimals import as_float
from clearhead.working.reading.hypotheses.evidence import Evidence, arguments_of, text_of
from clearhead.working.reading.hypotheses.phrases import ABOVE, OWN
from clearhead.working.reading.hypotheses.possible_steps import Fit, Target, agrees_all
from clearhead.working.reading.names.synonyms import TURNED
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.sides import NUMBER, Side, number_of
from clearhead.working.reading.page.unit import Unit
from clearhead.working.reading.page.values import FUNCTION
from clearhead.working.written import Place

COUNTING = re.compile(r"([A-Za-zα-ω]+)(?:_?\{?[tinkl]\}?|\[[tinkl]\]|\([tinkl]\))?")


class SingleNumbers(Evidence):
    """Units of one number."""

    def by_index(self, unit: Unit) -> None:
        """A number that is right for a cell that its labels name, or that its chain was worked out for."""
        if unit.final.layout != "number":
            return
        exact = self.named_cell(unit)
        for step, place, near in [exact] if exact is not None else self.named_cells(unit):
            fit = self.signed_fit(unit, step, place)
            if fit.full and not (fit.share < 1 and self.is_aside(unit)):
                if (step, place) in self.done.taken and self.done.taken[step, place].full:
                    self.done.units.add(unit.order)
                else:
                    self.done.add(self.claim(unit, fit, near, sure=True, why="index"))
                return

    def by_name(self) -> None:
        """Numbers that are right nowhere, under the name of a cell that nothing right was found for."""
        named: dict[tuple[str, Place], list[tuple[Unit, float]]] = {}
        for unit in self.units:
            if unit.order in self.done.units or unit.final.layout != "number":
                continue
            for step, place, near in self.named_cells(unit)[:1]:
                named.setdefault((step, place), []).append((unit, near))
        for (step, place), found in named.items():
            if (step, place) in self.done.taken:
                continue
            nearest = max(near for _, near in found)
            kept = [unit for unit, near in found if near == nearest]
            worked = [unit for unit in kept if self.worked_fit(unit, Target(step, (place,)))]
            meant = [unit for unit in kept if self.is_made_of_needs(unit, step)] if len(kept) > 1 else []
            kept = meant or kept  # others under the same name are other examples
            values = {text_of(unit) for unit in kept}
            unit = (worked or kept)[-1]
            alone = len(values) == 1 and not self.holds_more(unit, step, place)
            sure = len(worked) == 1 or (nearest >= OWN and alone and (bool(meant) or self.has_right_siblings(unit, step)))
            self.done.add(
                self.claim(
                    unit, self.signed_fit(unit, step, place), nearest, sure=sure, why="name" if len(values) == 1 else "several"
                )
            )

    def holds_more(self, unit: Unit, step: str, place: Place) -> bool:
        """Whether a total differs from the right one by another number of the page: it counts something else too."""
        cell = unit.final.cells[0][0]
        gap = as_float(cell.value) - self.atlas.of[step][place[0]][place[1]] if isinstance(cell, Amount) else 0.0
        others = (one.final.cells[0][0] for one in self.units if one is not unit and one.final.layout == "number")
        return gap > 0 and any(isinstance(one, Amount) and abs(as_float(one.value) - gap) < 1e-9 * gap for one in others)

    def signed_fit(self, unit: Unit, step: str, place: Place) -> Fit:
        """A number against a cell; with its sign turned where the words say that it is written so."""
        target = Target(step, (place,))
        fit = self.atlas.fit(unit.final, target)
        turned = TURNED.get(step)
        cell = unit.final.cells[0][0]
        right = self.atlas.of[step][place[0]][place[1]]
        if (
            not fit.full
            and turned
            and isinstance(cell, Amount)
            and as_float(cell.value) * right <= 0
            and self.says_turned(unit, turned)
        ):
            return self.atlas.fit(unit.final, target, -1)
        return fit

    def named_cells(self, unit: Unit) -> list[tuple[str, Place, float]]:
        """The cells that a number may be by its labels, nearest first."""
        found = [self.named_cell(unit), *self.spoken_cells(unit), self.dotted_cell(unit)]
        return sorted((one for one in dict.fromkeys(found) if one is not None), key=lambda one: -one[2])

    def says_turned(self, unit: Unit, words: tuple[str, ...]) -> bool:
        text = " ".join([unit.own, *unit.above, *unit.headings[:1]]).lower()
        return any(word.lower() in text for word in words)

    def named_cell(self, unit: Unit) -> tuple[str, Place, float] | None:
        """The cell that the labels of a number name."""
        head = self.phrases.head_of(unit)
        for label in [*unit.labels, *counted_label(unit)]:
            found = self.phrases.names.resolve(label.strip(" ,.;*`"), head)
            if found is None or not found.names or found.which:
                continue
            step = found.names[0]
            place = self.place_of(found.index, found.style, step)
            if place is not None:
                return step, place, OWN
        return None

    def names_free_cell(self, unit: Unit) -> bool:
        """Whether a number's own label names a cell that nothing was found for."""
        named = self.named_cell(unit)
        return named is not None and named[:2] not in self.done.taken

    def spoken_cells(self, unit: Unit) -> list[tuple[str, Place, float]]:
        """Score("bends" → "trees"): the step in words, row and column by name; or a step of one number."""
        found: list[tuple[str, Place, float]] = []
        for step in self.atlas.steps:
            near = self.near(unit, step)
            turned = TURNED.get(step)
            if near < ABOVE and turned and self.says_turned(unit, turned):
                near = ABOVE
            if len(self.phrases.families[self.phrases.base_of(step)]) > 1 and not self.is_numbered(unit, step):
                continue
            place = self.place_in_words(unit, step) if near >= ABOVE else None
            if place is not None:
                found.append((step, place, near))
        return found

    def is_numbered(self, unit: Unit, step: str) -> bool:
        """Whether the words near a unit hold the number of its head or layer: Conv 2, head 1."""
        number = step[len(self.phrases.base_of(step)) :]
        return any(re.search(rf"(?<!\d){number}(?!\d)", text) for text in (unit.own, *unit.headings[:1]))

    def place_in_words(self, unit: Unit, step: str) -> Place | None:
        rows, columns = self.atlas.shape(step)
        if (rows, columns) == (1, 1):
            return (0, 0)
        one = self.phrases.steps[step]
        spots_r = self.phrases.names_said(unit, one.rows) if one.rows else []
        spots_c = self.phrases.names_said(unit, one.columns) if one.columns else []
        if rows == 1 and spots_c:
            return (0, spots_c[-1]) if len(set(spots_c)) <= 2 else None
        if len(spots_r) >= 2 and len(spots_c) >= 2 and one.rows == one.columns:
            return (spots_r[0], spots_c[1])
        if len(set(spots_r)) == 1 and len(set(spots_c)) == 1 and one.rows != one.columns:
            return (spots_r[0], spots_c[0])
        return None

    def place_of(self, index: tuple[str, ...], style: str, step: str) -> Place | None:
        rows, columns = self.atlas.shape(step)
        one = self.phrases.steps[step]
        if not index:
            return (0, 0) if (rows, columns) == (1, 1) else None
        base = self.index_base(style)
        parts = list(index)
        if len(parts) == 1 and len(parts[0]) == 2 and parts[0].isdigit() and rows > 1:
            parts = [parts[0][0], parts[0][1]]
        if len(parts) == 1:
            column = position(parts[0], base, one.columns)
            return (0, column) if rows == 1 and column is not None and column < columns else None
        i, j = position(parts[0], base, one.rows), position(parts[1], base, one.columns)
        return (i, j) if i is not None and j is not None and i < rows and j < columns else None

    def index_base(self, style: str) -> int:
        if style not in self.bases:
            seen = [
                part
                for unit in self.units
                for label in unit.labels
                if (found := self.phrases.names.resolve(label.strip(" ,.;*`"))) is not None and found.style == style
                for part in found.index
            ]
            self.bases[style] = 0 if any(set(part) & {"0"} and len(part) < 3 for part in seen) else 1
        return self.bases[style]

    def dotted_cell(self, unit: Unit) -> tuple[str, Place, float] | None:
        """[2, 0] · [1, 1] = 2: the rows of the two needs tell the cell of their product."""
        vectors = arguments_of(unit)
        if len(vectors) != 2:
            return None
        head = self.phrases.head_of(unit)
        options: list[tuple[float, str, Place]] = []
        for step in self.atlas.steps:
            needs = [self.atlas.of.get(need) for need in self.phrases.steps[step].needs]
            if len(needs) != 2 or needs[0] is None or needs[1] is None or len(needs[0][0]) != len(needs[1][0]):
                continue
            near = self.near(unit, step) + (0.6 if head and step.endswith(head) else 0.0)
            for i, left in enumerate(needs[0]):
                for j, right in enumerate(needs[1]):
                    rows, columns = self.atlas.shape(step)
                    if i < rows and j < columns and agrees_all(vectors[0], left) and agrees_all(vectors[1], right):
                        options.append((near, step, (i, j)))
        if not options:
            return None
        near, step, place = max(options, key=lambda one: (one[0], (one[1], one[2]) not in self.done.taken))
        return step, place, max(near, ABOVE)

    def inside_functions(self) -> None:
        """tanh(0.80) = 0.66: what a function is taken of is the step that it is made from."""
        for claim in list(self.done.claims):
            needs = [need for need in self.phrases.steps[claim.step].needs if need in self.order]
            needs = [need for need in needs if self.atlas.shape(need) == (1, 1) and (need, (0, 0)) not in self.done.taken]
            for side in claim.unit.sides if len(claim.cells) == 1 and len(needs) == 1 else ():
                match = FUNCTION.fullmatch(side.text) if side.worked else None
                inside = number_of(match[2]) if match is not None and NUMBER.fullmatch(match[2].strip()) else None
                if inside is not None:
                    fit = self.atlas.fit(Side([[inside]], "number", inside.text), Target(needs[0], ((0, 0),)))
                    self.done.add(self.claim(claim.unit, fit, ABOVE, sure=False, why="inside"))


def counted_label(unit: Unit) -> list[str]:
    """h_t in the row of t = 2 is h_2."""
    number = re.sub(r"\D", "", unit.prefix)
    named = COUNTING.fullmatch(unit.column.strip(" *`")) if unit.column and number and len(unit.prefix) < 8 else None
    return [f"{named[1]}{number}"] if named is not None else []


def position(index: str, base: int, names: tuple[str, ...]) -> int | None:
    if index.isdigit():
        return int(index) - base if int(index) >= base else None
    return names.index(index) if index in names else None
