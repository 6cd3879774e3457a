"""A problem worked, as the page shows it: the steps' own HTML, what feeds what, and the form to go on editing."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from clearhead.desk.posing import form_of, problem_in
from clearhead.errors import InputError
from clearhead.working import Working, load_problem
from clearhead.working import work as work_problem
from clearhead.working.render.formats.html import contents

STYLES = ("connections", "heatmap")
MOST_DIGITS = 12


def working_in(asked: Mapping[str, Any]) -> tuple[Mapping[str, Any], Working]:
    """The problem of a question, worked."""
    tree = problem_in(asked)
    digits = asked.get("digits", 4)
    if not isinstance(digits, int) or not 0 <= digits <= MOST_DIGITS:
        raise InputError(f"digits must be a whole number from 0 to {MOST_DIGITS}")
    working = work_problem(load_problem(tree), digits=digits)
    style = asked.get("style")
    return tree, replace(working, style=style) if style in STYLES else working


def work(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The steps as HTML, and all that the page needs around them."""
    tree, working = working_in(asked)
    return {
        "title": working.plan.title,
        "kind": working.plan.kind,
        "policy": working.policy.name,
        "html": contents(working),
        "problem": tree,
        "form": form_of(tree),
        "maps": bool(working.plan.maps),
        "steps": [step.name for step in working.plan.steps if step.rule is not None],
    }
