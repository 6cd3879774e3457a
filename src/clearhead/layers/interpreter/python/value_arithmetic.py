"""Arithmetic and comparisons on plain values and, by their shapes, on tensors; and whether a condition holds."""

import ast
import operator
import sys
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Row, Scope, first_unknown
from clearhead.layers.interpreter.python.python_names import BUILTINS
from clearhead.layers.interpreter.python.text_forms import percent
from clearhead.layers.operations.sums_and_products import broadcast, compare_tensors, matmul
from clearhead.layers.values.axis_sizes import SMALL, is_readable
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
KNOWN_MODULES = {*sys.stdlib_module_names, *BUILTINS.split(), "torch", "numpy"}
SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
SIGNS |= {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
SIZED = (list, tuple, str)


def combine(left: Any, right: Any, op: ast.operator, node: ast.AST, scope: Scope) -> Any:
    """Arithmetic on numbers and lists, and on tensors by their shapes."""
    if isinstance(left, Unknown):
        return left
    if isinstance(right, Unknown):
        return right
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return combine_tensors(left, right, op, node, scope)
    if isinstance(left, str) and isinstance(op, ast.Mod):
        return percent(left, right, getattr(node, "lineno", 0))
    return reckon(left, right, op, getattr(node, "lineno", 0))


def combine_tensors(left: Any, right: Any, op: ast.operator, node: ast.AST, scope: Scope) -> Any:
    if isinstance(op, ast.MatMult):
        outcome, sign = matmul(left, right), "@"
    elif type(op) in SIGNS:
        outcome, sign = broadcast(left, right, SIGNS[type(op)]), SIGNS[type(op)]
    else:
        raise NotKnown(f"this operation on tensors (line {getattr(node, 'lineno', 0)}) is not followed")
    both = tuple(each for each in (left, right) if isinstance(each, Tensor))
    if len(both) == 2 and isinstance(outcome.output, Tensor):
        line, made = getattr(node, "lineno", 0), outcome.output
        scope.run.record(Row(None, sign, line, made, outcome.arithmetic, outcome.multiply_adds, made.field, node, both))
    return outcome.output


def reckon(left: Any, right: Any, op: ast.operator, line: int) -> Any:
    """Arithmetic on plain values, kept within what a size can be."""
    action = ARITHMETIC.get(type(op))
    numbers = all(isinstance(each, (int, float)) for each in (left, right))
    lists = isinstance(left, SIZED) or isinstance(right, SIZED)
    mixed = isinstance(left, (set, dict)) and type(left) is type(right)
    if action is None or not (numbers or mixed or (lists and isinstance(op, (ast.Add, ast.Mult)))):
        raise NotKnown(f"this arithmetic on line {line} is not followed")
    if isinstance(op, (ast.Pow, ast.LShift)) and (abs(right) > 64 or abs(left) > 10**6):
        raise NotKnown(f"a number on line {line} is too large for a size")
    if lists and isinstance(op, ast.Mult):
        count, things = (left, right) if isinstance(left, int) else (right, left)
        if not isinstance(count, int) or not hasattr(things, "__len__") or count * len(things) > LONGEST_LIST:
            raise NotKnown(f"a list on line {line} is too long to follow")
    if lists and isinstance(op, ast.Add):
        if not (isinstance(left, SIZED) and isinstance(right, SIZED)):
            raise NotKnown(f"this arithmetic on line {line} is not followed")
        if len(left) + len(right) > LONGEST_LIST:
            raise NotKnown(f"a list on line {line} is too long to follow")
    try:
        result = action(left, right)
    except ZeroDivisionError:
        raise Refusal("a division by zero") from None
    except (TypeError, OverflowError, ValueError) as error:
        raise Refusal(f"this arithmetic cannot be done: {error}") from None
    if isinstance(result, complex):
        raise NotKnown(f"a number on line {line} is not a real one")
    lost = isinstance(result, float) and abs(result) > SMALL and not small(left, right)
    if lost or (isinstance(result, int) and not is_readable(result)):
        raise NotKnown(f"a number on line {line} depends on the batch size, or is too large for a size")
    return result


def small(*numbers: Any) -> bool:
    """Whether no number is a multiple of N: a large decimal of small numbers is only a large decimal."""
    return all(isinstance(each, float) or abs(each) < SMALL for each in numbers)


def compare(left: Any, right: Any, op: ast.cmpop, line: int) -> Any:
    """One comparison; not known where it hangs on the numbers in a tensor and is needed as true or false."""
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    if isinstance(op, (ast.Eq, ast.NotEq)) and is_strangers(left) != is_strangers(right):
        raise NotKnown(f"line {line} compares with what another file holds")
    if isinstance(op, (ast.Is, ast.IsNot)):
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return left if isinstance(left, Unknown) else right
        same = same_thing(left, right)
        return same if isinstance(op, ast.Is) else not same
    unknown = first_unknown([left, right])
    if unknown:
        return unknown
    if isinstance(op, (ast.In, ast.NotIn)):
        inside = contains(right, left, line)
        return inside if isinstance(op, ast.In) else not inside
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        if any(isinstance(each, (str, type(None))) for each in (left, right)):
            return isinstance(op, ast.NotEq)
        return compare_tensors(left, right)
    if isinstance(op, (ast.Eq, ast.NotEq)) and any(isinstance(each, (Class, Function)) for each in (left, right)):
        same = same_thing(left, right)
        return same if isinstance(op, ast.Eq) else not same
    if isinstance(left, (Instance, Layer, Container)) or isinstance(right, (Instance, Layer, Container)):
        if isinstance(op, (ast.Eq, ast.NotEq)) and not (isinstance(left, Instance) and left.cls.find("__eq__")):
            return (left is right) == isinstance(op, ast.Eq)
        raise NotKnown(f"a comparison on line {line} is not followed")
    try:
        return COMPARISONS[type(op)](left, right)
    except TypeError:
        raise NotKnown(f"a comparison on line {line} is not followed") from None


def is_strangers(value: Any) -> bool:
    """Whether a value is a name of a module that is not read: whatever it may be, it is not known here."""
    return isinstance(value, Function) and value.name.partition(".")[0] not in KNOWN_MODULES


def same_thing(left: Any, right: Any) -> bool:
    """`is`: for names of torch and of Python, the same name."""
    if isinstance(left, Function) and isinstance(right, Function):
        return left.name == right.name
    plain = (int, str, bool, float)
    return bool(left == right) if type(left) is type(right) and isinstance(left, plain) else left is right


def contains(things: Any, wanted: Any, line: int) -> bool:
    """`wanted in things`."""
    if isinstance(things, Container):
        return wanted in things.parts
    if not isinstance(things, (list, tuple, dict, set, str, range)):
        raise NotKnown(f"what is looked through on line {line} is not known")
    if isinstance(things, str) and not isinstance(wanted, str):
        raise NotKnown(f"what is looked for on line {line} is not known")
    if isinstance(things, (dict, set)) and not isinstance(wanted, (str, int, float, tuple, type(None))):
        return any(wanted is each for each in things)
    if isinstance(things, (str, range)):
        return wanted in things
    return any(wanted is each or (is_plain(wanted) and is_plain(each) and wanted == each) or (
        isinstance(wanted, Function) and isinstance(each, Function) and wanted.name == each.name
    ) for each in things)  # fmt: skip


def is_plain(value: Any) -> bool:
    return isinstance(value, (int, float, str, bool, tuple, list, type(None)))


def truth(value: Any, line: int) -> bool:
    """Whether a condition holds; not known where it hangs on the numbers in a tensor."""
    if isinstance(value, Unknown):
        raise NotKnown(value.why, value.line)
    if isinstance(value, (bool, int, float, str, list, tuple, dict, set, range, type(None))):
        return bool(value)
    if isinstance(value, Tensor):
        raise NotKnown(f"a condition on line {line} depends on the numbers in a tensor")
    if isinstance(value, Container):
        return bool(value.parts)
    return True
