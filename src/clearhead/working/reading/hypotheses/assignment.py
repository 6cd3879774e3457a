"""The reading that explains most of a page: which unit is which step, by its values first and its labels second."""

from clearhead.working.reading.hypotheses.claimed_cells import Assignment
from clearhead.working.reading.hypotheses.other_values import OtherValues, Otherwise, Slips
from clearhead.working.reading.hypotheses.sequences import Sequences


class Assigner(OtherValues, Sequences):
    """Goes over the units of one page: what is surely something first, what only a label tells last."""

    def assign(self, own: Otherwise | None = None, slips: Slips = tuple) -> Assignment:
        for unit in self.units:
            if unit.table < 0 and unit.order not in self.done.units:
                self.by_value(unit)
                for look in (self.by_heads, self.by_function):
                    if unit.order not in self.done.units:
                        look(unit)
        if own is not None:
            self.by_own_values(own)
        for unit in self.units:
            if unit.table < 0 and unit.order not in self.done.units:
                self.by_most(unit)
        for look in (self.by_value, self.by_most):
            for unit in self.units:
                if unit.table >= 0 and unit.order not in self.done.units and unit.table not in self.done.units:
                    look(unit)
        self.drop_spare()
        self.by_line()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_index(unit)
        self.groups(sure_only=True)
        self.sequences()
        self.axes()
        self.inside_functions()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_digits(unit)
        for unit in self.units:
            if unit.order not in self.done.units:
                self.on_the_way(unit)
        self.by_other_values(own, slips)
        self.groups()
        self.by_name()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_label(unit)
        self.operands()
        for unit in self.units:
            self.by_shape(unit)
        return self.done
