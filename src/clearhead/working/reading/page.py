"""A page of prose, headings and numbers → a reading: the numbers as units, the units as steps."""

from collections.abc import Mapping

from clearhead.exact.matrices import Matrix
from clearhead.working.reading.aliases import ATTENTION_KINDS
from clearhead.working.reading.assignment import Assigner, Assignment
from clearhead.working.reading.labels import Names
from clearhead.working.reading.phrases import Phrases
from clearhead.working.reading.targets import Atlas
from clearhead.working.reading.units import units_of
from clearhead.working.steps import Plan


class PageKnowledge:
    """What the pages of one problem are read with: its words and its values, made once."""

    def __init__(self, plan: Plan, names: Names, worked: Mapping[str, Matrix]) -> None:
        self.phrases = Phrases(names, plan.kind in ATTENTION_KINDS)
        steps = [name for name in names.steps if name in worked]
        self.atlas = Atlas(worked, steps, [name for name in plan.given if name in worked])

    def read(self, text: str) -> Assignment:
        self.phrases.known.clear()
        return Assigner(units_of(text), self.phrases, self.atlas).assign()
