"""Expressions of the source, worked out as far as the source tells: numbers, shapes, layers. Nothing is run."""

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.attributes import attribute
from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Broken, Row, Scope, first_unknown
from clearhead.layers.interpreter.python.assignment_targets import bind
from clearhead.layers.interpreter.python.brackets import index, is_object, items
from clearhead.layers.interpreter.python.python_names import NAMES
from clearhead.layers.interpreter.python.text_forms import one_field
from clearhead.layers.interpreter.python.value_arithmetic import combine, compare, truth
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Instance, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor, new_strides


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
    if isinstance(node.value, (complex, bytes)):
        raise NotKnown(f"a value on line {node.lineno} is not followed")
    return node.value


def name(node: ast.Name, scope: Scope) -> Any:
    try:
        return scope.find(node.id)
    except KeyError:
        pass
    if node.id in NAMES:  # Python's own, and what a snippet without its imports means
        return Function(NAMES[node.id])
    raise NotKnown(f"`{node.id}` on line {node.lineno} is not defined in this file")


def several(nodes: list[ast.expr], scope: Scope) -> list[Any]:
    """The values of a list, with `*parts` spread out."""
    found: list[Any] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            found.extend(through(evaluate(node.value, scope), node, scope))
        else:
            found.append(evaluate(node, scope))
        if len(found) > LONGEST_LIST:
            raise NotKnown(f"a list on line {node.lineno} is too long to follow")
    return found


def through(value: Any, node: ast.AST, scope: Scope) -> list[Any]:
    """What a loop over a value goes through, for objects of the source by their own `__iter__`."""
    line = getattr(node, "lineno", 0)
    if isinstance(value, Instance) and "*parts" not in value.attributes:
        own = value.cls.find("__iter__")
        if own:
            return items(scope.run.call(attribute(value, "__iter__", line), [], {}, node, scope), line)
        if value.cls.fields:
            return [value.attributes.get(each) for each in value.cls.fields]
    return items(value, line)


def make_dict(node: ast.Dict, scope: Scope) -> Any:
    found: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            spread = evaluate(value, scope)
            if not isinstance(spread, dict):
                raise NotKnown(f"`**` on line {node.lineno} spreads something that is not known")
            found.update(spread)
            continue
        found[as_key(evaluate(key, scope), node.lineno)] = evaluate(value, scope)
    return found


def as_key(value: Any, line: int) -> Any:
    """A value that a dict or set can hold by."""
    if isinstance(value, tuple):
        return tuple(as_key(each, line) for each in value)
    if isinstance(value, (str, int, float, bool, type(None))) or is_object(value):
        return value
    if isinstance(value, Function):
        return value
    raise NotKnown(f"a key on line {line} is not known")


def binary(node: ast.BinOp, scope: Scope) -> Any:
    left, right = evaluate(node.left, scope), evaluate(node.right, scope)
    for owner, other, names in ((left, right, FORWARD), (right, left, BACKWARD)):
        own = names.get(type(node.op))
        if isinstance(owner, Instance) and own and owner.cls.find(own):
            return scope.run.call(attribute(owner, own, node.lineno), [other], {}, node, scope)
    return combine(left, right, node.op, node, scope)


FORWARD = {ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.Div: "__truediv__", ast.MatMult: "__matmul__"}
BACKWARD = {ast.Add: "__radd__", ast.Sub: "__rsub__", ast.Mult: "__rmul__", ast.Div: "__rtruediv__"}


def unary(node: ast.UnaryOp, scope: Scope) -> Any:
    value = evaluate(node.operand, scope)
    value = value.tensor if isinstance(value, Parameter) else value
    if isinstance(value, Unknown):
        return value
    if isinstance(node.op, ast.Not):
        return not truth(value, node.lineno)
    if isinstance(value, Tensor):
        return replace(value, raw=False, strides=new_strides(value))
    if isinstance(value, (int, float)) and not isinstance(node.op, ast.Invert):
        return -value if isinstance(node.op, ast.USub) else +value
    raise NotKnown(f"this sign on line {node.lineno} is not followed")


def compared(node: ast.Compare, scope: Scope) -> Any:
    left, result = evaluate(node.left, scope), True
    for op, other in zip(node.ops, node.comparators, strict=True):
        right = evaluate(other, scope)
        result = compare(left, right, op, node.lineno)
        if isinstance(result, (Unknown, Tensor)):
            return result
        if not result:
            return False
        left = right
    return result


def boolean(node: ast.BoolOp, scope: Scope) -> Any:
    """`and` and `or`: one side that is known may decide."""
    wanted = isinstance(node.op, ast.Or)
    value: Any = None
    unknown: Unknown | None = None
    for part in node.values:
        value = evaluate(part, scope)
        try:
            holds = truth(value, node.lineno)
        except NotKnown as reason:
            unknown = unknown or Unknown(reason.why, reason.line or node.lineno)
            continue
        if holds is wanted:
            return value if unknown is None else wanted
    return value if unknown is None else unknown


def choose(node: ast.IfExp, scope: Scope) -> Any:
    return evaluate(node.body if truth(evaluate(node.test, scope), node.lineno) else node.orelse, scope)


def subscript(node: ast.Subscript, scope: Scope) -> Any:
    value, place = evaluate(node.value, scope), evaluate(node.slice, scope)
    if isinstance(value, Unknown):
        return value
    if isinstance(value, Parameter):
        value = value.tensor
    if isinstance(value, Instance) and "*parts" not in value.attributes and value.cls.find("__getitem__"):
        return scope.run.call(attribute(value, "__getitem__", node.lineno), [place], {}, node, scope)
    result = index(value, place, node.lineno)
    if isinstance(value, Tensor) and isinstance(result, Tensor):
        scope.run.record(Row(None, "[…]", node.lineno, result, "", 0, result.field, node, (value,)))
    return result


def make_slice(node: ast.Slice, scope: Scope) -> Any:
    parts = [None if part is None else evaluate(part, scope) for part in (node.lower, node.upper, node.step)]
    unknown = first_unknown(parts)
    if unknown:
        return unknown
    if any(part is not None and not isinstance(part, int) for part in parts):
        raise NotKnown(f"a slice on line {node.lineno} is not followed")
    return slice(*parts)


def comprehend(node: ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp, scope: Scope) -> Any:
    """A list, set or dict written as loops over known things."""
    inner = Scope(scope.run, outer=scope, instance=scope.instance, owner=scope.owner)
    found: list[Any] = []

    def go(place: int) -> None:
        if place == len(node.generators):
            pair = isinstance(node, ast.DictComp)
            found.append((evaluate(node.key, inner), evaluate(node.value, inner)) if pair else evaluate(node.elt, inner))  # type: ignore[union-attr]
            return
        loop = node.generators[place]
        for item in through(evaluate(loop.iter, inner), node, scope):
            bind(loop.target, item, inner, evaluate)
            if all(truth(evaluate(test, inner), node.lineno) for test in loop.ifs):
                go(place + 1)

    go(0)
    if len(found) > LONGEST_LIST:
        raise NotKnown(f"a list on line {node.lineno} is too long to follow")
    if isinstance(node, ast.DictComp):
        return {as_key(key, node.lineno): value for key, value in found}
    return {as_key(each, node.lineno) for each in found} if isinstance(node, ast.SetComp) else found


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
        elif isinstance(value, Instance) and value.cls.fields is None:
            raise NotKnown(f"`**` on line {node.lineno} spreads something that is not followed")
        else:
            raise NotKnown(f"`**` on line {node.lineno} spreads something that is not known")
    return scope.run.call(callee, values, named, node, scope)


def dotted(node: ast.Attribute, scope: Scope) -> Any:
    owner = evaluate(node.value, scope)
    found = attribute(owner, node.attr, node.lineno)
    if isinstance(found, UserFunction) and found.role == "property":
        return scope.run.call(replace_role(found), [], {}, node, scope)
    return found


def replace_role(function: UserFunction) -> UserFunction:
    return UserFunction(function.node, function.scope, function.owner, function.bound, function.defaults)


def walrus(node: ast.NamedExpr, scope: Scope) -> Any:
    value = evaluate(node.value, scope)
    bind(node.target, value, scope, evaluate)
    return value


def text(node: ast.JoinedStr, scope: Scope) -> Any:
    """An f-string of known parts, as names of layers are made."""
    found = ""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            spec = evaluate(part.format_spec, scope) if part.format_spec else ""
            if not isinstance(spec, str):
                raise NotKnown(f"a text on line {node.lineno} is not known")
            found += one_field(evaluate(part.value, scope), spec, part.conversion, node.lineno)
        else:
            found += str(evaluate(part, scope))
    return found


def function_of(node: ast.Lambda, scope: Scope) -> UserFunction:
    return UserFunction(node, scope, scope.owner, defaults=default_values(node, scope))


def default_values(node: ast.Lambda | ast.FunctionDef, scope: Scope) -> dict[str, Any]:
    """The defaults of a function, worked out where it is defined."""
    given = node.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    found = {name: evaluate(value, scope) for name, value in zip(reversed(positional), reversed(given.defaults), strict=False)}
    for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True):
        if value is not None:
            found[each.arg] = evaluate(value, scope)
    return found


def yielded(node: ast.Yield | ast.YieldFrom, scope: Scope) -> Any:
    """A generator is followed to its end; what it gives is a list."""
    inner: Scope | None = scope
    while inner is not None and inner.yielded is None:
        inner = inner.outer
    value = None if node.value is None else evaluate(node.value, scope)
    if inner is None or inner.yielded is None:
        raise NotKnown(f"`yield` on line {node.lineno} is not followed")
    inner.yielded.extend(through(value, node, scope) if isinstance(node, ast.YieldFrom) else [value])
    return None


RULES: dict[type[ast.expr], Callable[[Any, Scope], Any]] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: dotted,
    ast.Call: call,
    ast.BinOp: binary,
    ast.UnaryOp: unary,
    ast.Compare: compared,
    ast.BoolOp: boolean,
    ast.IfExp: choose,
    ast.Tuple: lambda node, scope: tuple(several(node.elts, scope)),
    ast.List: lambda node, scope: several(node.elts, scope),
    ast.Set: lambda node, scope: {as_key(each, node.lineno) for each in several(node.elts, scope)},
    ast.Dict: make_dict,
    ast.Subscript: subscript,
    ast.Slice: make_slice,
    ast.ListComp: comprehend,
    ast.GeneratorExp: comprehend,
    ast.SetComp: comprehend,
    ast.DictComp: comprehend,
    ast.Lambda: function_of,
    ast.NamedExpr: walrus,
    ast.JoinedStr: text,
    ast.Yield: yielded,
    ast.YieldFrom: yielded,
}
