"""Rows and numbers one below the other in one form: a list is one step, and its places tell what each is."""

from collections import Counter
from dataclasses import replace

from clearhead.working.reading.hypotheses.evidence import TELLING, Evidence, skeleton
from clearhead.working.reading.hypotheses.phrases import ABOVE, HEADING, OWN, Phrases, named_in
from clearhead.working.reading.hypotheses.possible_steps import Fit, Target
from clearhead.working.reading.page.unit import Unit
from clearhead.working.written import Place


class Lists(Evidence):
    """Units of one form."""

    def groups(self, sure_only: bool = False) -> None:
        """Units of one form, one below the other, are the rows (or the cells) of one step."""
        for group in grouped(self.units, self.phrases):
            width = len(group[0].final.cells[0])
            if sure_only or any(unit.order not in self.done.units for unit in group):
                (self.row_group if width > 1 else self.cell_group)(group, sure_only=sure_only)

    def by_heads(self, unit: Unit) -> None:
        """A table with the queries (keys, values) of all heads side by side: each head's columns are its own."""
        if unit.final.layout != "table":
            return
        height, width = len(unit.final.cells), len(unit.final.cells[0])
        for family in self.phrases.families.values():
            steps = [step for step in family if step in self.atlas.of]
            widths = [self.atlas.shape(step)[1] for step in steps]
            if len(steps) < 2 or sum(widths) != width or any(self.atlas.shape(step)[0] != height for step in steps):
                continue
            fits = []
            for at, step in enumerate(steps):
                before, own = sum(widths[:at]), range(widths[at])
                places = [(i, j - before) if j - before in own else None for i in range(height) for j in range(width)]
                fits.append(self.atlas.fit(unit.final, Target(step, tuple(places))))
            if all(fit.full for fit in fits) and sum(fit.weight for fit in fits) >= TELLING:
                for fit in fits:
                    self.done.add(self.claim(unit, fit, ABOVE, sure=True, why="heads"))
                return

    def row_group(self, group: list[Unit], whole: bool = False, sure_only: bool = False) -> None:
        width = len(group[0].final.cells[0])
        best: tuple[float, str, list[Fit]] | None = None
        for step in self.atlas.steps:
            if step not in self.atlas.of or self.atlas.shape(step)[1] != width or self.atlas.shape(step)[0] < len(group):
                continue
            rows = None if self.is_other_head(group[0], step) else self.rows_of(group, step)
            if rows is None or self.is_said_again(group, step, rows, width):
                continue
            fits = [
                self.atlas.fit(u.final, Target(step, tuple((i, j) for j in range(width))))
                for u, i in zip(group, rows, strict=True)
            ]
            score = sum(fit.weight for fit in fits) + max(self.near(unit, step) for unit in group)
            if best is None or score > best[0]:
                best = (score, step, fits)
        if best is None:
            return
        score, step, fits = best
        near = max(self.near(unit, step) for unit in group)
        right = sum(fit.full for fit in fits)
        weight = sum(fit.weight for fit in fits)
        if (near < HEADING and right * 2 < len(fits)) or (whole and right < len(fits)):
            return
        for unit, fit in zip(group, fits, strict=True):
            if unit.order in self.done.units:
                continue
            sure = (right * 2 >= len(fits) and weight >= TELLING) or (near >= ABOVE and fit.share > 0.5)
            rival = "" if fit.full else self.rival(unit, fit)
            if sure_only and not fit.full and (rival or not sure):
                continue  # perhaps it is what a slip gives, or what follows from one
            self.done.add(self.claim(unit, fit, near, sure=sure and not rival, why="list", rival=rival))

    def is_said_again(self, group: list[Unit], step: str, rows: list[int], width: int) -> bool:
        """Whether rows were found before, and these stand under the name of another step."""
        found = all((step, (i, j)) in self.done.taken for i in rows for j in range(width))
        named = any(self.near(unit, other) >= HEADING for unit in group for other in self.atlas.steps if other != step)
        return found and named and max(self.near(unit, step) for unit in group) < HEADING

    def rows_of(self, group: list[Unit], step: str) -> list[int] | None:
        said = [self.row_said(unit, step) for unit in group]
        if all(row is not None for row in said) and len(set(said)) == len(said):
            return [row for row in said if row is not None]
        return list(range(len(group))) if len(group) == self.atlas.shape(step)[0] else None

    def cell_group(self, group: list[Unit], whole: bool = False, sure_only: bool = False) -> None:
        """Numbers one below the other: all cells of a step of one row or column (or one row of a step), by name or in order."""
        best: tuple[float, str, list[Fit]] | None = None
        for step in self.atlas.steps:
            rows, columns = self.atlas.shape(step)
            for row in range(0 if self.is_other_head(group[0], step) else rows if columns > 1 else 1):
                places = self.cells_of(group, step, row, columns)
                if places is None:
                    continue
                fits = [self.cell_fit(unit, step, place) for unit, place in zip(group, places, strict=True)]
                score = sum(fit.weight for fit in fits) + max(self.near(unit, step) for unit in group)
                if best is None or score > best[0] + 1e-9:
                    best = (score, step, fits)
        if best is None:
            return
        _, step, fits = best
        near = max(self.near(unit, step) for unit in group)
        right = sum(fit.full for fit in fits)
        weight = sum(fit.weight for fit in fits)
        worked_out = all(self.worked_fit(unit, fit.target) for unit, fit in zip(group, fits, strict=True))
        near = max(near, HEADING) if worked_out else near
        if right < len(fits) and (near < HEADING or weight < TELLING * 0.5 or right * 2 < len(fits)):
            return
        if (near < HEADING and weight < TELLING) or (whole and right < len(fits)):
            return
        for unit, fit in zip(group, fits, strict=True):
            if unit.order not in self.done.units:
                worked = self.worked_fit(unit, fit.target)
                sure = right * 2 >= len(fits) or worked
                if sure_only and not fit.full and not sure:
                    continue
                self.done.add(self.claim(unit, fit, near, sure=sure, why="list"))

    def cell_fit(self, unit: Unit, step: str, place: Place) -> Fit:
        """A number against a cell; a whole one says nothing about what is none, unless it has the step's own name."""
        fit = self.atlas.fit(unit.final, Target(step, (place,)))
        return replace(fit, full=False, weight=0.0) if fit.coarse and self.near(unit, step) < OWN else fit

    def cells_of(self, group: list[Unit], step: str, row: int, columns: int) -> list[Place] | None:
        one = self.phrases.steps[step]
        if columns == 1 and self.atlas.shape(step)[0] > 1:
            rows = self.rows_of(group, step)
            return None if rows is None else [(i, 0) for i in rows]
        names = one.columns
        if one.rows and names and (pairs := [pair_said(unit, one.rows, names) for unit in group]) and all(pairs):
            places = [pair for pair in pairs if pair is not None]
            return places if len(set(places)) == len(places) else None
        said = [self.phrases.names_said(unit, names) if names and len(set(names)) == len(names) else [] for unit in group]
        if all(said) and len({spots[-1] for spots in said}) == len(group):
            return [(row, spots[-1]) for spots in said]
        return [(row, j) for j in range(columns)] if len(group) == columns and columns > 1 else None


def pair_said(unit: Unit, rows: tuple[str, ...], columns: tuple[str, ...]) -> Place | None:
    """The query and the key that a number's own words name: bring · soup, q_cat·k_sat, score(cat, sat)."""
    text = " ; ".join([unit.prefix, *[label for label in unit.labels if label not in unit.worked]])
    first, second = named_in(text, rows), named_in(text, columns)
    if rows == columns:
        return (first[0], first[1]) if len(first) == 2 else None
    return (first[0], second[0]) if len(first) == 1 and len(second) == 1 else None


def grouped(units: list[Unit], phrases: Phrases) -> list[list[Unit]]:
    """Units of one form under one heading, in order; two or more."""
    names = tuple(dict.fromkeys(name for step in phrases.steps.values() for name in (*step.rows, *step.columns) if name))
    buckets: dict[tuple[object, ...], list[Unit]] = {}
    on_line: Counter[int] = Counter()
    for unit in units:
        on_line[unit.line] += unit.table < 0
        if unit.final.layout in ("table", "size") or not unit.final.cells or unit.final.told:
            continue
        above = skeleton(unit.above[0], names) if unit.above and unit.above[:1] != unit.headings[:1] else ""
        form = skeleton(" ".join([unit.prefix, *[label for label in unit.labels if label not in unit.worked]]), names)
        heading = unit.headings[0] if unit.headings else ""
        place = on_line[unit.line] if not form else 0  # without words of its own: the first vector of each line, the second …
        key = len(unit.final.cells[0]), form, above, heading, phrases.head_of(unit), unit.signs[:1], place
        buckets.setdefault(key, []).append(unit)
    listed: dict[int, list[Unit]] = {}  # one after the other in one statement, whatever their labels
    for unit in units:
        if unit.listed and unit.final.layout == "number" and unit.final.cells:
            listed.setdefault(unit.listed, []).append(unit)
    groups = [bucket for bucket in buckets.values() if len(bucket) > 1]
    return [*groups, *(group for group in listed.values() if len(group) > 1 and group not in groups)]
