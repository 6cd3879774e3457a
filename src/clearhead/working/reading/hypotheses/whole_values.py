"""Tables, vectors and sizes: what all their numbers are right for; else what their label says."""

import re

from clearhead.working.reading.hypotheses.evidence import TELLING, Evidence
from clearhead.working.reading.hypotheses.phrases import ABOVE, HEADING, OWN, TITLE
from clearhead.working.reading.hypotheses.possible_steps import EXACTLY, Fit, agreement
from clearhead.working.reading.numbers.amounts import Amount
from clearhead.working.reading.page.unit import Unit

MOST = 2 / 3  # of a table's cells: so many say what it is, whatever the others are
LONG = 3  # numbers of a vector that says what it is though one of them is wrong, and digits that must be right beyond chance
NOT_DIGIT = re.compile(r"\D")
AHEAD = 2  # cells, of every other reading
FEW = 3  # whole numbers: they are right for something by chance


class WholeValues(Evidence):
    """Units of several numbers."""

    def by_value(self, unit: Unit) -> None:
        """A table, vector or size all of whose numbers are right for one thing is that thing."""
        if unit.final.layout == "number":
            return
        full = [
            fit
            for fit in self.fits[unit.order]
            if fit.full and not self.is_elsewhere(unit, fit) and not self.is_moved(unit, fit) and self.is_fine(unit, fit)
        ]
        if not full:
            return
        if any(
            fit.share == 1 and fit.target.step in self.atlas.given for fit in full
        ):  # a given to every digit is no rough step
            full = [fit for fit in full if fit.share == 1 or self.near(unit, fit.target.step) >= ABOVE]
        full = [fit for fit in full if fit.share == 1 or fit.target.step in self.order]  # nobody rounds a given on the way
        if not full:
            return
        best = max(full, key=lambda fit: self.rank(unit, fit))
        near = self.near(unit, best.target.step)
        if near < HEADING and unit.final.layout == "vector" and self.is_named_otherwise(unit, best):
            return  # k_1 = [1, 0]: what its own label says, though these are the numbers of something else
        if near < 0 and not self.is_all_of(best) and self.is_all_of_named(unit):
            return  # all of the step that it has the name of is no row or column of another
        if best.target.step in self.atlas.given:
            self.done.givens.add(unit.order)
            self.done.units.add(unit.order)
            return
        if near < HEADING and best.weight < TELLING and not self.sized(unit):
            return
        if near < ABOVE and self.is_repeated(best) and self.named_otherwise(unit, best):
            return  # the numbers of one step once more, under the name of another
        if best.target.partial and (near < 0 or (near < ABOVE and best.weight < TELLING)):
            return
        upright = self.upright(unit, best) if best.target.turned else None
        if upright is not None and (self.is_named(unit, best.target.step) or self.has_its_rows(unit, best.target.step)):
            rival = f"{best.target.step} transposed"
            self.done.add(self.claim(unit, upright, near, sure=False, why="label", rival=rival))
            return
        self.done.add(self.claim(unit, best, near, sure=True, why="values"))
        for fit in full:  # Q = K = V = […]: one value under several names
            step = fit.target.step
            if step != best.target.step and step in self.order and not fit.target.turned and self.is_named(unit, step):
                self.done.add(self.claim(unit, fit, OWN, sure=True, why="values"))

    def by_most(self, unit: Unit) -> None:
        """A table most of whose numbers are right for one thing, and for nothing else as well, is that thing with errors."""
        count = sum(isinstance(cell, Amount) for row in unit.final.cells for cell in row)
        if not (unit.final.layout == "table" or (unit.final.layout == "vector" and count >= LONG)):
            return
        fits = [fit for fit in self.fits[unit.order] if not fit.coarse and not self.is_elsewhere(unit, fit)]
        best = max(fits, key=lambda fit: (fit.matched, self.rank(unit, fit)), default=None)
        if best is None or best.target.step not in self.order or best.target.turned or best.target.partial:
            return
        if best.full or best.matched < MOST * count or best.weight < TELLING:
            return  # where all are right and it was not taken for that, there was a reason
        if self.is_repeated(best) and self.named_otherwise(unit, best):
            return
        row = self.row_said(unit, best.target.step)
        if unit.final.layout == "vector" and (
            (row is not None and best.target.rows != {row})
            or best.share < MOST
            or self.exact_digits(best) < LONG
            or self.holds_others(unit, best)
        ):
            return
        others = [*fits, *self.aside.fits(unit)]
        rivals = [fit for fit in others if fit.target.step != best.target.step and fit.matched > best.matched - AHEAD]
        if rivals or (self.near(unit, best.target.step) < 0 and self.is_named_elsewhere(unit, best)):
            return
        self.done.add(
            self.claim(unit, best, max(self.near(unit, best.target.step), ABOVE), sure=not unit.final.told, why="most")
        )

    def exact_digits(self, fit: Fit) -> int:
        """How many digits of a vector's numbers are right, the first of each left aside: it may be so by chance."""
        values = self.atlas.of[fit.target.step]
        flat = [cell for row in fit.side.cells for cell in row]
        found = 0
        for place, cell in zip(fit.target.places, flat, strict=True):
            if place is not None and isinstance(cell, Amount) and agreement(cell, values[place[0]][place[1]]) == EXACTLY:
                found += max(len(NOT_DIGIT.sub("", cell.text).lstrip("0")) - 1, 0)
        return found

    def holds_others(self, unit: Unit, fit: Fit) -> bool:
        """Whether a number of a vector that is not right here is the right one of something else: it mixes several things."""
        values = self.atlas.of[fit.target.step]
        flat = [cell for row in fit.side.cells for cell in row if isinstance(cell, Amount)]
        wrong = [
            cell
            for place, cell in zip(fit.target.places, flat, strict=False)
            if place is not None and not agreement(cell, values[place[0]][place[1]])
        ]
        return any(
            len(NOT_DIGIT.sub("", cell.text).lstrip("0")) >= LONG
            and (self.atlas.holds(cell, EXACTLY) or self.aside.holds(cell, EXACTLY))
            for cell in wrong
        )

    def is_named_elsewhere(self, unit: Unit, best: Fit) -> bool:
        """Whether a unit's own label is the name of another step of its size, for which some of its numbers are right too."""
        named = {step for step in self.phrases.exactly(unit) if step in self.order and step != best.target.step}
        fits = (fit for fit in self.fits[unit.order] if fit.target.step in named and not fit.target.turned)
        return any(fit.weight >= 1 for fit in fits)

    def is_named_otherwise(self, unit: Unit, best: Fit) -> bool:
        """Whether a vector of few whole numbers has the name of a row of a step of its length that it is not right for."""
        cells = [cell for row in unit.final.cells for cell in row]
        if len(cells) > FEW or any(not isinstance(cell, Amount) or cell.decimals for cell in cells):
            return False
        named = {step for step in self.phrases.exactly(unit) if step in self.order}
        return any(fit.target.step in named and not fit.target.turned for fit in self.fits[unit.order]) and (
            best.target.step not in named
        )

    def is_fine(self, unit: Unit, fit: Fit) -> bool:
        """Whether numbers say enough: whole ones for what is none must stand under the step's own name."""
        return not fit.coarse or self.near(unit, fit.target.step) >= OWN

    def is_elsewhere(self, unit: Unit, fit: Fit) -> bool:
        """Whether a target is another row of the step that a unit is labelled with, and the label tells its row.

        What is called a row is no column of anything; nor are a few zeros and ones, where they may be a row."""
        step = fit.target.step
        if unit.final.layout != "vector":
            return False
        if fit.target.turned:
            square = step in self.order and len(set(self.atlas.shape(step))) == 1
            return (square and fit.weight < TELLING) or self.is_called_row(unit)
        if unit.final.told or step not in self.order or len(fit.target.rows) != 1 or self.atlas.shape(step)[0] == 1:
            return False
        row = self.row_said(unit, step)
        return row is not None and fit.target.rows != {row} and self.near(unit, step) >= HEADING

    def is_called_row(self, unit: Unit) -> bool:
        """Whether the words of a vector name a step of its length and one of its rows."""
        width = sum(len(row) for row in unit.final.cells)
        wide = [step for step in self.order if self.atlas.shape(step)[1] == width and self.atlas.shape(step)[0] > 1]
        return any(self.near(unit, step) >= HEADING and self.row_said(unit, step) is not None for step in wide)

    def is_moved(self, unit: Unit, fit: Fit) -> bool:
        """Whether a column of a table that has the name and the size of a step would be another column of it."""
        step = fit.target.step
        if unit.table < 0 or step not in self.order or unit.column.strip(" *`_").isalpha():
            return False
        whole = next((one for one in self.units if one.order == unit.table), None)
        if whole is None or self.near(whole, step) < HEADING:
            return False
        return any(
            one.target.step == step and not one.target.turned and not one.target.partial and len(one.target.rows) > 1
            for one in self.fits[whole.order]
        )

    def upright(self, unit: Unit, turned: Fit) -> Fit | None:
        """The same table as it stands, where its label does not say that it is a transpose."""
        if unit.final.turned or any("^T" in label.replace("{", "") or "ransp" in label for label in unit.labels):
            return None
        fits = (fit for fit in self.fits[unit.order] if fit.target.step == turned.target.step and not fit.target.turned)
        return next((fit for fit in fits if len(fit.target.rows) > 1), None)

    def is_all_of(self, fit: Fit) -> bool:
        """Whether a target is a whole step, and not a part of one."""
        rows, columns = self.atlas.shape(fit.target.step)
        return len(fit.target.places) == rows * columns

    def is_all_of_named(self, unit: Unit) -> bool:
        """Whether a unit has the size of the step that its own label, or the line above it, names."""
        named = self.phrases.exactly(unit)
        return any(fit.target.step in named and self.is_all_of(fit) for fit in self.fits[unit.order])

    def has_its_rows(self, unit: Unit, step: str) -> bool:
        """Whether the rows of a table are headed by the names of the step's own rows."""
        names = [name.strip(" *`_").casefold() for name in unit.rows]
        return len(names) > 1 and names == [name.casefold() for name in self.phrases.steps[step].rows]

    def is_repeated(self, fit: Fit) -> bool:
        keys = [(fit.target.step, place) for place in fit.target.places if place is not None]
        return all(key in self.done.taken for key in keys)

    def named_otherwise(self, unit: Unit, best: Fit) -> bool:
        """Whether a label names another step of the same size, for which these numbers are not right."""
        return any(
            not fit.full
            and fit.target.step in self.order
            and not fit.target.turned
            and self.near(unit, fit.target.step) >= HEADING
            for fit in self.fits[unit.order]
            if best.target.turned or fit.target.rows == best.target.rows
        )

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
        fresh = (
            0.0
            if given
            else sum((target.step, place) not in self.done.taken for place in target.places if place is not None) > 0
        )
        place = min((place for place in target.places if place is not None), default=(0, 0))
        return (
            near + agrees + 0.6 * fresh - 0.5 * target.turned - 0.3 * target.partial,
            fit.share,
            -float(self.order.get(target.step, -1)),
            -float(place[0]),
            -float(place[1]),
        )

    def by_label(self, unit: Unit) -> None:
        """A unit whose numbers are not all right anywhere, under a label that says what it is."""
        options = []
        for fit in self.fits[unit.order]:
            step = fit.target.step
            if step in self.atlas.given or fit.target.partial or (fit.target.turned and fit.share < 0.5):
                continue
            near = self.near(unit, step)
            if near < ABOVE and not (near >= HEADING and fit.share >= 0.5):
                continue
            if near < OWN and (fit.coarse or (fit.target.turned and near < ABOVE)):
                continue
            if (
                unit.final.told
                or unit.final.layout == "number"
                or (fit.full and fit.target.step in self.order and unit.final.layout != "vector")
            ):
                continue
            row = self.row_said(unit, step)
            single = len(fit.target.rows) == 1 and self.atlas.shape(step)[0] > 1
            row = self.only_row(step) if single and row is None else row
            if single and row is None and self.argument_row(unit, fit.target) == 0 and fit.share < 0.5:
                continue
            if single and row is not None and fit.target.rows != {row}:
                continue
            head = self.phrases.head_of(unit)
            near += 0.6 if head and step.endswith(head) else 0.0
            options.append(
                (near + 2 * fit.share + self.argument_row(unit, fit.target) - fit.target.turned, -self.order[step], fit, near)
            )
        if not options:
            return
        _, _, fit, near = max(options, key=lambda one: one[:2])
        rival = self.rival(unit, fit)
        if rival and near < OWN and unit.table >= 0:
            return  # a column beside the one that is meant
        sure = not rival and fit.share >= 0.5 and near >= HEADING
        self.done.add(self.claim(unit, fit, near, sure=sure, why="label", rival=rival))

    def only_row(self, step: str) -> int | None:
        """The one row that a page is about: the only one that was found of the steps that this one is made from or into."""
        near = {step, *self.phrases.steps[step].needs, *(n for n, one in self.phrases.steps.items() if step in one.needs)}
        names = self.phrases.steps[step].rows
        tables = [n for n in near if n in self.order and self.phrases.steps[n].rows == names and n not in ("Q", "K", "V", "X")]
        rows = {place[0] for name, place in self.done.taken if name in tables}
        return next(iter(rows)) if len(rows) == 1 else None

    def by_shape(self, unit: Unit) -> None:
        """A table of a size that its step does not have, and that nothing else on the page explains."""
        claimed = [claim for claim in self.done.claims if claim.unit is unit]
        for step in self.atlas.steps:
            rows, columns = self.atlas.shape(step)
            others = any(
                claim.step == step
                and claim.unit is not unit
                and (claim.near >= ABOVE or len(claim.cells) == rows * columns > 1)
                for claim in self.done.claims
            )
            if others or self.near(unit, step) < TITLE:
                continue
            if self.row_said(unit, step) is not None:
                continue  # a row of it, and others elsewhere
            part = any(claim.step == step and len(claim.cells) < rows * columns for claim in claimed)
            named = self.plainly_named(unit, step) or (rows == 1 and self.is_named(unit, step))
            if (named and (part or not claimed) and rows * columns > 1) or (
                not claimed and unit.final.layout in ("table", "vector") and not any(fit.full for fit in self.fits[unit.order])
            ):
                self.done.misshapen.add(step)
