"""Nets made while a file is followed: from functions that nobody calls, and from classes, within bounds."""

import ast
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope, SourceRun
from clearhead.layers.interpreter.nets.net_arguments import Needs, arguments_of
from clearhead.layers.interpreter.nets.net_candidates import Candidate, shown_call
from clearhead.layers.values.net_parts import Class, UserFunction, is_module
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown

MOST_FUNCTIONS = 60
SHORE = 120_000  # steps for one function that nobody calls
FAULTS = (AttributeError, TypeError, ValueError, IndexError, KeyError)  # of our own reading: what is at hand is not known


def follow_functions(scope: Scope) -> None:
    """Follow the functions that nobody calls and that need nothing: factories, tests, `main`."""
    run = scope.run
    functions = [
        value for value in scope.names.values() if isinstance(value, UserFunction) and isinstance(value.node, ast.FunctionDef)
    ]
    for function in functions[:MOST_FUNCTIONS]:
        if id(function.node) in run.called or not makes_something(function.node):
            continue
        found = arguments_of(function, scope, None)
        if isinstance(found, list):
            continue
        attempt(run, scope, function, *found)


def attempt(run: SourceRun, scope: Scope, function: Any, values: list[Any], named: dict[str, Any]) -> Any:
    """Follow a function within bounds; whatever goes wrong in it ends it there."""
    steps, most, frames = run.steps, run.most_steps, list(run.frames)
    run.steps, run.most_steps = 0, SHORE
    try:
        return run.call(function, values, named, getattr(function, "node", ast.Pass(lineno=0, col_offset=0)), scope)
    except (Broken, Halt, NotKnown, Refusal, *FAULTS):
        return None
    finally:
        run.steps, run.most_steps, run.frames, run.constructing = steps, most, frames, 0


def makes_something(node: ast.AST) -> bool:
    """Whether a function calls something with a capital letter, as classes have, or returns something."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            name = each.func.attr if isinstance(each.func, ast.Attribute) else getattr(each.func, "id", "")
            if (
                name[:1].isupper()
                or "model" in name.lower()
                or "net" in name.lower()
                or name.startswith(("_", "make", "build"))
            ):
                return True
        if isinstance(each, ast.Return) and each.value is not None:
            return True
    return False


def classes_of(scope: Scope) -> list[Class]:
    return [value for value in scope.names.values() if isinstance(value, Class)]


def from_class(cls: Class, scope: Scope, tree: ast.Module) -> "Candidate | Needs":
    """A net made from a class, with the arguments that the file tells; or what is missing."""
    init = cls.find("__init__")
    values, named = list[Any](), dict[str, Any]()
    if init and isinstance(init[0], UserFunction):
        found = arguments_of(UserFunction(init[0].node, init[0].scope, init[1], cls, init[0].defaults), scope, tree, cls.name)
        if isinstance(found, list):
            return Needs(cls, found)
        values, named = found
    elif cls.fields is None and any(
        getattr(cls.root(), "name", "").endswith(each) for each in (".Linear", ".Conv2d", ".Conv1d")
    ):
        return Needs(cls, ["its sizes"])
    call = shown_call(cls.name, values, named)
    return guarded(Candidate(cls.name, cls.node, call=call, level=1), cls, values, named, scope)


def guarded(candidate: Candidate, callee: Any, values: list[Any], named: dict[str, Any], scope: Scope) -> Candidate:
    """Make the net of a candidate; a break or something not known is written down with it."""
    run, node = scope.run, candidate.node
    steps, run.steps = run.steps, 0
    try:
        made = run.call(callee, values, named, node, scope)
        if isinstance(made, (tuple, list)):
            made = next((each for each in made if is_module(each)), made)
        if isinstance(made, Unknown):
            candidate.unknown = made
        else:
            candidate.module = made
    except Broken as broken:
        candidate.broken = broken
    except Refusal as refusal:
        candidate.broken = Broken(node, refusal)
    except Halt as halt:
        candidate.unknown = halt.unknown
    except NotKnown as reason:
        candidate.unknown = Unknown(reason.why, reason.line)
    except FAULTS as error:
        candidate.unknown = Unknown(f"line {run.where[0]} is not followed ({type(error).__name__})", run.where[0])
    finally:
        run.steps, run.constructing, run.frames = steps, 0, []
    return candidate
