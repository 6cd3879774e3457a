"""A new output format is one file and one line: then problems are written in it."""

from extensions.conftest import Copy

FORMAT = '''
"""A working as lines of `step row column value`, for a program that reads no JSON."""

from clearhead.exact.decimals import decimal_text
from clearhead.working.steps import Working


def render(working: Working) -> str:
    lines = []
    for step in working.plan.steps:
        if step.rule is not None:
            for i, row in enumerate(working.values[step.name].rows, start=1):
                lines += [f"{step.name} {i} {j} {decimal_text(cell, 2)}" for j, cell in enumerate(row, start=1)]
    return "\\n".join(lines)
'''.lstrip()


def test_a_format_is_one_file_and_one_line(package: Copy) -> None:
    package.add("working/render/formats/cells.py", FORMAT)
    package.extend("working/render/renderers.py", "RENDERERS = {", '    "cells": ".cells",')
    printed = package.clearhead("work", "examples/self-attention", "--format", "cells").splitlines()
    assert printed[:3] == ["Q 1 1 1.00", "Q 1 2 3.00", "Q 2 1 -1.00"]
    package.clearhead("work", "examples/self-attention", "--out", package.folder / "key.cells")
    assert (package.folder / "key.cells").read_text(encoding="utf-8").splitlines() == printed
