"""Functions of Python that a net is made with: `range`, `isinstance`, `math.prod`, `setattr`, `partial`."""

import ast
import math
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.attributes import attribute
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope, first_unknown
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.interpreter.python.kinds_of_values import is_instance, kind_of
from clearhead.layers.interpreter.python.value_arithmetic import truth
from clearhead.layers.source.fixes import StartModuleFirst
from clearhead.layers.values.axis_sizes import SMALL, is_readable
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, Method, Partial, Super, UserFunction, is_module
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

PLAIN = (int, float, str, bool, type(None), list, tuple, dict, set, Tensor, Unknown)


def checked(result: Any, line: int) -> Any:
    """A number, refused where it can no longer be a size."""
    if isinstance(result, int) and not is_readable(result):
        raise NotKnown(f"a number on line {line} depends on the batch size, or is too large for a size")
    return result


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python on known numbers."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        unknown = first_unknown(values)
        if unknown:
            return unknown
        values = [list(each) if isinstance(each, (set, dict)) else each for each in values]
        if named.keys() - {"start", "key", "default"} or not all(
            isinstance(each, (int, float, list, tuple, str, range)) for each in values
        ):
            raise NotKnown(f"a function on line {line} is called on something that is not known")
        if "key" in named or any(
            isinstance(each, Tensor) for value in values if isinstance(value, (list, tuple)) for each in value
        ):
            raise NotKnown(f"a function on line {line} is called on something that is not followed")
        if any(isinstance(each, float) and abs(each) > SMALL and each != math.inf for each in values):
            raise NotKnown(f"a number on line {line} is too large for a size")
        if any(isinstance(each, range) and len(each) > 100_000 for each in values):
            raise NotKnown(f"a loop on line {line} goes on for too long")
        try:
            return checked(function(*values, **named), line)
        except (TypeError, ValueError, OverflowError) as error:
            raise Refusal(str(error)) from None

    return run


def total(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`sum` of numbers, and of tensors one after the other."""
    things = items(values[0], getattr(node, "lineno", 0)) if values else []
    start = values[1] if len(values) > 1 else named.get("start", 0)
    if any(isinstance(each, (Tensor, Unknown, list, tuple)) for each in [*things, start]):
        from_here: Any = start
        for each in things:
            from_here = scope.run.call(Function("operator.add"), [from_here, each], {}, node, scope)
        return from_here
    return of_numbers(sum)([things, start], {}, node, scope)


def length(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    value = values[0] if values else None
    if isinstance(value, Parameter):
        value = value.tensor
    if isinstance(value, Tensor):
        if not value.shape:
            raise Refusal("one number has no length")
        return value.shape[0]
    if isinstance(value, Instance) and "*parts" not in value.attributes and value.cls.find("__len__"):
        return scope.run.call(attribute(value, "__len__", line), [], {}, node, scope)
    return len(items(value, line))


def of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python that goes through lists."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        if function is enumerate and len(values) == 2:
            named, values = {"start": values[1]}, values[:1]
        if first_unknown([*named.values()]):
            raise NotKnown(f"a loop on line {line} is not known")
        return list(function(*(items(each, line) for each in values), **{k: v for k, v in named.items() if k == "start"}))

    return run


def mapped(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    rows = zip(*(items(each, line) for each in values[1:]), strict=False)
    return [scope.run.call(values[0], list(row), {}, node, scope) for row in rows]


def filtered(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    things = items(values[1], line)
    if values[0] is None:
        return [each for each in things if truth(each, line)]
    return [each for each in things if truth(scope.run.call(values[0], [each], {}, node, scope), line)]


def in_order(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    things = items(values[0], line) if values else []
    if not all(isinstance(each, (int, float, str)) for each in things) or "key" in named:
        raise NotKnown(f"what is put in order on line {line} is not followed")
    try:
        return sorted(things, reverse=bool(named.get("reverse", False)))
    except TypeError as error:
        raise Refusal(str(error)) from None


def every(function: Callable[..., bool]) -> Callable[..., Any]:
    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        if values and isinstance(values[0], Tensor):
            raise NotKnown(f"a condition on line {line} depends on the numbers in a tensor")
        return function(truth(each, line) for each in items(values[0], line))

    return run


def set_attribute(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """`self.name = value`."""
    line = getattr(node, "lineno", 0)
    if len(values) != 3 or not isinstance(values[1], str):
        owner = values[0] if values else None
        if isinstance(owner, Instance):
            owner.unknown = owner.unknown or Unknown(f"`setattr` on line {line} sets something that is not known", line)
            return
        raise Halt(f"`setattr` on line {line} sets something that is not known", line)
    owner, name, value = values
    if isinstance(owner, Instance):
        if not owner.started and (is_module(value) or isinstance(value, Parameter)):
            why = f"{owner.cls.name} sets a layer before super().__init__() was called"
            raise Broken(node, Refusal(why, StartModuleFirst()))
        held = owner.attributes.get(name)
        if isinstance(held, Parameter) and isinstance(value, Tensor):
            return  # numbers into a parameter
        inner = owner.attributes.get("*layer")
        if isinstance(inner, Layer) and name in inner.held and isinstance(value, (Parameter, type(None))):
            inner.held[name] = value
            return
        owner.attributes[name] = value
    elif isinstance(owner, Container):
        place = owner.parts if is_module(value) or name in owner.parts else owner.attributes
        place[name] = value
    elif isinstance(owner, Layer):
        replace_in(owner, name, value, line)
    elif isinstance(owner, Class):
        owner.frame[name] = value


def replace_in(layer: Layer, name: str, value: Any, line: int) -> None:
    """Something of a layer is replaced: a weight that is tied or left out is followed, a size is not."""
    if name in layer.held and isinstance(value, (Parameter, type(None))):
        old = layer.held[name]
        if value is None or (isinstance(old, Parameter) and value.tensor.shape == old.tensor.shape):
            layer.held[name] = value
            return
    if name in ("data", "requires_grad", "inplace", "momentum", "eps", "training", "p", "align_corners") or isinstance(
        value, Tensor
    ):
        return
    if isinstance(value, (int, float, str, bool)) and name not in layer.arguments and name not in layer.held:
        return  # a remark that the source keeps with the layer
    if name in layer.arguments and name in ("stride", "padding", "dilation", "ceil_mode") and not isinstance(value, Unknown):
        layer.arguments[name] = value
        return
    layer.weights = None
    layer.unknown = f"`.{name}` of {layer.kind} is replaced on line {line}"


def above(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`super()` inside a method, or `super(Net, self)`."""
    if len(values) == 2 and isinstance(values[0], Class):
        return Super(values[1], values[0])
    inner: Scope | None = scope
    while inner is not None and (inner.instance is None or inner.owner is None):
        inner = inner.outer
    if inner is None or inner.owner is None:
        raise NotKnown(f"`super` on line {getattr(node, 'lineno', 0)} is not inside a method")
    return Super(inner.instance, inner.owner)


def look_up(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`getattr(owner, name, default)`."""
    line = getattr(node, "lineno", 0)
    unknown = first_unknown(values[:2])
    if unknown:
        return unknown
    if len(values) < 2 or not isinstance(values[1], str):
        raise NotKnown(f"`getattr` on line {line} is not followed")
    if len(values) > 2 and not has(values[0], values[1], line):
        return values[2]
    found = attribute(values[0], values[1], line)
    if isinstance(found, UserFunction) and found.role == "property":
        return scope.run.call(
            UserFunction(found.node, found.scope, found.owner, found.bound, found.defaults), [], {}, node, scope
        )
    return found


def has(owner: Any, name: str, line: int) -> bool:
    """Whether a value has an attribute."""
    if isinstance(owner, Function):
        return not name.startswith("_")
    try:
        found = attribute(owner, name, line)
    except NotKnown:
        if isinstance(owner, Instance) and owner.unknown is not None:
            raise
        return False
    if isinstance(found, Method) and isinstance(found.owner, (list, dict, str, tuple, int, float, set, type(None))):
        return hasattr(found.owner, name)
    if isinstance(found, Method) and isinstance(found.owner, Tensor):
        return not name.startswith("_")
    return True


def has_attribute(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    unknown = first_unknown(values[:2])
    return unknown if unknown else has(values[0], str(values[1]), getattr(node, "lineno", 0))


def next_of(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    things = items(values[0], getattr(node, "lineno", 0))
    if things:
        return things[0] if not isinstance(values[0], list) else values[0].pop(0)
    if len(values) > 1:
        return values[1]
    raise NotKnown(f"`next` on line {getattr(node, 'lineno', 0)} is not followed")


def partly(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    return Partial(values[0], tuple(values[1:]), dict(named))


def shown(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    if values and isinstance(values[0], (int, float, str, bool)):
        return str(values[0])
    return Unknown(f"a text on line {getattr(node, 'lineno', 0)} is not followed", getattr(node, "lineno", 0))


def to_tuple(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    return tuple(items(values[0], getattr(node, "lineno", 0))) if values else ()


def to_list(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    return items(values[0], getattr(node, "lineno", 0)) if values else []


def to_set(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    things = items(values[0], getattr(node, "lineno", 0)) if values else []
    if not all(isinstance(each, (int, float, str, tuple)) for each in things):
        raise NotKnown(f"a set on line {getattr(node, 'lineno', 0)} is not followed")
    return set(things)


BUILTINS: dict[str, Callable[..., Any]] = {
    **{f.__name__: of_numbers(f) for f in (range, int, float, bool, min, max, abs, round, pow, divmod)},
    **{f.__name__: of_lists(f) for f in (zip, enumerate, reversed)},
    "sum": total,
    "list": to_list,
    "tuple": to_tuple,
    "set": to_set,
    "frozenset": to_set,
    "iter": to_list,
    "str": shown,
    "repr": shown,
    "map": mapped,
    "filter": filtered,
    "sorted": in_order,
    "any": every(any),
    "all": every(all),
    "len": length,
    "print": lambda values, named, node, scope: None,
    "exit": lambda values, named, node, scope: None,
    "id": lambda values, named, node, scope: id(values[0]) % 10**9 if values else 0,
    "setattr": set_attribute,
    "getattr": look_up,
    "hasattr": has_attribute,
    "super": above,
    "isinstance": lambda values, named, node, scope: is_instance(values[0], values[1], getattr(node, "lineno", 0)),
    "issubclass": lambda values, named, node, scope: is_instance(values[0], values[1], getattr(node, "lineno", 0), whole=False),
    "type": lambda values, named, node, scope: kind_of(values[0], getattr(node, "lineno", 0)),
    "callable": lambda values, named, node, scope: not isinstance(values[0], (int, float, str, list, tuple, dict, type(None))),
    "vars": lambda values, named, node, scope: attribute(values[0], "__dict__", getattr(node, "lineno", 0)),
    "next": next_of,
    "functools.partial": partly,
    "partial": partly,
    "object": lambda values, named, node, scope: None,
}
