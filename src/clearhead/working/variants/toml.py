"""A problem's tree written as TOML again."""

import json
import re
from collections.abc import Mapping
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
DECIMAL = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")


def written(tree: Mapping[str, Any]) -> str:
    """Plain keys first, then the tables in their order."""
    plain = [f"{key_of(key)} = {value_of(value)}\n" for key, value in tree.items() if not isinstance(value, Mapping)]
    tables = [
        f"\n[{key_of(key)}]\n"
        + "".join(f"{key_of(name)} = {value_of(value, key != 'steps')}\n" for name, value in table.items())
        for key, table in tree.items()
        if isinstance(table, Mapping)
    ]
    return "".join([*plain, *tables])


def key_of(key: str) -> str:
    return key if BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def value_of(value: Any, numbers: bool = True) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return value if numbers and DECIMAL.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key_of(key)} = {value_of(inner)}" for key, inner in value.items()) + "}"
    return "[" + ", ".join(value_of(inner) for inner in value) + "]"
