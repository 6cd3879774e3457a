"""Expressions of the source, worked out as far as the source tells: numbers, shapes, layers. Nothing is run."""

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.attributes import attribute
from clearhead.layers.interpreter.brackets import index, items
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Row, Scope, first_unknown
from clearhead.layers.interpreter.value_arithmetic import combine, truth
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Container, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Tensor, new_strides

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
DEFAULTS = {
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "math": "math",
    "OrderedDict": "collections.OrderedDict",
    "collections": "collections",
}
BUILTINS = "range len int float bool list tuple dict zip enumerate reversed sum min max abs round print super setattr str"


def evaluate(node: ast.expr, scope: Scope) -> Any:
    """What an expression stands for."""
    scope.run.step(node)
    rule = RULES.get(type(node))
    if rule is None:
        return Unknown(f"`{type(node).__name__}` on line {node.lineno} is not followed", node.lineno)
    try:
        return rule(node, scope)
    except NotKnown as reason:
        return Unknown(reason.why, reason.line or node.lineno)
    except Refusal as refusal:
        raise Broken(node, refusal) from None


def constant(node: ast.Constant, scope: Scope) -> Any:
    if isinstance(node.value, int) and not is_readable(node.value):
        raise NotKnown(f"a number on line {node.lineno} is too large for a size")
    return node.value


def name(node: ast.Name, scope: Scope) -> Any:
    try:
        return scope.find(node.id)
    except KeyError:
        pass
    if node.id in DEFAULTS:  # a snippet without its imports is still read
        return Function(DEFAULTS[node.id])
    if node.id in BUILTINS.split():
        return Function(node.id)
    raise NotKnown(f"`{node.id}` on line {node.lineno} is not defined in this file")


def several(nodes: list[ast.expr], scope: Scope) -> list[Any]:
    """The values of a list, with `*parts` spread out."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            found.extend(items(evaluate(node.value, scope), node.lineno))
        else:
            found.append(evaluate(node, scope))
    return found


def make_dict(node: ast.Dict, scope: Scope) -> Any:
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            spread = evaluate(value, scope)
            if not isinstance(spread, dict):
                raise NotKnown(f"`**` on line {node.lineno} spreads something that is not known")
            found.update(spread)
            continue
        name = evaluate(key, scope)
        if not isinstance(name, (str, int, float, bool, type(None))):
            raise NotKnown(f"a key on line {node.lineno} is not known")
        found[name] = evaluate(value, scope)
    return found


def binary(node: ast.BinOp, scope: Scope) -> Any:
    left, right = evaluate(node.left, scope), evaluate(node.right, scope)
    return combine(left, right, node.op, node, scope)


def unary(node: ast.UnaryOp, scope: Scope) -> Any:
    value = evaluate(node.operand, scope)
    if isinstance(value, Unknown):
        return value
    if isinstance(node.op, ast.Not):
        return not truth(value, node.lineno)
    if isinstance(value, Tensor) and isinstance(node.op, (ast.USub, ast.UAdd)):
        return replace(value, raw=False, strides=new_strides(value))
    if isinstance(value, (int, float)) and not isinstance(node.op, ast.Invert):
        return -value if isinstance(node.op, ast.USub) else +value
    raise NotKnown(f"this sign on line {node.lineno} is not followed")


def compare(node: ast.Compare, scope: Scope) -> Any:
    left = evaluate(node.left, scope)
    for op, other in zip(node.ops, node.comparators, strict=True):
        right = evaluate(other, scope)
        identity = isinstance(op, (ast.Is, ast.IsNot))
        unknown = first_unknown([left, right])
        if unknown:
            return unknown
        if not identity and (isinstance(left, Tensor) or isinstance(right, Tensor)):
            raise NotKnown(f"a comparison on line {node.lineno} depends on the numbers in a tensor")
        try:
            if not COMPARISONS[type(op)](left, right):
                return False
        except TypeError:
            raise NotKnown(f"a comparison on line {node.lineno} is not followed") from None
        left = right
    return True


def boolean(node: ast.BoolOp, scope: Scope) -> Any:
    wanted = isinstance(node.op, ast.Or)
    value: Any = None
    for part in node.values:
        value = evaluate(part, scope)
        if truth(value, node.lineno) is wanted:
            return value
    return value


def choose(node: ast.IfExp, scope: Scope) -> Any:
    return evaluate(node.body if truth(evaluate(node.test, scope), node.lineno) else node.orelse, scope)


def subscript(node: ast.Subscript, scope: Scope) -> Any:
    value, place = evaluate(node.value, scope), evaluate(node.slice, scope)
    if isinstance(value, Unknown):
        return value
    result = index(value, place, node.lineno)
    if isinstance(value, Tensor) and isinstance(result, Tensor):
        scope.run.record(Row(None, "[…]", node.lineno, result, "", 0, result.field, node))
    return result


def make_slice(node: ast.Slice, scope: Scope) -> Any:
    parts = [None if part is None else evaluate(part, scope) for part in (node.lower, node.upper, node.step)]
    unknown = first_unknown(parts)
    if unknown:
        return unknown
    if any(part is not None and not isinstance(part, int) for part in parts):
        raise NotKnown(f"a slice on line {node.lineno} is not followed")
    return slice(*parts)


def comprehend(node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> Any:
    """A list written as a loop, over something known."""
    if len(node.generators) != 1:
        raise NotKnown(f"a loop in a loop on line {node.lineno} is not followed")
    loop, inner = node.generators[0], Scope(scope.run, outer=scope, instance=scope.instance, owner=scope.owner)
    found = []
    for item in items(evaluate(loop.iter, scope), node.lineno):
        bind(loop.target, item, inner)
        if all(truth(evaluate(test, inner), node.lineno) for test in loop.ifs):
            found.append(evaluate(node.elt, inner))
    return found


def bind(target: ast.expr, value: Any, scope: Scope) -> None:
    """Give a value to a name, or to several names in a row."""
    if isinstance(target, ast.Name):
        scope.names[target.id] = value
    elif isinstance(target, (ast.Tuple, ast.List)):
        for part, each in zip(target.elts, taken_apart(target, value), strict=True):
            bind(part.value if isinstance(part, ast.Starred) else part, each, scope)
    elif isinstance(target, ast.Attribute):
        scope.run.call(Function("setattr"), [evaluate(target.value, scope), target.attr, value], {}, target, scope)
    elif isinstance(target, ast.Subscript):
        put(target, value, scope)


def put(target: ast.Subscript, value: Any, scope: Scope) -> None:
    """`owner[place] = value`; numbers written into a tensor do not change its shape."""
    owner, place = evaluate(target.value, scope), evaluate(target.slice, scope)
    fits = isinstance(owner, list) and isinstance(place, int) and -len(owner) <= place < len(owner)
    if fits or (isinstance(owner, dict) and isinstance(place, (str, int))):
        operator.setitem(owner, place, value)
    elif isinstance(owner, Container) and isinstance(place, (str, int)):
        names = list(owner.parts)
        known = isinstance(place, str) or -len(names) <= place < len(names)
        if not known:
            raise Broken(target, Refusal(f"there is no part {place} among {len(names)}"))
        owner.parts[place if isinstance(place, str) else names[place]] = value
    elif not isinstance(owner, (Tensor, Unknown)):
        raise Halt(f"the change on line {target.lineno} is not followed", target.lineno)


def taken_apart(target: ast.Tuple | ast.List, value: Any) -> list[Any]:
    """The parts of a value for the names that take them."""
    if any(isinstance(part, ast.Starred) for part in target.elts) or isinstance(value, (Tensor, dict)):
        value = Unknown(f"the names on line {target.lineno} take apart something that is not followed", target.lineno)
    if isinstance(value, Unknown):
        return [value] * len(target.elts)
    if not isinstance(value, (list, tuple)):
        return [Unknown(f"the names on line {target.lineno} take apart something that is not known", target.lineno)] * len(
            target.elts
        )
    if len(value) != len(target.elts):
        raise Broken(target, Refusal(f"{len(target.elts)} names stand for {len(value)} values"))
    return list(value)


def call(node: ast.Call, scope: Scope) -> Any:
    callee = evaluate(node.func, scope)
    values = several(node.args, scope)
    named: dict[str, Any] = {}
    for keyword in node.keywords:
        value = evaluate(keyword.value, scope)
        if keyword.arg is not None:
            named[keyword.arg] = value
        elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
            named.update(value)
        else:
            raise NotKnown(f"`**` on line {node.lineno} spreads something that is not known")
    return scope.run.call(callee, values, named, node, scope)


def dotted(node: ast.Attribute, scope: Scope) -> Any:
    return attribute(evaluate(node.value, scope), node.attr, node.lineno)


def walrus(node: ast.NamedExpr, scope: Scope) -> Any:
    value = evaluate(node.value, scope)
    bind(node.target, value, scope)
    return value


def text(node: ast.JoinedStr, scope: Scope) -> Any:
    """An f-string of known parts, as names of layers are made."""
    found = ""
    for part in node.values:
        value = evaluate(part.value if isinstance(part, ast.FormattedValue) else part, scope)
        if not isinstance(value, (str, int)):
            raise NotKnown(f"a text on line {node.lineno} is not known")
        found += str(value)
    return found


RULES: dict[type[ast.expr], Callable[[Any, Scope], Any]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: dotted,
    ast.Call: call,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.Compare: compare,
    ast.BoolOp: boolean,
    ast.IfExp: choose,
    ast.Tuple: lambda node, scope: tuple(several(node.elts, scope)),
    ast.List: lambda node, scope: several(node.elts, scope),
    ast.Dict: make_dict,
    ast.Subscript: subscript,
    ast.Slice: make_slice,
    ast.ListComp: comprehend,
    ast.GeneratorExp: comprehend,
    ast.Lambda: lambda node, scope: UserFunction(node, scope),
    ast.NamedExpr: walrus,
    ast.JoinedStr: text,
}
