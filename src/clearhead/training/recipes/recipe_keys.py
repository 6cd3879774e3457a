"""Settings such as `training.rate=0.001`, put into the tree of a recipe."""

import tomllib
from collections.abc import Sequence
from typing import Any

from clearhead.errors import InputError


def set_keys(tree: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """The tree with settings such as `training.rate=0.001` put in; what stands right of = is read as TOML, else as text."""
    for setting in settings:
        path, equals, text = setting.partition("=")
        if not equals or not path.strip():
            raise InputError(f"--set takes key=value, such as training.rate=0.001; got {setting!r}.")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError:
            value = text.strip()
        *tables, key = path.strip().split(".")
        inside: Any = tree
        for table in tables:
            inside = inside[int(table)] if isinstance(inside, list) and table.isdigit() else inside.setdefault(table, {})
            if not isinstance(inside, dict | list):
                raise InputError(f"--set {setting}: {table!r} is not a table of the recipe.")
        if not isinstance(inside, dict):
            raise InputError(f"--set {setting}: name one of the list by its number, such as objectives.0.share=0.5.")
        inside[key] = value
    return tree
