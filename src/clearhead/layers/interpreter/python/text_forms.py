"""Texts with values put in: `%`, `.format` and f-strings, as names of layers are made."""

import re
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, first_unknown
from clearhead.layers.values.axis_sizes import SMALL
from clearhead.layers.values.refusals import NotKnown

WIDE = re.compile(r"\d{4,}|\*")  # a width of a thousand letters or one that is itself a value is not followed


def is_showable(value: Any) -> bool:
    """Whether a value shows as Python would show it."""
    if isinstance(value, (list, tuple)):
        return len(value) < 1000 and all(is_showable(each) for each in value)
    return isinstance(value, (str, bool, float, type(None))) or (isinstance(value, int) and abs(value) < SMALL)


def require_showable(values: Any, line: int) -> None:
    if first_unknown(values) or not is_showable(list(values)):
        raise NotKnown(f"a text on line {line} is not known")


def percent(form: str, values: Any, line: int) -> str:
    """`"layer%d" % n`."""
    given = tuple(values.values()) if isinstance(values, dict) else values if isinstance(values, tuple) else (values,)
    require_showable(given, line)
    if WIDE.search(form):
        raise NotKnown(f"a text on line {line} is not followed")
    try:
        return within(form % (values if isinstance(values, dict) else given), line)
    except (TypeError, ValueError, KeyError):
        raise NotKnown(f"a text on line {line} is not followed") from None


def formatted(form: str, values: list[Any], named: dict[str, Any], line: int) -> str:
    """`"layer{}".format(n)`; fields that reach into a value are not followed."""
    require_showable([*values, *named.values()], line)
    if WIDE.search(form) or re.search(r"\{[^{}]*[.\[][^{}]*\}", re.sub(r":[^{}]*\}", "}", form)):
        raise NotKnown(f"a text on line {line} is not followed")
    try:
        return within(form.format(*values, **named), line)
    except (ValueError, KeyError, IndexError, TypeError):
        raise NotKnown(f"a text on line {line} is not followed") from None


def one_field(value: Any, spec: str, conversion: int, line: int) -> str:
    """One field of an f-string."""
    require_showable([value], line)
    if WIDE.search(spec):
        raise NotKnown(f"a text on line {line} is not followed")
    shown = repr(value) if conversion == ord("r") else str(value) if conversion == ord("s") else value
    try:
        return within(format(shown, spec), line)
    except (ValueError, TypeError):
        raise NotKnown(f"a text on line {line} is not followed") from None


def within(text: str, line: int) -> str:
    if len(text) > LONGEST_LIST:
        raise NotKnown(f"a text on line {line} is too long to follow")
    return text
