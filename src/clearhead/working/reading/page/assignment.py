"""The reading that explains most of a page: which unit is which step, by its values first and its labels second."""

from clearhead.working.reading.page.claimed_cells import Assignment
from clearhead.working.reading.page.lists import Lists
from clearhead.working.reading.page.sequences import Sequences
from clearhead.working.reading.page.single_numbers import SingleNumbers
from clearhead.working.reading.page.whole_values import WholeValues


class Assigner(WholeValues, Lists, SingleNumbers, Sequences):
    """Goes over the units of one page: what is surely something first, what only a label tells last."""

    def assign(self) -> Assignment:
        for unit in self.units:
            self.by_value(unit)
        self.drop_spare()
        self.by_line()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_index(unit)
        self.groups()
        self.sequences()
        self.inside_functions()
        self.by_name()
        for unit in self.units:
            if unit.order not in self.done.units:
                self.by_label(unit)
        for unit in self.units:
            self.by_shape(unit)
        return self.done
