"""A working as Markdown whose maths GitHub draws; in a notebook the same between dollar signs."""

import re
from collections.abc import Iterator

from clearhead.working.render.page.equations import Display, part_displays, table_displays
from clearhead.working.render.page.layout import page_of
from clearhead.working.steps import Working

SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~$&#])")


def render(working: Working) -> str:
    """Markdown whose maths stands between fences, as GitHub draws it."""
    return "\n".join(lines(working, "```math", "```"))


def notebook(working: Working) -> str:
    """Jupyter knows dollars, not fences."""
    return "\n".join(lines(working, "$$", "$$"))


def lines(working: Working, opening: str, closing: str) -> Iterator[str]:
    page = page_of(working)

    def shown(display: Display) -> Iterator[str]:
        if display.words:
            yield from (escaped(display.words), "")
        if display.lines:
            yield from (opening, aligned(display), closing, "")

    yield from (f"# {escaped(page.title)}", "", page.policy, "", "## Given", "")
    for table in page.givens:
        for display in table_displays(table):
            yield from shown(display)
    yield from ("## Steps", "")
    for part in page.parts:
        yield from (f"### {part.number}. {escaped(part.heading)}", "", escaped(part.step.why), "")
        for display in part_displays(working, part):
            yield from shown(display)
    yield from ("## Answer", "")
    for table in page.answers:
        for display in table_displays(table):
            yield from shown(display)
    if page.observations:
        yield from ("## Observations", "", *(f"- {escaped(line)}" for line in page.observations), "")


def aligned(display: Display) -> str:
    if len(display.lines) == 1:
        return " ".join(side for side in display.lines[0] if side)
    rows = " \\\\\n".join(f"{left} &{right}" for left, right in display.lines)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


def escaped(words: str) -> str:
    r"""Words that Markdown must not read as marks.

    >>> escaped("a*b")
    'a\\*b'
    """
    return SPECIAL.sub(r"\\\1", words)
