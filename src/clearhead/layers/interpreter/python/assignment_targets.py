"""What stands left of `=`: names, attributes, places in lists, several of them in a row."""

import ast
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Broken, Halt, Scope
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.values.net_parts import Container, Instance
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

Evaluate = Callable[[ast.expr, Scope], Any]


def bind(target: ast.expr, value: Any, scope: Scope, evaluate: Evaluate) -> None:
    """Give a value to a name, or to several names in a row."""
    if isinstance(target, ast.Name):
        scope.set(target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part, each in zip(target.elts, taken_apart(target, value), strict=True):
            bind(part.value if isinstance(part, ast.Starred) else part, each, scope, evaluate)
    elif isinstance(target, ast.Attribute):
        scope.run.call(Function("setattr"), [evaluate(target.value, scope), target.attr, value], {}, target, scope)
    elif isinstance(target, ast.Subscript):
        put(target, value, scope, evaluate)


def put(target: ast.Subscript, value: Any, scope: Scope, evaluate: Evaluate) -> None:
    """`owner[place] = value`; numbers written into a tensor do not change its shape."""
    owner, place = evaluate(target.value, scope), evaluate(target.slice, scope)
    if isinstance(owner, (Tensor, Unknown, Parameter)):
        return
    if isinstance(owner, list) and isinstance(place, int) and -len(owner) <= place < len(owner):
        owner[place] = value
    elif isinstance(owner, list) and isinstance(place, slice) and isinstance(value, (list, tuple)):
        if len(owner) + len(value) > LONGEST_LIST:
            raise Halt(f"a list on line {target.lineno} is too long to follow", target.lineno)
        try:
            owner[place] = list(value)
        except ValueError as error:
            raise Broken(target, Refusal(str(error))) from None
    elif isinstance(owner, dict) and isinstance(place, (str, int, tuple, float, type(None))):
        owner[place] = value
    elif isinstance(owner, Container) and isinstance(place, (str, int)):
        names = list(owner.parts)
        known = isinstance(place, str) or -len(names) <= place < len(names)
        if not known:
            raise Broken(target, Refusal(f"there is no part {place} among {len(names)}"))
        owner.parts[place if isinstance(place, str) else names[place]] = value
    elif isinstance(owner, Instance) and owner.cls.find("__setitem__"):
        raise Halt(f"the change on line {target.lineno} is not followed", target.lineno)
    else:
        raise Halt(f"the change on line {target.lineno} is not followed", target.lineno)


def remove(target: ast.expr, scope: Scope, evaluate: Evaluate) -> None:
    """`del` of a name, an attribute, or a place in a list."""
    if isinstance(target, ast.Name):
        scope.names.pop(target.id, None)
        return
    owner = evaluate(target.value, scope) if isinstance(target, (ast.Attribute, ast.Subscript)) else None
    if isinstance(owner, Unknown):
        return
    if isinstance(target, ast.Attribute) and isinstance(owner, (Instance, Container)):
        held = owner.attributes if isinstance(owner, Instance) else owner.parts
        held.pop(target.attr, None)
        return
    if isinstance(target, ast.Subscript):
        place = evaluate(target.slice, scope)
        if isinstance(owner, Container):
            names = list(owner.parts)
            kept = [owner.parts[name] for name in names if name not in removed_names(names, place)]
            plain = owner.kind != "ModuleDict"
            owner.parts = {str(i): each for i, each in enumerate(kept)} if plain else {
                name: owner.parts[name] for name in names if name not in removed_names(names, place)
            }  # fmt: skip
            return
        if isinstance(owner, (list, dict)) and isinstance(place, (int, str, slice)):
            try:
                del owner[place]  # type: ignore[arg-type]
            except (KeyError, IndexError, TypeError) as error:
                raise Broken(target, Refusal(f"it cannot be deleted: {error}")) from None
            return
    raise Halt(f"`del` on line {target.lineno} is not followed", target.lineno)


def removed_names(names: list[str], place: Any) -> set[str]:
    if isinstance(place, slice):
        return set(names[place])
    return {names[place]} if isinstance(place, int) and -len(names) <= place < len(names) else {str(place)}


def taken_apart(target: ast.Tuple | ast.List, value: Any) -> list[Any]:
    """The parts of a value for the names that take them."""
    count, line = len(target.elts), target.lineno
    starred = next((place for place, part in enumerate(target.elts) if isinstance(part, ast.Starred)), None)
    if isinstance(value, Tensor):
        if not value.shape or value.shape[0] > 64:
            return [Unknown(f"the names on line {line} take apart a tensor along an axis that is not followed", line)] * count
        rest = Tensor(value.shape[1:], value.whole)
        value = [rest] * value.shape[0]
    if isinstance(value, Unknown):
        return [value] * count
    if isinstance(value, Instance) and value.cls.fields:
        value = [value.attributes.get(name) for name in value.cls.fields]
    try:
        found = items(value, line)
    except NotKnown as reason:
        return [Unknown(reason.why, line)] * count
    if starred is not None and len(found) >= count - 1:
        behind = count - starred - 1
        middle = found[starred : len(found) - behind]
        return [*found[:starred], middle, *found[len(found) - behind :]]
    if len(found) != count:
        raise Broken(target, Refusal(f"{count} names stand for {len(found)} values"))
    return found
