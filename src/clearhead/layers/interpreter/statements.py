"""Statements of the source, followed line by line: assignments, loops over known lists, functions and classes."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from clearhead.layers.interpreter.brackets import items
from clearhead.layers.interpreter.interpreter_state import DEPTH, Broken, Halt, Scope
from clearhead.layers.interpreter.source_expressions import bind, evaluate
from clearhead.layers.interpreter.value_arithmetic import combine, truth
from clearhead.layers.values.net_parts import Class, Container, Instance, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Tensor

SKIPPED = (ast.Pass, ast.Global, ast.Nonlocal)


@dataclass(frozen=True, slots=True)
class Returned:
    value: Any


def execute(body: Sequence[ast.stmt], scope: Scope) -> Returned | None:
    """Follow statements in order; what a `return` gives ends it."""
    for statement in body:
        scope.run.step(statement)
        try:
            result = follow(statement, scope)
        except NotKnown as reason:
            if only_sets_numbers(statement):
                continue
            if not scope.is_file:
                raise Halt(reason.why, reason.line or statement.lineno) from None
            forget(statement, scope, Unknown(reason.why, reason.line or statement.lineno))
            result = None
        if result is not None:
            return result
    return None


def only_sets_numbers(node: ast.stmt) -> bool:
    """Whether a statement can only change numbers inside weights, or print: it need not be followed.

    So are the loops that start weights: `for m in self.modules(): if isinstance(m, nn.Linear): nn.init.zeros_(m.bias)`.
    """
    if isinstance(node, (ast.For, ast.If)):
        return all(only_sets_numbers(each) for each in (*node.body, *node.orelse))
    if isinstance(node, (ast.Assign, ast.AugAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(isinstance(each, ast.Attribute) and each.attr in ("data", "requires_grad") for each in targets)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        words = path_of(node.value.func)
        return "init" in words or words[-1:] == ["print"] or (len(words) > 1 and words[-1].endswith("_"))
    return isinstance(node, ast.Pass)


def path_of(node: ast.expr) -> list[str]:
    """`nn.init.zeros_` as its words."""
    words: list[str] = []
    while isinstance(node, ast.Attribute):
        words.append(node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(words)]


def follow(node: ast.stmt, scope: Scope) -> Returned | None:
    """Follow one statement."""
    if isinstance(node, ast.Assign):
        value = evaluate(node.value, scope)
        for target in node.targets:
            bind(target, value, scope)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            bind(node.target, evaluate(node.value, scope), scope)
    elif isinstance(node, ast.AugAssign):
        augment(node, scope)
    elif isinstance(node, ast.Return):
        return Returned(None if node.value is None else evaluate(node.value, scope))
    elif isinstance(node, ast.Expr):
        evaluate(node.value, scope)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        bring_in(node, scope)
    elif isinstance(node, ast.FunctionDef):
        plain = all(getattr(each, "id", "") == "staticmethod" for each in node.decorator_list)
        scope.names[node.name] = UserFunction(node, scope, decorated=not plain)
    elif isinstance(node, ast.ClassDef):
        scope.names[node.name] = define(node, scope)
    elif isinstance(node, ast.If):
        return execute(node.body if truth(evaluate(node.test, scope), node.lineno) else node.orelse, scope)
    elif isinstance(node, ast.For):
        return loop(node, scope)
    elif isinstance(node, ast.With):
        return execute(node.body, scope)
    elif isinstance(node, ast.Assert):
        hold(node, scope)
    elif isinstance(node, ast.Raise):
        raise Broken(node, Refusal("the source raises an error here"))
    elif isinstance(node, ast.Delete) and all(isinstance(each, ast.Name) for each in node.targets):
        for each in node.targets:
            scope.names.pop(getattr(each, "id", ""), None)
    elif not isinstance(node, SKIPPED):
        word = {ast.While: "while", ast.Try: "try", ast.Match: "match", ast.AsyncFunctionDef: "async"}.get(type(node), "")
        raise NotKnown(f"`{word or type(node).__name__.lower()}` on line {node.lineno} is not followed")
    return None


def augment(node: ast.AugAssign, scope: Scope) -> None:
    """`x += y` is `x = x + y`; a list grows in place."""
    if not isinstance(node.target, (ast.Name, ast.Attribute)):
        raise NotKnown(f"the change on line {node.lineno} is not followed")
    read = (
        ast.Name(node.target.id, ast.Load())
        if isinstance(node.target, ast.Name)
        else ast.Attribute(node.target.value, node.target.attr, ast.Load())
    )
    before, change = evaluate(ast.copy_location(read, node.target), scope), evaluate(node.value, scope)
    if isinstance(before, list) and isinstance(change, (list, tuple)) and isinstance(node.op, ast.Add):
        before.extend(change)
        return
    try:
        result = combine(before, change, node.op, node, scope)
        if isinstance(before, Tensor) and isinstance(result, Tensor):
            result = in_place(before, result)
    except Refusal as refusal:
        raise Broken(node, refusal) from None
    bind(node.target, result, scope)


def in_place(before: Tensor, result: Tensor) -> Tensor:
    """What `x += y` leaves in x: it can neither grow nor change from whole numbers to decimals."""
    if result.shape != before.shape:
        raise Refusal(f"in place, {before} cannot become {result}; write x = x + y instead")
    if before.whole and not result.whole:
        raise Refusal(f"in place, whole numbers ({before}) cannot become decimals")
    return replace(result, strides=before.strides)


def loop(node: ast.For, scope: Scope) -> Returned | None:
    """A loop over something known, unrolled."""
    if node.orelse or any(isinstance(each, (ast.Break, ast.Continue)) for each in ast.walk(node)):
        raise NotKnown(f"the loop on line {node.lineno} may end early, which is not followed")
    for item in items(evaluate(node.iter, scope), node.lineno):
        bind(node.target, item, scope)
        result = execute(node.body, scope)
        if result is not None:
            return result
    return None


def hold(node: ast.Assert, scope: Scope) -> None:
    """An assertion that is known to fail breaks the net; one that cannot be known is passed over."""
    try:
        fails = not truth(evaluate(node.test, scope), node.lineno)
    except NotKnown:
        return
    if fails:
        raise Broken(node, Refusal("this assertion does not hold"))


def bring_in(node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
    """Names of imports stand for what they name; nothing is imported."""
    for alias in node.names:
        if isinstance(node, ast.Import):
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            scope.names[alias.asname or name] = Function(name)
        elif alias.name != "*":
            scope.names[alias.asname or alias.name] = Function(f"{'.' * node.level}{node.module or ''}.{alias.name}")


def define(node: ast.ClassDef, scope: Scope) -> Class:
    """A class and what its body defines."""
    bases = [evaluate(base, scope) for base in node.bases]
    inner = Scope(scope.run, outer=scope, is_file=scope.is_file)
    execute(node.body, inner)
    for value in inner.names.values():
        if isinstance(value, UserFunction) and value.scope is inner:
            value.scope = scope  # a method does not see the names of the class body
    return Class(node.name, node, bases, inner.names, scope)


def forget(node: ast.stmt, scope: Scope, unknown: Unknown) -> None:
    """At the level of the file: whatever a statement that cannot be followed may set or change is not known any more."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            changeable = isinstance(scope.names.get(each.id), (list, dict, Container, Instance))
            if isinstance(each.ctx, ast.Store) or changeable:
                scope.names[each.id] = unknown
        elif isinstance(each, (ast.FunctionDef, ast.ClassDef)):
            scope.names[each.name] = unknown
        elif isinstance(each, (ast.Import, ast.ImportFrom)):
            bring_in(each, scope)  # an import inside `try` still names what it names


def invoke(function: UserFunction, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Follow a function of the source with these arguments."""
    line = getattr(node, "lineno", 0)
    if function.decorated:
        raise NotKnown(f"the function called on line {line} is decorated, which is not followed")
    if scope.run.depth >= DEPTH:
        raise NotKnown(f"the functions called on line {line} call one another too deeply")
    if function.bound is not None:
        values = [function.bound, *values]
    names = assign(function, values, named)
    inner = Scope(scope.run, names, function.scope, function.bound, function.owner)
    scope.run.depth += 1
    try:
        if isinstance(function.node, ast.Lambda):
            return evaluate(function.node.body, inner)
        returned = execute(function.node.body, inner)
    finally:
        scope.run.depth -= 1
    return returned.value if returned else None


def assign(function: UserFunction, values: list[Any], named: dict[str, Any]) -> dict[str, Any]:
    """Which parameter gets which value, by Python's rules."""
    given = function.node.args
    title = getattr(function.node, "name", "lambda")
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    names = dict(zip(positional, values, strict=False))
    extra = values[len(positional) :]
    if given.vararg:
        names[given.vararg.arg] = tuple(extra)
    elif extra:
        raise Refusal(f"{title} takes {len(positional)} arguments and gets {len(values)}")
    rest = dict[str, Any]()
    keywords = {*positional, *(each.arg for each in given.kwonlyargs)}
    for name, value in named.items():
        if name in names:
            raise Refusal(f"{title} gets {name} twice")
        (names if name in keywords else rest)[name] = value
    if given.kwarg:
        names[given.kwarg.arg] = rest
    elif rest:
        raise Refusal(f"{title} has no argument {', '.join(rest)}")
    defaults = dict(zip(reversed(positional), reversed(given.defaults), strict=False))
    defaults |= {each.arg: value for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None}
    for name in keywords - names.keys():
        if name not in defaults:
            raise Refusal(f"{title} needs {name}, and it is not given")
        names[name] = evaluate(defaults[name], function.scope)
    return names
