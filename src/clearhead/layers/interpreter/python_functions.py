"""Functions of Python that a net is made with: `range`, `len`, `math.prod`, `setattr`."""

import ast
import math
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.brackets import items
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope, first_unknown
from clearhead.layers.source.fixes import StartModuleFirst
from clearhead.layers.values.axis_sizes import SMALL, is_readable
from clearhead.layers.values.net_parts import Instance, Layer, Super
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Tensor

SAFE_MATH = ("prod", "sqrt", "floor", "ceil", "log", "log2", "gcd", "pow")


def calculate(name: str, values: list[Any], line: int) -> Any:
    """A function of `math` on known numbers."""
    unknown = first_unknown(values)
    if unknown:
        return unknown
    flat = items(values[0], line) if name == "prod" and values else values
    if not all(isinstance(each, (int, float)) and abs(each) < SMALL**2 for each in flat):
        raise NotKnown(f"`math.{name}` on line {line} is not followed")
    try:
        result = getattr(math, name)(flat) if name == "prod" else getattr(math, name)(*flat)
    except (ValueError, TypeError, OverflowError) as error:
        raise Refusal(f"math.{name}: {error}") from None
    return checked(result, line)


def checked(result: Any, line: int) -> Any:
    """A number, refused where it can no longer be a size."""
    if isinstance(result, int) and not is_readable(result):
        raise NotKnown(f"a number on line {line} depends on the batch size, or is too large for a size")
    return result


def make_mapping(values: list[Any], named: dict[str, Any], line: int) -> dict[Any, Any]:
    """`OrderedDict([("conv", nn.Conv2d(...)), ...])` and `dict(...)`."""
    found: dict[Any, Any] = {}
    if values and isinstance(values[0], dict):
        found.update(values[0])
    elif values:
        for pair in items(values[0], line):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], (str, int)):
                raise NotKnown(f"the pairs on line {line} are not known")
            found[pair[0]] = pair[1]
    return found | named


def of_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python on known numbers."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        line = getattr(node, "lineno", 0)
        unknown = first_unknown(values)
        if unknown:
            return unknown
        if named or not all(isinstance(each, (int, float, list, tuple, str, range)) for each in values):
            raise NotKnown(f"a function on line {line} is called on something that is not known")
        if any(isinstance(each, float) and abs(each) > SMALL for each in values):
            raise NotKnown(f"a number on line {line} is too large for a size")
        try:
            return checked(function(*values), line)
        except (TypeError, ValueError, OverflowError) as error:
            raise Refusal(str(error)) from None

    return run


def length(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    if values and isinstance(values[0], Tensor):
        if not values[0].shape:
            raise Refusal("one number has no length")
        return values[0].shape[0]
    return len(items(values[0] if values else None, getattr(node, "lineno", 0)))


def of_lists(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python that goes through lists."""

    def run(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
        return list(function(*(items(each, getattr(node, "lineno", 0)) for each in values)))

    return run


def set_attribute(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """`self.name = value`."""
    if len(values) != 3 or not isinstance(values[1], str):
        line = getattr(node, "lineno", 0)
        raise Halt(f"`setattr` on line {line} sets something that is not known", line)
    owner, name, value = values
    if isinstance(owner, Instance):
        if not owner.started and not isinstance(value, (int, float, str, Unknown, type(None), Tensor, list, tuple, dict)):
            why = f"{owner.cls.name} sets a layer before super().__init__() was called"
            raise Broken(node, Refusal(why, StartModuleFirst()))
        owner.attributes[name] = value
    elif isinstance(owner, Layer):
        owner.weights = None
        owner.unknown = f"`.{name}` of {owner.kind} is replaced on line {getattr(node, 'lineno', 0)}"


def above(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """`super()` inside a method."""
    if scope.instance is None or scope.owner is None:
        raise NotKnown(f"`super` on line {getattr(node, 'lineno', 0)} is not inside a method")
    return Super(scope.instance, scope.owner)


BUILTINS: dict[str, Callable[..., Any]] = {
    **{f.__name__: of_numbers(f) for f in (range, int, float, bool, sum, min, max, abs, round, str)},
    **{f.__name__: of_lists(f) for f in (list, zip, enumerate, reversed)},
    "tuple": lambda values, named, node, scope: tuple(items(values[0], getattr(node, "lineno", 0))) if values else (),
    "len": length,
    "print": lambda values, named, node, scope: None,
    "setattr": set_attribute,
    "super": above,
}
