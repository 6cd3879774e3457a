"""The reading that explains most of a page: which unit is which step, by its values first and its labels second."""

import re
from dataclasses import dataclass, field

from clearhead.exact.decimals import as_float
from clearhead.working.reading.amounts import Amount, read_sum
from clearhead.working.reading.phrases import ABOVE, HEADING, OWN, Phrases
from clearhead.working.reading.synonyms import TURNED
from clearhead.working.reading.targets import Atlas, Fit, Target, agreement, agrees_all
from clearhead.working.reading.units import Unit
from clearhead.working.reading.values import Side, vector_of
from clearhead.working.written import Place, WrittenSum

VECTOR = re.compile(r"[\[(<]([^\[\]()<>]*)[\])>]")
TELLING = 1.9  # so much must agree before numbers alone tell what they are


@dataclass(slots=True)
class Claim:
    """A unit taken for a step: its cells by place, and how far the reading can be trusted."""

    unit: Unit
    step: str
    cells: dict[Place, Amount]
    full: bool  # every cell agrees with the right values
    near: float  # how near the step is named
    sure: bool
    why: str = ""
    rival: str = ""
    sum: WrittenSum | None = None
    turned: bool = False  # written with its sign turned


@dataclass(slots=True)
class Assignment:
    """Claims, and which place each step's cells were taken from."""

    claims: list[Claim] = field(default_factory=list)
    taken: dict[tuple[str, Place], Claim] = field(default_factory=dict)
    units: set[int] = field(default_factory=set)  # those that have been explained
    givens: set[int] = field(default_factory=set)
    contradicted: list[Claim] = field(default_factory=list)

    def add(self, claim: Claim) -> None:
        """Right values come first; what contradicts one is only noted."""
        self.units.add(claim.unit.order)
        clash = [key for key in claim.cells if (claim.step, key) in self.taken]
        if not claim.full and clash and any(self.taken[claim.step, key].full for key in clash):
            self.contradicted.append(claim)
            fresh = {key: cell for key, cell in claim.cells.items() if (claim.step, key) not in self.taken}
            if not fresh:
                return
            claim.cells = fresh
        self.claims.append(claim)
        for key in claim.cells:
            self.taken.setdefault((claim.step, key), claim)


class Assigner:
    """Goes over the units of one page."""

    def __init__(self, units: list[Unit], phrases: Phrases, atlas: Atlas) -> None:
        self.units, self.phrases, self.atlas = units, phrases, atlas
        self.done = Assignment()
        self.base = 0 if any(phrases.number_said(unit) == "0" for unit in units) else 1
        self.fits = {unit.order: atlas.fits(unit) for unit in units}
        self.order = {name: at for at, name in enumerate(atlas.steps)}

    def assign(self) -> Assignment:
        for unit in self.units:
            self.by_value(unit)
        self.groups()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_index(unit)
        self.sequences()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_label(unit)
        return self.done

    # what the numbers themselves tell

    def by_value(self, unit: Unit) -> None:
        """A table, vector or size all of whose numbers are right for one thing is that thing."""
        if unit.final.layout == "number":
            return
        full = [fit for fit in self.fits[unit.order] if fit.full]
        if not full:
            return
        best = max(full, key=lambda fit: self.rank(unit, fit))
        near = self.near(unit, best.target.step)
        if best.target.step in self.atlas.given:
            self.done.givens.add(unit.order)
            self.done.units.add(unit.order)
            return
        if near < HEADING and best.weight < TELLING and not self.sized(unit):
            return
        if best.target.partial and near < ABOVE:
            return
        self.done.add(self.claim(unit, best, near, sure=True, why="values"))

    def sized(self, unit: Unit) -> bool:
        return unit.final.layout == "size" and len(unit.final.cells[0]) > 2

    def near(self, unit: Unit, step: str) -> float:
        return self.phrases.says(unit, step) if step in self.order else 0.0

    def rank(self, unit: Unit, fit: Fit) -> tuple[float, ...]:
        """Which of several targets that agree: the one that is named, whose row is named, not yet filled, next in order."""
        target = fit.target
        given = target.step in self.atlas.given
        near = self.near(unit, target.step) if not given else 0.4
        head = self.phrases.head_of(unit)
        near += 0.6 if head and target.step.endswith(head) else 0.0
        row = self.row_said(unit, target.step) if not given else None
        rows = target.rows
        agrees = 0.0 if row is None or len(rows) != 1 else 1.0 if rows == {row} and not target.turned else -1.0
        agrees += self.argument_row(unit, target)
        fresh = 0.0 if given else sum((target.step, place) not in self.done.taken for place in target.places if place is not None) > 0
        place = min((place for place in target.places if place is not None), default=(0, 0))
        return (
            near + agrees + 0.6 * fresh - 0.5 * target.turned - 0.3 * target.partial,
            fit.share,
            -float(self.order.get(target.step, -1)),
            -float(place[0]),
            -float(place[1]),
        )

    def row_said(self, unit: Unit, step: str) -> int | None:
        """The row that the words of a unit name, if any."""
        names = self.phrases.steps[step].rows
        spots = self.phrases.names_said(unit, names) if names and len(set(names)) == len(names) else []
        if spots and len(set(spots)) == 1:
            return spots[0]
        number = self.phrases.number_said(unit)
        if number and 0 <= int(number) - self.base < self.atlas.shape(step)[0]:
            return int(number) - self.base
        return None

    def argument_row(self, unit: Unit, target: Target) -> float:
        """softmax([…]) = […]: the row of what the step is made from tells its own row."""
        if len(target.rows) != 1 or target.step not in self.order:
            return 0.0
        row = next(iter(target.rows))
        for vector in arguments_of(unit):
            for need in self.phrases.steps[target.step].needs:
                values = self.atlas.of.get(need)
                if values and len(values) > row and agrees_all(vector, values[row]):
                    return 0.8
        return 0.0

    def claim(self, unit: Unit, fit: Fit, near: float, *, sure: bool, why: str, rival: str = "") -> Claim:
        flat = [cell for row in fit.side.cells for cell in row]
        cells = {p: c for p, c in zip(fit.target.places, flat, strict=True) if p is not None and isinstance(c, Amount)}
        total = next((found for text in unit.worked if (found := read_sum(text)) is not None), None) if len(cells) == 1 else None
        return Claim(unit, fit.target.step, cells, fit.full, near, sure, why, rival, total, fit.flipped)

    # rows of one list

    def groups(self) -> None:
        """Units of one form, one below the other, are the rows (or the cells) of one step."""
        for group in grouped(self.units, self.phrases):
            width = len(group[0].final.cells[0])
            if width > 1:
                self.row_group(group)
            else:
                self.cell_group(group)

    def row_group(self, group: list[Unit]) -> None:
        width = len(group[0].final.cells[0])
        best: tuple[float, str, list[Fit]] | None = None
        for step in self.atlas.steps:
            if step not in self.atlas.of or self.atlas.shape(step)[1] != width or self.atlas.shape(step)[0] < len(group):
                continue
            rows = self.rows_of(group, step)
            if rows is None:
                continue
            fits = [self.atlas.fit(u.final, Target(step, tuple((i, j) for j in range(width)))) for u, i in zip(group, rows)]
            score = sum(fit.weight for fit in fits) + max(self.near(unit, step) for unit in group)
            if best is None or score > best[0]:
                best = (score, step, fits)
        if best is None:
            return
        score, step, fits = best
        near = max(self.near(unit, step) for unit in group)
        right = sum(fit.full for fit in fits)
        weight = sum(fit.weight for fit in fits)
        if near < HEADING and right * 2 < len(fits):
            return
        for unit, fit in zip(group, fits):
            if unit.order in self.done.units:
                continue
            sure = (right * 2 >= len(fits) and weight >= TELLING) or (near >= ABOVE and fit.share > 0.5)
            self.done.add(self.claim(unit, fit, near, sure=sure or near >= ABOVE, why="list"))

    def rows_of(self, group: list[Unit], step: str) -> list[int] | None:
        said = [self.row_said(unit, step) for unit in group]
        if all(row is not None for row in said) and len(set(said)) == len(said):
            return [row for row in said if row is not None]
        return list(range(len(group))) if len(group) == self.atlas.shape(step)[0] else None

    def cell_group(self, group: list[Unit]) -> None:
        """Numbers one below the other: all cells of a step of one row (or one row of a step), by name or in order."""
        best: tuple[float, str, list[Fit]] | None = None
        for step in self.atlas.steps:
            rows, columns = self.atlas.shape(step)
            for row in range(rows):
                places = self.cells_of(group, step, row, columns)
                if places is None:
                    continue
                fits = [self.best_sign(unit, Target(step, (place,))) for unit, place in zip(group, places)]
                score = sum(fit.weight for fit in fits) + max(self.near(unit, step) for unit in group)
                if best is None or score > best[0] + 1e-9:
                    best = (score, step, fits)
        if best is None:
            return
        _, step, fits = best
        near = max(self.near(unit, step) for unit in group)
        right = sum(fit.full for fit in fits)
        if (near < HEADING and right < len(fits)) or (near < 0 and right < len(fits)) or (right == 0 and near < OWN):
            return
        if near < HEADING and sum(fit.weight for fit in fits) < TELLING:
            return
        for unit, fit in zip(group, fits):
            if unit.order not in self.done.units:
                worked = self.worked_fit(unit, fit.target)
                sure = right * 2 >= len(fits) or worked
                self.done.add(self.claim(unit, fit, near, sure=sure, why="list"))

    def best_sign(self, unit: Unit, target: Target) -> Fit:
        return self.atlas.fit(unit.final, target)

    def cells_of(self, group: list[Unit], step: str, row: int, columns: int) -> list[Place] | None:
        names = self.phrases.steps[step].columns
        said = [self.phrases.names_said(unit, names) if names and len(set(names)) == len(names) else [] for unit in group]
        if all(said) and len({spots[-1] for spots in said}) == len(group):
            return [(row, spots[-1]) for spots in said]
        return [(row, j) for j in range(columns)] if len(group) == columns and columns > 1 else None

    def worked_fit(self, unit: Unit, target: Target) -> bool:
        """Whether what the value was worked out from is the right value of the target."""
        place = target.places[0]
        if place is None or len(target.places) > 1:
            return False
        right = self.atlas.of[target.step][place[0]][place[1]]
        for side in unit.sides:
            cell = side.cells[0][0] if side.cells and side.worked else None
            if isinstance(cell, Amount) and len(side.cells) == 1 == len(side.cells[0]) and tells(cell, right):
                return True
        return False

    # single numbers

    def by_index(self, unit: Unit) -> None:
        """A number whose label names its cell, or a step of one cell; or a chain that was worked out from the right value."""
        if unit.final.layout != "number":
            return
        found = self.named_cell(unit) or self.dotted_cell(unit)
        if found is None:
            return
        step, place, near = found
        fit = self.atlas.fit(unit.final, Target(step, (place,)))
        turned = TURNED.get(step)
        if not fit.full and turned and self.says_turned(unit, turned):
            flipped = self.atlas.fit(unit.final, Target(step, (place,)), -1)
            right = self.atlas.of[step][place[0]][place[1]]
            cell = unit.final.cells[0][0]
            if isinstance(cell, Amount) and as_float(cell.value) * right <= 0:
                fit = Fit(flipped.target, flipped.share, flipped.weight, flipped.full, flipped.matched, flipped.side, True)
        if fit.full and (step, place) in self.done.taken:
            self.done.units.add(unit.order)
            return
        self.done.add(self.claim(unit, fit, near, sure=near >= OWN or self.worked_fit(unit, fit.target), why="index"))

    def says_turned(self, unit: Unit, words: tuple[str, ...]) -> bool:
        text = " ".join([unit.own, *unit.above, *unit.headings[:1]]).lower()
        return any(word.lower() in text for word in words)

    def named_cell(self, unit: Unit) -> tuple[str, Place, float] | None:
        """The cell that the labels of a number name."""
        head = self.phrases.head_of(unit)
        for label in unit.labels:
            found = self.phrases.names.resolve(label.strip(" ,.;*`"), head)
            if found is None or not found.names or found.which:
                continue
            step = found.names[0]
            place = self.place_of(found.index, found.style, step)
            if place is not None:
                return step, place, OWN
        return self.spoken_cell(unit)

    def spoken_cell(self, unit: Unit) -> tuple[str, Place, float] | None:
        """Score("bends" → "trees"): the step in words, row and column by name; or a step of one number."""
        best: tuple[float, str, Place] | None = None
        for step in self.atlas.steps:
            near = self.near(unit, step)
            turned = TURNED.get(step)
            if turned and self.says_turned(unit, turned) and near < ABOVE:
                near = ABOVE if self.says_turned(unit, turned) else near
            if near < ABOVE:
                continue
            place = self.place_in_words(unit, step)
            if place is None:
                continue
            right = self.atlas.of[step][place[0]][place[1]]
            cell = unit.final.cells[0][0]
            score = near + (2.0 * agreement(cell, right) if isinstance(cell, Amount) else 0.0)
            if best is None or score > best[0]:
                best = (score, step, place)
        return (best[1], best[2], self.near(unit, best[1]) or ABOVE) if best else None

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

    @property
    def bases(self) -> dict[str, int]:
        if not hasattr(self, "_bases"):
            self._bases: dict[str, int] = {}
        return self._bases

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

    # one after the other

    def sequences(self) -> None:
        """Numbers and sizes of layer after layer, state after state: what stands between two that are known is the one between."""
        for family, steps in self.phrases.families.items():
            if len(steps) > 1:
                self.sequence(family, [step for step in steps if step in self.atlas.of])
        for unit in self.units:
            if unit.order not in self.done.units and unit.final.layout == "number":
                self.by_worked(unit)
        self.neighbours()

    def sequence(self, family: str, steps: list[str]) -> None:
        """One family, in the order of the page: each unit of the right size takes the next step that it agrees with."""
        if any(self.atlas.shape(step) != self.atlas.shape(steps[0]) for step in steps) or self.atlas.shape(steps[0]) != (1, 1):
            return
        at = 0
        for unit in self.units:
            if unit.order in self.done.units or unit.final.layout != "number":
                continue
            near = self.phrases.says(unit, steps[0])
            told = max(near, self.counted(unit, family))
            options = [k for k in range(at, len(steps)) if self.atlas.fit(unit.final, Target(steps[k], ((0, 0),))).full]
            layer = self.layer_of(unit, family, steps)
            if layer is not None and layer in options:
                options = [layer]
            if not options or (told < HEADING and not is_telling(unit)):
                continue
            k = options[0]
            self.done.add(self.claim(unit, self.atlas.fit(unit.final, Target(steps[k], ((0, 0),))), told, sure=True, why="order"))
            at = k if told < ABOVE else k
        self.gaps(family, steps)

    def counted(self, unit: Unit, family: str) -> float:
        from clearhead.working.reading.synonyms import COUNTED

        text = " ".join([unit.own, unit.column, unit.tail]).lower()
        return ABOVE if family == "weights" and any(word in text for word in COUNTED) else 0.0

    def layer_of(self, unit: Unit, family: str, steps: list[str]) -> int | None:
        """The layer that another unit of the same line is known to belong to."""
        for claim in self.done.claims:
            if claim.unit.line == unit.line and claim.unit is not unit:
                number = re.search(r"\d+$", claim.step)
                if number and f"{family}{number[0]}" in steps:
                    return steps.index(f"{family}{number[0]}")
        return None

    def gaps(self, family: str, steps: list[str]) -> None:
        """A number of the same form as those around it, where one step between theirs is still free."""
        known = {claim.unit.order: steps.index(claim.step) for claim in self.done.claims if claim.step in steps}
        forms = {self.form(unit) for unit in self.units if unit.order in known}
        line = [unit for unit in self.units if unit.final.layout == "number" and self.form(unit) in forms]
        for at, unit in enumerate(line):
            if unit.order in self.done.units:
                continue
            layer = self.layer_of(unit, family, steps)
            before = max((known[u.order] for u in line[:at] if u.order in known), default=-1)
            after = min((known[u.order] for u in line[at + 1 :] if u.order in known), default=len(steps))
            free = [k for k in range(before + 1, after) if (steps[k], (0, 0)) not in self.done.taken]
            worked = [k for k in free if self.worked_fit(unit, Target(steps[k], ((0, 0),)))]
            chosen = [layer] if layer in free else worked if len(worked) == 1 else free if len(free) == 1 and 0 <= before and after < len(steps) else []
            if len(chosen) == 1 and chosen[0] is not None:
                k = chosen[0]
                fit = self.atlas.fit(unit.final, Target(steps[k], ((0, 0),)))
                known[unit.order] = k
                self.done.add(self.claim(unit, fit, ABOVE, sure=True, why="order"))

    def form(self, unit: Unit) -> str:
        return skeleton(unit.own, ())

    def by_worked(self, unit: Unit) -> None:
        """A chain that was worked out from numbers that come to one right value only, with a word for its step."""
        options = [
            (self.near(unit, step), step, (i, j))
            for step in self.atlas.steps
            for i, row in enumerate(self.atlas.of[step])
            for j, right in enumerate(row)
            if right not in (0.0, 1.0) and self.worked_fit(unit, Target(step, ((i, j),))) and (step, (i, j)) not in self.done.taken
        ]
        if not options:
            return
        near, step, place = max(options)
        if near < HEADING and len(options) > 1 and len({(s, p) for _, s, p in options}) > 1:
            return
        fit = self.atlas.fit(unit.final, Target(step, (place,)))
        if fit.full or near >= HEADING or unit.signs[:1] == "←":
            self.done.add(self.claim(unit, fit, near, sure=True, why="worked out"))

    def neighbours(self) -> None:
        """w_1, w_2, then b: a number whose label has the form of those before it, and that is the next cell of their row."""
        for before, unit in zip(self.units, self.units[1:]):
            claim = next((c for c in self.done.claims if c.unit is before), None)
            if claim is None or unit.order in self.done.units or unit.final.layout != "number" or unit.signs != before.signs[: len(unit.signs)]:
                continue
            i, j = max(claim.cells)
            if j + 1 < self.atlas.shape(claim.step)[1] and (claim.step, (i, j + 1)) not in self.done.taken:
                fit = self.atlas.fit(unit.final, Target(claim.step, ((i, j + 1),)))
                if fit.full:
                    self.done.add(self.claim(unit, fit, ABOVE, sure=True, why="order"))

    # what only the label tells

    def by_label(self, unit: Unit) -> None:
        """A unit whose numbers are not all right anywhere, under a label that says what it is."""
        options = []
        for fit in self.fits[unit.order]:
            step = fit.target.step
            if step in self.atlas.given or fit.target.partial or fit.target.turned and fit.share < 0.5:
                continue
            near = self.near(unit, step)
            if near < ABOVE and not (near >= HEADING and fit.share >= 0.5):
                continue
            if unit.final.layout == "number" or (fit.full and fit.target.step in self.order and unit.final.layout != "vector"):
                continue
            row = self.row_said(unit, step)
            single = len(fit.target.rows) == 1 and self.atlas.shape(step)[0] > 1
            if single and row is None and self.argument_row(unit, fit.target) == 0 and fit.share < 0.5:
                continue
            if single and row is not None and fit.target.rows != {row}:
                continue
            head = self.phrases.head_of(unit)
            near += 0.6 if head and step.endswith(head) else 0.0
            options.append((near + 2 * fit.share + self.argument_row(unit, fit.target) - fit.target.turned, -self.order[step], fit, near))
        if not options:
            return
        _, _, fit, near = max(options, key=lambda one: one[:2])
        rival = self.rival(unit, fit)
        sure = not rival and (near >= OWN or fit.share >= 0.5 or (near >= ABOVE and unit.final.layout == "vector"))
        self.done.add(self.claim(unit, fit, near, sure=sure, why="label", rival=rival))

    def rival(self, unit: Unit, chosen: Fit) -> str:
        """Another step whose right values these are, all of them."""
        for fit in self.fits[unit.order]:
            if fit.full and fit.weight >= TELLING and fit.target.step != chosen.target.step:
                return fit.target.step
        return ""


def position(index: str, base: int, names: tuple[str, ...]) -> int | None:
    if index.isdigit():
        return int(index) - base if int(index) >= base else None
    return names.index(index) if index in names else None


def tells(cell: Amount, right: float) -> bool:
    """Whether what a chain was worked out from is a value, to about three digits: its own factors were rounded."""
    value = as_float(cell.value)
    return abs(value - right) <= 0.003 * max(abs(right), 0.05)


def is_telling(unit: Unit) -> bool:
    """A number with three digits or more is hardly there by chance."""
    cell = unit.final.cells[0][0]
    return isinstance(cell, Amount) and len(re.sub(r"\D", "", cell.text).strip("0")) >= 3


def arguments_of(unit: Unit) -> list[list[Amount]]:
    """The vectors inside a chain's labels and arithmetic: softmax([…]), […] · […]."""
    found = []
    for text in [*unit.labels, *unit.worked, *([unit.above[0]] if unit.above else [])]:
        for mark in VECTOR.finditer(text):
            cells = vector_of(mark[1])
            if cells is not None and all(isinstance(cell, Amount) for cell in cells):
                found.append([cell for cell in cells if isinstance(cell, Amount)])
        if len(found) >= 2:
            break
    return found


def skeleton(text: str, names: tuple[str, ...]) -> str:
    """A label without its numbers and names: what the rows of one list have in common."""
    text = VECTOR.sub("#", text)
    for name in names:
        text = text.replace(name, "#")
    return re.sub(r"[\s#]+", "#", re.sub(r"[+-]?\d+(?:\.\d+)?", "#", text)).strip("#*` ,.;")


def grouped(units: list[Unit], phrases: Phrases) -> list[list[Unit]]:
    """Units of one form under one heading, in order; two or more."""
    names = tuple(dict.fromkeys(name for step in phrases.steps.values() for name in (*step.rows, *step.columns) if name))
    buckets: dict[tuple[object, ...], list[Unit]] = {}
    for unit in units:
        if unit.final.layout in ("table", "size") or not unit.final.cells:
            continue
        above = skeleton(unit.above[0], names) if unit.above else ""
        form = skeleton(" ".join([unit.prefix, *[label for label in unit.labels if label not in unit.worked]]), names)
        heading = unit.headings[0] if unit.headings else ""
        buckets.setdefault((len(unit.final.cells[0]), form, above, heading, unit.signs[:1]), []).append(unit)
    return [bucket for bucket in buckets.values() if len(bucket) > 1]


def cell_side(cell: Amount) -> Side:
    return Side([[cell]], "number", cell.text)
