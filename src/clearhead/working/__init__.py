"""Problem file → steps → rendered text; somebody's working → marks. Never imports torch."""

from clearhead.working.problem import Problem, load_problem, work
from clearhead.working.steps import Plan, Step, Working

__all__ = ["Plan", "Problem", "Step", "Working", "load_problem", "work"]
