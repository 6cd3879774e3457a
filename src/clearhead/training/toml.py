"""A tree of plain values as TOML text; the standard library only reads it."""

import json
from typing import Any


def written(tree: dict[str, Any], path: tuple[str, ...] = ()) -> str:
    """Plain values first, then tables, then lists of tables.

    >>> print(written({"seed": 1, "model": {"kind": "gpt"}, "objectives": [{"kind": "next"}]}))
    seed = 1
    <BLANKLINE>
    [model]
    kind = "gpt"
    <BLANKLINE>
    [[objectives]]
    kind = "next"
    <BLANKLINE>
    """
    lines = [f"{key} = {value_text(value)}" for key, value in tree.items() if not table_like(value)]
    text = "".join(line + "\n" for line in lines)
    for key, value in tree.items():
        name = ".".join((*path, key))
        if isinstance(value, dict) and value:
            text += f"\n[{name}]\n" + written(value, (*path, key))
        elif table_like(value):
            text += "".join(f"\n[[{name}]]\n" + written(each, (*path, key)) for each in value)
    return text


def table_like(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(each, dict) for each in value)
    )


def value_text(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML wants escaped, and JSON does not
