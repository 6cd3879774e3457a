"""Notebooks: the Python of their code cells, one after the other; shell lines and magics become empty lines."""

import json
from typing import Any

from clearhead.errors import InputError


def code_of(text: str, title: str) -> str:
    """The code of a notebook as one source; each cell begins with a comment that counts it."""
    try:
        found: Any = json.loads(text)
        cells = found.get("cells") or [cell for sheet in found["worksheets"] for cell in sheet["cells"]]
        return "\n".join(part for number, cell in enumerate(cells, 1) for part in lines_of(cell, number))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{title} is no notebook: its JSON holds no cells.") from None


def lines_of(cell: dict[str, Any], number: int) -> list[str]:
    """The lines of one code cell, with what is not Python left empty."""
    if cell.get("cell_type") != "code":
        return []
    source = cell.get("source", cell.get("input", ""))
    lines = ("".join(source) if isinstance(source, list) else str(source)).split("\n")
    if lines and lines[0].lstrip().startswith("%%"):
        words = lines[0].split()[0]
        lines = [
            "" if words in ("%%time", "%%capture", "%%timeit") else "pass",
            *(lines[1:] if words in ("%%time", "%%capture") else []),
        ]
    return [f"# cell {number}", *(plain(line) for line in lines)]


def plain(line: str) -> str:
    """A line of Python, or an empty statement where a shell command or a magic stood."""
    bare = line.lstrip()
    if bare.startswith(("!", "%")) or (bare.endswith("?") and not bare.startswith("#")):
        return f"{line[: len(line) - len(bare)]}pass"
    return line
