"""Questions about the geometry of attention, one or two a file."""

from clearhead.working.geometries.focus import AVERAGE, COPY
from clearhead.working.geometries.project import PROJECT
from clearhead.working.geometries.question import Question
from clearhead.working.geometries.two_heads import HEADS

__all__ = ["QUESTIONS", "Question"]

QUESTIONS: dict[str, Question] = {"copy": COPY, "project": PROJECT, "average": AVERAGE, "heads": HEADS}
