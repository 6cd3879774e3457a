"""Round brackets of a formula that stand around tables: on a page they grow with what is inside."""

import re
from collections.abc import Sequence

BRACKET = re.compile(r"(?<!\\left)(?<!\\right)([()])")


def around_tables(pieces: Sequence[str | None]) -> list[list[tuple[str, bool]]]:
    """Words cut at their brackets, each with whether it is a bracket that has a table inside; None stands for a table.

    >>> around_tables(["sum(", None, "^2) + (1)"])
    [[('sum', False), ('(', True)], [], [('^2', False), (')', True), (' + ', False), ('(', False), ('1', False), (')', False)]]
    """
    cut = [[] if words is None else [part for part in BRACKET.split(words) if part] for words in pieces]
    opened: list[tuple[int, int]] = []
    grown: set[tuple[int, int]] = set()
    for k, parts in enumerate(cut):
        for n, part in enumerate(parts):
            if part == "(":
                opened.append((k, n))
            elif part == ")" and opened:
                first = opened.pop()
                if any(pieces[between] is None for between in range(first[0], k)):
                    grown |= {first, (k, n)}
    return [[(part, (k, n) in grown) for n, part in enumerate(parts)] for k, parts in enumerate(cut)]
