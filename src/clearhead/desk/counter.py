"""The table of what can be asked for, and the one place where an error becomes data."""

import json
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from clearhead.errors import ClearheadError, InputError
from clearhead.working.fields import did_you_mean, one_line
from clearhead.working.file_tree import read_json

LARGEST = 300_000
"""Characters of what is asked, where no entry below says otherwise."""
LARGEST_DOCUMENT = 14_000_000  # a PDF or a Word file of 10 MB, in base64
LONGEST_COMPLAINT = 400
PLACE = re.compile(
    r"(?:given|options|steps|marks)\.([\w-]+)(?:\[(\d+)\]\.(\w+))?: (?:row (\d+), column (\d+)|number (\d+)|row (\d+))?"
)

FUNCTIONS: dict[str, tuple[str, int]] = {
    "library": ("shelf", LARGEST),
    "read": ("posing", LARGEST),
    "work": ("worked", LARGEST),
    "export": ("exports", LARGEST),
    "sheet": ("practice", LARGEST),
    "check": ("practice", LARGEST),
    "hint": ("hints", LARGEST),
    "handed_in": ("practice", LARGEST),
    "mark": ("marked", LARGEST_DOCUMENT),
    "layers": ("nets_desk", LARGEST),
}
"""Each function with the module of this room that has it, and how many characters it may be asked in."""


def answer(name: str, text: str) -> str:
    """What a function answers, as JSON: `{"ok": true, "value": …}`, or `{"ok": false, "error": …, "at": …}` in one clear line.

    >>> json.loads(answer("read", '{"example": "softmax"}'))["value"]["problem"]["kind"]
    'softmax'
    >>> json.loads(answer("work", "[]"))["error"]
    'what is asked must be a JSON object'
    """
    try:
        return written({"ok": True, "value": function_named(name, len(text))(asked(text))})
    except ClearheadError as error:
        return complaint(str(error))
    except (ArithmeticError, RecursionError) as error:
        return complaint(f"cannot be worked: {error}")
    except MemoryError:
        return complaint("this takes more memory than there is; give fewer or shorter numbers")
    except Exception as error:
        return complaint(f"a bug of ours: {type(error).__name__}: {error}", bug=True)


def function_named(name: str, size: int) -> Callable[[Mapping[str, Any]], Any]:
    """The function itself, its module imported only now; what is too long is refused before it is read."""
    if name not in FUNCTIONS:
        raise InputError(f"there is nothing called {name[:40]!r}{did_you_mean(name[:40], FUNCTIONS)}")
    module, most = FUNCTIONS[name]
    if size > most:
        raise InputError(f"{size:,} characters are too many; at most {most:,} can be taken")
    found: Callable[[Mapping[str, Any]], Any] = getattr(import_module(f"clearhead.desk.{module}"), name)
    return found


def asked(text: str) -> Mapping[str, Any]:
    """The JSON of a question, decimals kept as the text that was written."""
    try:
        tree = read_json(text)
    except (ValueError, RecursionError):
        raise InputError("what is asked is not valid JSON") from None
    if not isinstance(tree, dict):
        raise InputError("what is asked must be a JSON object")
    return tree


def written(tree: Mapping[str, Any]) -> str:
    return json.dumps(tree, ensure_ascii=False, allow_nan=False, default=str)


def complaint(sentence: str, bug: bool = False) -> str:
    """One line, and where in the problem the fault lies if it says so."""
    said = one_line(sentence).removeprefix("problem: ")[:LONGEST_COMPLAINT]
    return written({"ok": False, "error": said, "bug": bug, "at": place_of(said)})


def place_of(sentence: str) -> dict[str, Any] | None:
    """The given, and the cell of it, that a complaint names.

    >>> place_of("given.X: row 2, column 1: 'a' is not a number")
    {'name': 'X', 'row': 2, 'column': 1}
    """
    found = PLACE.search(sentence)
    if found is None:
        return None
    name, number, inner, row, column, alone, line = found.groups()
    whole = f"{inner} {number}" if inner else name
    return {"name": whole, "row": int(row or line or 1), "column": int(column or alone or 0)}
