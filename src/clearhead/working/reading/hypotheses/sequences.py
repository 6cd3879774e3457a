"""Layer after layer, state after state: what stands between two that are known is the one between."""

import re
from itertools import pairwise

from clearhead.working.reading.hypotheses.evidence import Evidence, is_telling, skeleton
from clearhead.working.reading.hypotheses.phrases import ABOVE, HEADING, OWN
from clearhead.working.reading.hypotheses.possible_steps import Fit, Target
from clearhead.working.reading.names.synonyms import AXES, COUNTED
from clearhead.working.reading.page.unit import Unit


class Sequences(Evidence):
    """Steps that come again for every layer, head or moment."""

    def by_line(self) -> None:
        """A number beside the size of a layer, under a word for one of its families, belongs to the same layer."""
        named: dict[str, list[tuple[Unit, Fit, float]]] = {}
        for unit in self.units:
            if unit.order in self.done.units or unit.final.layout != "number":
                continue
            for family, steps in self.phrases.families.items():
                layer = self.layer_of(unit, family, steps) if len(steps) > 1 else None
                if layer is None or self.atlas.shape(steps[layer]) != (1, 1):
                    continue
                fit = self.atlas.fit(unit.final, Target(steps[layer], ((0, 0),)))
                told = max(self.near(unit, steps[layer]), self.counted(unit, family))
                if fit.full:
                    self.done.add(self.claim(unit, fit, told, sure=True, why="line"))
                    break
                if told >= OWN:
                    named.setdefault(steps[layer], []).append((unit, fit, told))
        for step, found in named.items():
            if (step, (0, 0)) not in self.done.taken and len(found) == 1:
                self.done.add(self.claim(*found[0], sure=True, why="line"))

    def sequences(self) -> None:
        """Every family of steps in the order of the page, then what single chains were worked out for."""
        for family, steps in self.phrases.families.items():
            if len(steps) > 1:
                self.sequence(family, [step for step in steps if step in self.atlas.of])
        for unit in self.units:
            if unit.order not in self.done.units and unit.final.layout == "number":
                self.by_worked(unit)
        self.neighbours()

    def sequence(self, family: str, steps: list[str]) -> None:
        """One family, in the order of the page: each unit of the right size takes the next step that it agrees with."""
        if any(self.atlas.shape(step) != self.atlas.shape(steps[0]) for step in steps):
            return
        if self.atlas.shape(steps[0]) == (1, 3):
            self.gaps(family, steps, sized=True)
        if self.atlas.shape(steps[0]) != (1, 1):
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
            if named := self.phrases.exactly(unit) & set(steps):
                options = [k for k in options if steps[k] in named]
            if not options or (told < HEADING and not is_telling(unit) and layer not in options):
                continue
            k = options[0]
            self.done.add(
                self.claim(unit, self.atlas.fit(unit.final, Target(steps[k], ((0, 0),))), told, sure=True, why="order")
            )
            at = k
        self.gaps(family, steps)

    def counted(self, unit: Unit, family: str) -> float:
        text = " ".join([unit.own, unit.column, unit.tail]).lower()
        return ABOVE if family == "weights" and any(word in text for word in COUNTED) else 0.0

    def layer_of(self, unit: Unit, family: str, steps: list[str]) -> int | None:
        """The layer that another unit of the same line is known to belong to."""
        for claim in self.done.claims:
            if claim.unit.line == unit.line and claim.unit is not unit:
                number = re.search(r"\d+$", claim.step)
                if number and f"{family}{number[0]}" in steps:
                    return steps.index(f"{family}{number[0]}")
        return self.layer_of_section(unit, family, steps)

    def layer_of_section(self, unit: Unit, family: str, steps: list[str]) -> int | None:
        """The layer that a section is about: the one whose size it states, beside the size that comes in."""
        if not unit.headings:
            return None
        named = {claim.step for claim in self.done.claims if claim.unit.headings == unit.headings}
        layers = [k for k, step in enumerate(steps) if f"size{step[len(family) :]}" in named]
        return max(layers) if layers and max(layers) - min(layers) <= 1 and len(steps) > len(layers) else None

    def axes(self) -> None:
        """Height: (128 - 5)/1 + 1 = 124: one axis of the size of the layer that the section is about."""
        steps = self.phrases.families.get("size", [])
        for unit in self.units:
            words = unit.prefix.strip(" *_`·").lower() or " ".join(unit.labels[:1]).strip(" *_`·").lower()
            axis = next((k for k, said in enumerate(AXES) if words in said), None)
            if axis is None or unit.order in self.done.units or unit.final.layout != "number":
                continue
            layer = 0 if len(steps) == 1 else self.layer_of_section(unit, "size", steps)
            if layer is None or self.atlas.shape(steps[layer])[1] <= axis:
                continue
            fit = self.atlas.fit(unit.final, Target(steps[layer], ((0, axis),)))
            if fit.full or (unit.worked and (steps[layer], (0, axis)) not in self.done.taken):
                self.done.add(self.claim(unit, fit, ABOVE, sure=fit.full, why="axis"))

    def gaps(self, family: str, steps: list[str], sized: bool = False) -> None:
        """A number of the same form as those around it, where one step between theirs is still free."""
        known = {claim.unit.order: steps.index(claim.step) for claim in self.done.claims if claim.step in steps}
        forms = {self.form(unit) for unit in self.units if unit.order in known}
        line = [
            unit
            for unit in self.units
            if (self.sized(unit) if sized else unit.final.layout == "number") and self.form(unit) in forms
        ]
        if sized:
            self.size_gaps(steps, line, known)
            return
        for at, unit in enumerate(line):
            if unit.order in self.done.units:
                continue
            layer = self.layer_of(unit, family, steps)
            before = max((known[u.order] for u in line[:at] if u.order in known), default=-1)
            after = min((known[u.order] for u in line[at + 1 :] if u.order in known), default=len(steps))
            free = [k for k in range(before + 1, after) if (steps[k], (0, 0)) not in self.done.taken]
            worked = [k for k in free if self.worked_fit(unit, Target(steps[k], ((0, 0),)))]
            chosen = (
                [layer]
                if layer in free
                else worked
                if len(worked) == 1
                else free
                if len(free) == 1 and before >= 0 and after < len(steps)
                else []
            )
            if len(chosen) == 1 and chosen[0] is not None:
                k = chosen[0]
                fit = self.atlas.fit(unit.final, Target(steps[k], ((0, 0),)))
                known[unit.order] = k
                self.done.add(self.claim(unit, fit, ABOVE, sure=True, why="order"))

    def size_gaps(self, steps: list[str], line: list[Unit], known: dict[int, int]) -> None:
        """A size between (or behind) those of its form that are known, and that agrees in part with the one step left there."""
        for at, unit in enumerate(line):
            if unit.order in self.done.units or at == 0 or line[at - 1].order not in known:
                continue
            before = known[line[at - 1].order]
            after = min((known[u.order] for u in line[at + 1 :] if u.order in known), default=len(steps))
            free = [k for k in range(before + 1, after) if (steps[k], (0, 0)) not in self.done.taken]
            fits = [
                fit for fit in self.fits[unit.order] if len(free) == 1 and fit.target.step == steps[free[0]] and fit.matched
            ]
            if fits:
                best = max(fits, key=lambda fit: fit.matched)
                known[unit.order] = free[0]
                self.done.add(self.claim(unit, best, ABOVE, sure=True, why="order"))

    def form(self, unit: Unit) -> str:
        return skeleton(unit.own, ())

    def by_worked(self, unit: Unit) -> None:
        """A chain that was worked out from numbers that come to one right value only, with a word for its step."""
        options = [
            (self.near(unit, step), step, (i, j))
            for step in self.atlas.steps
            for i, row in enumerate(self.atlas.of[step])
            for j, right in enumerate(row)
            if right not in (0.0, 1.0)
            and self.worked_fit(unit, Target(step, ((i, j),)))
            and (step, (i, j)) not in self.done.taken
            and self.near(unit, step) >= 0
        ]
        named = {cell[:2] for cell in self.named_cells(unit)}
        options = [one for one in options if one[1:] in named] or options
        if not options:
            return
        near, step, place = max(options)
        if near < HEADING and self.is_aside(unit):
            return
        if near < HEADING and len(options) > 1 and len({(s, p) for _, s, p in options}) > 1:
            return
        fit = self.atlas.fit(unit.final, Target(step, (place,)))
        if fit.full or near >= HEADING or unit.signs[:1] == "←" or self.has_right_siblings(unit, step):
            self.done.add(self.claim(unit, fit, near, sure=True, why="worked out"))

    def neighbours(self) -> None:
        """w_1, w_2, then b: a number whose label has the form of those before it, and that is the next cell of their row."""
        for before, unit in pairwise(self.units):
            claim = next((c for c in self.done.claims if c.unit is before), None)
            if (
                claim is None
                or unit.order in self.done.units
                or unit.final.layout != "number"
                or unit.signs != before.signs[: len(unit.signs)]
            ):
                continue
            i, j = max(claim.cells)
            if j + 1 < self.atlas.shape(claim.step)[1] and (claim.step, (i, j + 1)) not in self.done.taken:
                fit = self.atlas.fit(unit.final, Target(claim.step, ((i, j + 1),)))
                if fit.full:
                    self.done.add(self.claim(unit, fit, ABOVE, sure=True, why="order"))
