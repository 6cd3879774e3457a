"""Methods of plain values: lists, dicts, sets and texts, as Python has them."""

import ast
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Broken, Halt, Scope, first_unknown
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.interpreter.python.library_functions import OptionParser, of_parser
from clearhead.layers.interpreter.python.text_forms import formatted, within
from clearhead.layers.interpreter.python.value_arithmetic import contains, same_thing
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.word_lists import words

TEXT_METHODS = words(
    "lower upper strip lstrip rstrip split rsplit startswith endswith replace join title capitalize isdigit find "
    "rfind count partition rpartition isalpha isnumeric swapcase removeprefix removesuffix zfill splitlines index"
)
CHANGES = words("append extend insert pop remove clear reverse sort update setdefault popitem add discard")


def of_plain(owner: Any, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a method of a list, dict, set or text."""
    line = getattr(node, "lineno", 0)
    if isinstance(owner, OptionParser):
        return of_parser(owner, name, values, named, node, scope)
    if isinstance(owner, list):
        return of_list(owner, name, values, named, node, scope)
    if isinstance(owner, dict):
        return of_dict(owner, name, values, named, node)
    if isinstance(owner, str):
        return of_text(owner, name, values, named, line)
    if isinstance(owner, set) and name in ("add", "discard", "remove") and values:
        (owner.add if name == "add" else owner.discard)(values[0])
        return None
    if isinstance(owner, tuple) and name in ("index", "count", "numel"):
        if name == "numel":
            total = 1
            for each in owner:
                total *= each
            return total
        return of_list(list(owner), name, values, named, node, scope)
    if isinstance(owner, (int, float)) and name in ("item", "bit_length", "is_integer"):
        return owner if name == "item" else getattr(owner, name)()
    if isinstance(owner, (list, dict, set)) and name in CHANGES:  # it may change in a way that is not followed
        raise Halt(f"`.{name}` on line {line} is not followed", line)
    raise NotKnown(f"`.{name}` on line {line} is not followed")


def of_list(owner: list[Any], name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    if name == "append" and len(values) == 1:
        added = values
    elif name == "extend" and len(values) == 1:
        try:
            added = items(values[0], line)
        except NotKnown as reason:
            raise Halt(reason.why, line) from None
    else:
        return of_list_rarely(owner, name, values, named, node, scope)
    if len(owner) + len(added) > LONGEST_LIST:
        raise Halt(f"a list on line {line} is too long to follow", line)
    owner.extend(added)
    return None


def of_list_rarely(owner: list[Any], name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    plain = all(isinstance(each, (int, float, str)) for each in owner)
    if name == "insert" and len(values) == 2 and isinstance(values[0], int):
        owner.insert(values[0], values[1])
        return None
    if name == "pop" and all(isinstance(each, int) for each in values):
        try:
            return owner.pop(*values)
        except IndexError:
            raise Broken(node, Refusal(f"there is no place {values or 'last'} among {len(owner)}")) from None
    if name == "reverse":
        owner.reverse()
        return None
    if name == "clear":
        owner.clear()
        return None
    if name == "copy":
        return list(owner)
    if name == "index" and values:
        for place, each in enumerate(owner):
            if same_thing(each, values[0]) or (plain and each == values[0]):
                return place
        raise Broken(node, Refusal(f"{values[0]!r} is not in the list"))
    if name == "count" and values and plain:
        return owner.count(values[0])
    if name == "sort" and plain and not named.get("key"):
        owner.sort(reverse=bool(named.get("reverse", False)))
        return None
    if name == "remove" and values and contains(owner, values[0], line):
        place = next(i for i, each in enumerate(owner) if each is values[0] or (plain and each == values[0]))
        del owner[place]
        return None
    raise Halt(f"the list changed on line {line} in a way that is not followed", line)


def of_dict(owner: dict[Any, Any], name: str, values: list[Any], named: dict[str, Any], node: ast.AST) -> Any:
    line = getattr(node, "lineno", 0)
    if "*" in owner and name not in ("update",):
        raise NotKnown(owner["*"].why, owner["*"].line)
    unknown = first_unknown(values[:1])
    if unknown:
        raise NotKnown(unknown.why, unknown.line)
    if name in ("items", "values", "keys"):
        return [tuple(each) for each in owner.items()] if name == "items" else list(getattr(owner, name)())
    if name == "get" and values:
        return owner.get(values[0], values[1] if len(values) > 1 else named.get("default"))
    if name == "pop" and values:
        if values[0] not in owner and len(values) < 2:
            raise Broken(node, Refusal(f"there is no key {values[0]!r}"))
        return owner.pop(values[0], *values[1:])
    if name == "setdefault" and values:
        return owner.setdefault(values[0], values[1] if len(values) > 1 else None)
    if name == "update":
        for each in values:
            if isinstance(each, dict):
                owner.update(each)
            else:
                owner.update({pair[0]: pair[1] for pair in items(each, line)})
        owner.update(named)
        return None
    if name == "copy":
        return dict(owner)
    if name == "clear":
        owner.clear()
        return None
    raise Halt(f"`.{name}` on line {line} is not followed", line)


def of_text(owner: str, name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    if name == "format":
        return formatted(owner, values, named, line)
    unknown = first_unknown(values)
    if unknown:
        raise NotKnown(unknown.why, unknown.line)
    if name == "join" and values:
        words = items(values[0], line)
        if not all(isinstance(word, str) for word in words) or sum(map(len, words)) + len(owner) * len(words) > LONGEST_LIST:
            raise NotKnown(f"a text on line {line} is not known")
        return owner.join(words)
    if name not in TEXT_METHODS or not all(isinstance(each, (str, int, tuple, type(None))) for each in values):
        raise NotKnown(f"`.{name}` on line {line} is not followed")
    if name == "zfill" or (name == "replace" and len(values) > 1 and len(owner) * (len(str(values[1])) + 1) > LONGEST_LIST):
        raise NotKnown(f"a text on line {line} is too long to follow")
    method: Callable[..., Any] = getattr(owner, name)
    try:
        found = method(*values, **named)
    except (TypeError, ValueError) as error:
        raise Refusal(f".{name}: {error}") from None
    return within(found, line) if isinstance(found, str) else found
