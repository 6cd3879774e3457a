"""Arithmetic on plain values and, by their shapes, on tensors; and whether a condition holds."""

import ast
import operator
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Row, Scope, first_unknown
from clearhead.layers.operations.sums_and_products import broadcast, matmul
from clearhead.layers.values.axis_sizes import SMALL, is_readable
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Parameter, Tensor

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
}
SIGNS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}


def combine(left: Any, right: Any, op: ast.operator, node: ast.AST, scope: Scope) -> Any:
    """Arithmetic on numbers and lists, and on tensors by their shapes."""
    unknown = first_unknown([left, right])
    if unknown:
        return unknown
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return combine_tensors(left, right, op, node, scope)
    return reckon(left, right, op, getattr(node, "lineno", 0))


def combine_tensors(left: Any, right: Any, op: ast.operator, node: ast.AST, scope: Scope) -> Any:
    left, right = (each.tensor if isinstance(each, Parameter) else each for each in (left, right))
    if isinstance(op, ast.MatMult):
        outcome, sign = matmul(left, right), "@"
    elif type(op) in SIGNS:
        outcome, sign = broadcast(left, right, SIGNS[type(op)]), SIGNS[type(op)]
    else:
        raise NotKnown(f"this operation on tensors (line {getattr(node, 'lineno', 0)}) is not followed")
    if isinstance(left, Tensor) and isinstance(right, Tensor) and isinstance(outcome.output, Tensor):
        field = outcome.output.field
        line = getattr(node, "lineno", 0)
        scope.run.record(Row(None, sign, line, outcome.output, outcome.arithmetic, outcome.multiply_adds, field, node))
    return outcome.output


def reckon(left: Any, right: Any, op: ast.operator, line: int) -> Any:
    """Arithmetic on plain values, kept within what a size can be."""
    action = ARITHMETIC.get(type(op))
    numbers = all(isinstance(each, (int, float)) for each in (left, right))
    lists = isinstance(left, (list, tuple, str)) or isinstance(right, (list, tuple, str))
    if action is None or not (numbers or (lists and isinstance(op, (ast.Add, ast.Mult)))):
        raise NotKnown(f"this arithmetic on line {line} is not followed")
    if isinstance(op, (ast.Pow, ast.LShift)) and (abs(right) > 64 or abs(left) > 10**6):
        raise NotKnown(f"a number on line {line} is too large for a size")
    if lists and isinstance(op, ast.Mult):
        count, items = (left, right) if isinstance(left, int) else (right, left)
        if not isinstance(count, int) or not hasattr(items, "__len__") or count * len(items) > 100_000:
            raise NotKnown(f"a list on line {line} is too long to follow")
    try:
        result = action(left, right)
    except ZeroDivisionError:
        raise Refusal("a division by zero") from None
    except (TypeError, OverflowError, ValueError) as error:
        raise Refusal(f"this arithmetic cannot be done: {error}") from None
    lost = isinstance(result, float) and abs(result) > SMALL  # a decimal cannot hold a multiple of N exactly
    if lost or (isinstance(result, int) and not is_readable(result)):
        raise NotKnown(f"a number on line {line} depends on the batch size, or is too large for a size")
    return result


def truth(value: Any, line: int) -> bool:
    """Whether a condition holds; not known where it hangs on the numbers in a tensor."""
    if isinstance(value, Unknown):
        raise NotKnown(value.why, value.line)
    if isinstance(value, (bool, int, float, str, list, tuple, dict, type(None))):
        return bool(value)
    if isinstance(value, Tensor):
        raise NotKnown(f"a condition on line {line} depends on the numbers in a tensor")
    return True
