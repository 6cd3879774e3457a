"""Statements of the source, followed line by line: assignments, loops, conditions, functions and classes."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from clearhead.layers.interpreter.imports import bring_in
from clearhead.layers.interpreter.interpreter_state import LONGEST_LIST, Broken, Halt, Scope
from clearhead.layers.interpreter.python.assignment_targets import bind, remove
from clearhead.layers.interpreter.python.value_arithmetic import combine, truth
from clearhead.layers.interpreter.source_expressions import evaluate, through
from clearhead.layers.interpreter.unfollowed_code import forget, has_return, only_raises, only_sets_numbers
from clearhead.layers.interpreter.user_classes import define, define_function
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Parameter, Tensor


class Left(NamedTuple):
    """How a row of statements was left: by `return` with a value, `break` or `continue`."""

    word: str
    value: Any = None


BREAK, CONTINUE = Left("break"), Left("continue")


def execute(body: Sequence[ast.stmt], scope: Scope) -> Left | None:
    """Follow statements in order; a `return`, `break` or `continue` ends them."""
    for statement in body:
        scope.run.step(statement)
        try:
            result = follow(statement, scope)
        except NotKnown as reason:
            result = None
            if not only_sets_numbers(statement):
                leave_open(statement, scope, Unknown(reason.why, reason.line or statement.lineno))
        if result is not None:
            return result
    return None


def leave_open(statement: ast.stmt, scope: Scope, unknown: Unknown) -> None:
    """A statement that cannot be followed: what it may change is not known any more; a return inside ends it all."""
    if has_return(statement) and not scope.is_file:
        raise Halt(unknown.why, unknown.line)
    if scope.run.recording:
        scope.run.unknowns.append(unknown)
    forget(statement, scope, unknown, evaluate)


def follow(node: ast.stmt, scope: Scope) -> Left | None:
    """Follow one statement."""
    if isinstance(node, ast.Assign):
        value = evaluate(node.value, scope)
        for target in node.targets:
            bind(target, value, scope, evaluate)
    elif isinstance(node, ast.AnnAssign):
        if node.value is not None:
            bind(node.target, evaluate(node.value, scope), scope, evaluate)
    elif isinstance(node, ast.AugAssign):
        augment(node, scope)
    elif isinstance(node, ast.Return):
        return Left("return", None if node.value is None else evaluate(node.value, scope))
    elif isinstance(node, ast.Expr):
        alone(node, scope)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        bring_in(node, scope)
    elif isinstance(node, ast.FunctionDef):
        scope.set(node.name, define_function(node, scope, evaluate))
    elif isinstance(node, ast.ClassDef):
        scope.set(node.name, define(node, scope, evaluate, execute))
    elif isinstance(node, ast.If):
        return branch(node, scope)
    elif isinstance(node, (ast.For, ast.While)):
        return loop(node, scope)
    elif isinstance(node, ast.With):
        return under(node, scope)
    elif isinstance(node, ast.Try):
        return attempt(node, scope)
    elif isinstance(node, ast.Assert):
        hold(node, scope)
    elif isinstance(node, ast.Raise):
        raise Broken(node, Refusal(f"the source raises an error here: {raised(node)}"))
    elif isinstance(node, ast.Delete):
        for each in node.targets:
            remove(each, scope, evaluate)
    elif isinstance(node, (ast.Break, ast.Continue)):
        return BREAK if isinstance(node, ast.Break) else CONTINUE
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        elsewhere(node, scope)
    elif not isinstance(node, ast.Pass):
        word = {ast.Match: "match", ast.AsyncFunctionDef: "async"}.get(type(node), type(node).__name__.lower())
        raise NotKnown(f"`{word}` on line {node.lineno} is not followed")
    return None


def alone(node: ast.Expr, scope: Scope) -> None:
    """An expression on a line of its own: where it is not known, it may have changed what it was called on."""
    value = evaluate(node.value, scope)
    if isinstance(value, Unknown) and isinstance(node.value, ast.Call) and not only_sets_numbers(node):
        raise NotKnown(value.why, value.line)


def raised(node: ast.Raise) -> str:
    return ast.unparse(node.exc)[:80] if node.exc is not None else "raise"


def branch(node: ast.If, scope: Scope) -> Left | None:
    """One side of a condition; where the condition is not known, a side that only raises is not taken."""
    try:
        holds = truth(evaluate(node.test, scope), node.lineno)
    except NotKnown:
        if only_raises(node.body):
            return execute(node.orelse, scope)
        if only_raises(node.orelse):
            return execute(node.body, scope)
        raise
    return execute(node.body if holds else node.orelse, scope)


def under(node: ast.With, scope: Scope) -> Left | None:
    for each in node.items:
        value = evaluate(each.context_expr, scope)
        if each.optional_vars is not None:
            bind(each.optional_vars, value, scope, evaluate)
    return execute(node.body, scope)


def attempt(node: ast.Try, scope: Scope) -> Left | None:
    """The body of a `try`, as if nothing goes wrong; what breaks in it is not known, since it may be caught."""
    try:
        result = execute([*node.body, *node.orelse], scope)
    except Broken as broken:
        why = f"what is tried on line {node.lineno} breaks on line {broken.line}, and may be caught"
        raise NotKnown(why, node.lineno) from None
    return result or execute(node.finalbody, scope)


def elsewhere(node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    for name in node.names:
        target = scope.file()
        inner = scope.outer
        while isinstance(node, ast.Nonlocal) and inner is not None:
            if name in inner.names:
                target = inner
                break
            inner = inner.outer
        if target is not scope:
            scope.elsewhere[name] = target


def augment(node: ast.AugAssign, scope: Scope) -> None:
    """`x += y` is `x = x + y`; a list grows in place."""
    read = ast.copy_location(loaded(node.target), node.target)
    before, change = evaluate(read, scope), evaluate(node.value, scope)
    before = before.tensor if isinstance(before, Parameter) else before
    if isinstance(before, list) and isinstance(node.op, ast.Add):
        added = through(change, node, scope)
        if len(before) + len(added) > LONGEST_LIST:
            raise NotKnown(f"a list on line {node.lineno} is too long to follow")
        before.extend(added)
        return
    try:
        result = combine(before, change, node.op, node, scope)
        if isinstance(before, Tensor) and isinstance(result, Tensor):
            result = in_place(before, result)
    except Refusal as refusal:
        raise Broken(node, refusal) from None
    bind(node.target, result, scope, evaluate)


def loaded(target: ast.expr) -> ast.expr:
    """A target as it is read."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    assert isinstance(target, ast.Subscript)
    return ast.Subscript(target.value, target.slice, ast.Load())


def in_place(before: Tensor, result: Tensor) -> Tensor:
    """What `x += y` leaves in x: it can neither grow nor change from whole numbers to decimals."""
    if result.shape != before.shape:
        raise Refusal(f"in place, {before} cannot become {result}; write x = x + y instead")
    if before.whole is True and result.whole is False:
        raise Refusal(f"in place, whole numbers ({before}) cannot become decimals")
    return replace(result, strides=before.strides, whole=before.whole)


def loop(node: ast.For | ast.While, scope: Scope) -> Left | None:
    """A loop over something known, unrolled; a `while` as long as its condition is known to hold."""
    ended = False
    if isinstance(node, ast.While):
        while not ended and truth(evaluate(node.test, scope), node.lineno):
            scope.run.step(node)
            result = execute(node.body, scope)
            if result is not None and result.word == "return":
                return result
            ended = result is BREAK
    else:
        for item in through(evaluate(node.iter, scope), node, scope):
            bind(node.target, item, scope, evaluate)
            result = execute(node.body, scope)
            if result is not None and result.word == "return":
                return result
            if result is BREAK:
                ended = True
                break
    return None if ended else execute(node.orelse, scope)


def hold(node: ast.Assert, scope: Scope) -> None:
    """An assertion known to fail breaks the net; one that cannot be known, or is about kinds of numbers, is passed over."""
    if any(isinstance(part, ast.Attribute) and part.attr in ("dtype", "device", "is_cuda") for part in ast.walk(node.test)):
        return
    try:
        fails = not truth(evaluate(node.test, scope), node.lineno)
    except NotKnown:
        return
    if fails:
        raise Broken(node, Refusal(f"this assertion does not hold: {ast.unparse(node.test)[:80]}"))
