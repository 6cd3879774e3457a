"""Problem file → steps → rendered text; somebody's working → marks. Never imports torch."""

from clearhead.working.problem import Problem
from clearhead.working.problem_file import load_problem, work
from clearhead.working.render import pages
from clearhead.working.steps import PAGES, Plan, Step, Working

__all__ = ["Plan", "Problem", "Step", "Working", "load_problem", "work"]

PAGES.append(pages)
