"""Questions about the geometry of attention, one or two a file."""

from clearhead.working.kinds.geometries.focus import AVERAGE, COPY
from clearhead.working.kinds.geometries.project import PROJECT
from clearhead.working.kinds.geometries.question import Question
from clearhead.working.kinds.geometries.two_heads import HEADS

__all__ = ["QUESTIONS", "Question"]

QUESTIONS: dict[str, Question] = {"copy": COPY, "project": PROJECT, "average": AVERAGE, "heads": HEADS}
