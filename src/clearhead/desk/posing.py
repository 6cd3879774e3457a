"""A problem as a page hands it in, and the form in which people edit it: tables, words, numbers, switches."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.notation import named
from clearhead.working import library
from clearhead.working.fields import read_names
from clearhead.working.file_tree import read_text
from clearhead.working.kinds import KINDS, kind_named
from clearhead.working.problem_file import kind_of
from clearhead.working.render.maths.mathml import mathml
from clearhead.working.variants import toml

NUMBER = re.compile(r"\s*[+−-]?\s*(?:\d[\d_]*(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?(?:\s*/\s*\d+)?\s*")
MOST_CELLS = 4_096  # of one table in a form; a larger one is edited as a file

SWITCH, CHOICE, SLIDER, TEXT = "switch", "choice", "slider", "text"
CONTROLS: dict[str, dict[str, Any]] = {
    "scale": {"control": SWITCH, "default": True},
    "mask": {"control": CHOICE, "choices": ["none", "causal"], "default": "none"},
    "temperature": {"control": SLIDER, "least": 0, "most": 4, "by": 0.1, "default": 1},
    "predict": {"control": CHOICE, "choices": ["next", "own"], "default": "next"},
    "penalty": {"control": CHOICE, "choices": ["none", "l2", "max-norm"], "default": "none"},
    "shift": {"control": SWITCH, "default": False},
    "round": {"control": CHOICE, "choices": ["exact", 0, 1, 2, 3, 4, 5, 6], "default": "exact"},
}
"""How an option is set by hand; one that is not here is a line of text, shown only where the problem has it."""
OWN_DEFAULTS = {("decoder", "mask"): "causal"}


def problem_in(asked: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tree of the problem that a question carries: itself, as TOML or JSON text, or by the name of a bundled one."""
    if isinstance(asked.get("problem"), dict):
        return cleaned(asked["problem"])
    if isinstance(text := asked.get("toml"), str):
        tree = read_text(text, text.lstrip().startswith("{"))
        if not isinstance(tree, dict):
            raise InputError("the problem must be a table with kind and given")
        return tree
    if isinstance(name := asked.get("example"), str):
        tree = read_text(library.source_of(name), as_json=False)
        return {key: value for key, value in tree.items() if key not in ("topic", "level")}
    if isinstance(kind := asked.get("kind"), str) and kind in KINDS:
        tree = read_text(kind_named(kind).template, as_json=False)
        return dict(tree)
    raise InputError("a problem is needed: problem, toml, example or kind")


def cleaned(tree: Mapping[str, Any]) -> dict[str, Any]:
    """The same without blanks around numbers, and with a minus that computers know."""
    return {key: clean_value(value) for key, value in tree.items()}


def clean_value(value: Any) -> Any:
    if isinstance(value, dict):
        return cleaned(value)
    if isinstance(value, list):
        return [clean_value(inner) for inner in value]
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return re.sub(r"\s+", "", value).replace("−", "-").replace(",", ".")
    return value


def read(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A problem, the form to edit it in, and its file."""
    tree = problem_in(asked)
    return {"problem": tree, "form": form_of(tree), "toml": toml.written(tree)}


def form_of(tree: Mapping[str, Any]) -> dict[str, Any]:
    """What of a problem can be edited, in the order of its file."""
    kind = kind_of(tree)
    given = tree.get("given", {})
    options = tree.get("options", {})
    if not isinstance(given, dict) or not isinstance(options, dict):
        raise InputError("given and options must be tables")
    words = {name for name, reader in kind.given.items() if reader is read_names}
    fields = [field for name, value in given.items() for field in fields_of(["given", name], name, value, name in words)]
    return {
        "kind": tree["kind"],
        "title": str(tree.get("title", tree["kind"])),
        "given": fields,
        "options": list(options_of(str(tree["kind"]), options, [*kind.options, "round"])),
        "steps": dict(tree["steps"]) if isinstance(tree.get("steps"), dict) else None,
        "further": [name for name in kind.given if name not in given and kind.any_given is None],
    }


def fields_of(path: list[str | int], name: str, value: Any, words: bool) -> Iterator[dict[str, Any]]:
    """One field, or one for each table inside: heads come one after the other."""
    if isinstance(value, list) and value and all(isinstance(inner, dict) for inner in value):
        for number, inner in enumerate(value, start=1):
            for key, deeper in inner.items():
                yield from fields_of([*path, number - 1, key], f"{key} {number}", deeper, False)
        return
    rows = value if is_table(value) else [value] if is_row(value) else [[value]] if is_single(value) else None
    if rows is None or sum(len(row) for row in rows) > MOST_CELLS:
        yield {"path": path, "name": name, "shape": "file", "cells": []}
        return
    as_words = (
        words or (is_row(value) and not all(is_number(cell) for cell in value)) or (is_single(value) and not is_number(value))
    )
    shape = "table" if is_table(value) else "row" if is_row(value) else "number"
    symbol = mathml(named(name.replace(" ", "")))
    yield {
        "path": path,
        "name": name,
        "symbol": symbol,
        "shape": shape,
        "words": as_words,
        "cells": [[str(cell) for cell in row] for row in rows],
    }


def is_single(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and NUMBER.fullmatch(value) is not None)


def is_row(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(is_single(cell) for cell in value)


def is_table(value: Any) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(is_row(row) for row in value) and len({len(row) for row in value}) == 1
    )


def options_of(kind: str, options: Mapping[str, Any], known: list[str]) -> Iterator[dict[str, Any]]:
    """Each option that has a control, and each that the problem sets."""
    for name in dict.fromkeys([*known, *options]):
        control = CONTROLS.get(name)
        value = options.get(name)
        if control is not None and fits(control, value):
            default = OWN_DEFAULTS.get((kind, name), control["default"])
            yield {"name": name, **control, "default": default, "value": default if value is None else value}
        elif value is not None:
            yield {"name": name, "control": TEXT if is_single(value) else "file", "value": value}


def fits(control: Mapping[str, Any], value: Any) -> bool:
    """Whether a control can show a value: a mask that is a table cannot be chosen from a list."""
    if value is None:
        return True
    if control["control"] == SWITCH:
        return isinstance(value, bool)
    return value in control["choices"] if control["control"] == CHOICE else is_number(value)
