"""Questions about the geometry of attention, one or two a file."""

from clearhead.working.kinds.geometries.focus import AVERAGE, COPY
from clearhead.working.kinds.geometries.geometry_question import GeometryQuestion
from clearhead.working.kinds.geometries.one_head_or_two import HEADS
from clearhead.working.kinds.geometries.project import PROJECT

__all__ = ["QUESTIONS", "GeometryQuestion"]

QUESTIONS: dict[str, GeometryQuestion] = {"copy": COPY, "project": PROJECT, "average": AVERAGE, "heads": HEADS}
