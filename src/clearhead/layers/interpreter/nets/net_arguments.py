"""Arguments that a constructor needs and nobody gives: looked for in the file's own calls, options and settings."""

import ast
from typing import Any, NamedTuple

from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope
from clearhead.layers.interpreter.python.library_functions import OptionParser, name_space
from clearhead.layers.interpreter.source_expressions import evaluate
from clearhead.layers.values.net_parts import Class, Instance, UserFunction, is_module_class
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown

SETTINGS = ("config", "cfg", "conf", "args", "opt", "opts", "options", "hparams", "params", "hps", "hp", "settings", "h")
FAILURES = (Broken, Halt, NotKnown, Refusal, AttributeError, TypeError, ValueError, IndexError, KeyError)
Given = tuple[list[Any], dict[str, Any]]


class Needs(NamedTuple):
    """A class that cannot be made because arguments are missing."""

    cls: Class
    missing: list[str]


def arguments_of(function: UserFunction, scope: Scope, tree: ast.Module | None, name: str = "") -> Given | list[str]:
    """What to call a function or constructor with; a list of names where the file does not tell."""
    given = function.node.args
    positional = [each.arg for each in (*given.posonlyargs, *given.args)]
    positional = positional[1:] if function.bound is not None else positional
    needed = [each for each in positional if each not in function.defaults]
    needed += [each.arg for each in given.kwonlyargs if each.arg not in function.defaults]
    if not needed:
        return [], {}
    if tree is not None:
        called = from_calls(name, tree, scope)
        if called is not None and all(each in positional[: len(called[0])] or each in called[1] for each in needed):
            return called
    found = {each: by_name(each, scope) for each in needed}
    missing = [each for each, value in found.items() if isinstance(value, Unknown)]
    return missing if missing else ([], found)


def from_calls(name: str, tree: ast.Module, scope: Scope) -> Given | None:
    """The arguments of a call of this name that stands in the file, where all of them are known."""
    for call, inside in reversed(list(calls_of(name, tree))):
        inner = Scope(scope.run, {}, scope, is_function=True)
        for function in inside:
            for each in (*function.args.args, *function.args.kwonlyargs):
                inner.names[each.arg] = by_name(each.arg, scope)
            defaults = function.args.defaults
            for each, default in zip(reversed(function.args.args), reversed(defaults), strict=False):
                inner.names[each.arg] = quietly(default, scope)
            settle_locals(function, call, inner)
        values = [quietly(each, inner) for each in call.args if not isinstance(each, ast.Starred)]
        named = {each.arg: quietly(each.value, inner) for each in call.keywords if each.arg is not None}
        spread = [quietly(each.value, inner) for each in call.keywords if each.arg is None]
        for each in spread:
            named |= each if isinstance(each, dict) else {}
        known = not any(isinstance(each, Unknown) for each in [*values, *named.values()])
        plain = known and len(values) == len(call.args) and all(isinstance(each, dict) for each in spread)
        if plain:
            return values, named
    return None


def settle_locals(function: ast.FunctionDef, call: ast.Call, scope: Scope) -> None:
    """Simple assignments in a function before a call: `hidden = 128`."""
    for statement in function.body:
        if statement.lineno >= call.lineno:
            return
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
            scope.names[statement.targets[0].id] = quietly(statement.value, scope)


def calls_of(name: str, tree: ast.Module) -> "list[tuple[ast.Call, tuple[ast.FunctionDef, ...]]]":
    """Calls of a name anywhere in a file outside of module classes, with the functions around them."""
    found: list[tuple[ast.Call, tuple[ast.FunctionDef, ...]]] = []

    def walk(node: ast.AST, inside: tuple[ast.FunctionDef, ...]) -> None:
        if isinstance(node, ast.FunctionDef):
            inside = (*inside, node)
        if isinstance(node, ast.ClassDef) and (node.name == name or any("Module" in ast.unparse(base) for base in node.bases)):
            return
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called == name:
                found.append((node, inside))
        for child in ast.iter_child_nodes(node):
            walk(child, inside)

    walk(tree, ())
    return found


def quietly(node: ast.expr, scope: Scope) -> Any:
    """The value of an expression, or something unknown whatever goes wrong."""
    try:
        return evaluate(node, scope)
    except FAILURES:
        return Unknown("an argument is not followed", getattr(node, "lineno", 0))


def by_name(name: str, scope: Scope) -> Any:
    """A value that the file keeps under the name of an argument: a constant, an option, a setting, a configuration."""
    names = scope.file().names
    for word in (name, name.upper(), name.lower()):
        value = names.get(word)
        if isinstance(value, (int, float, str, bool, list, tuple, dict)) or (
            isinstance(value, Instance) and not is_module_class(value.cls)
        ):
            return value
    if name.lower() in SETTINGS or name.lower().endswith(("config", "cfg", "args")):
        return settings(names, scope)
    for value in names.values():
        held = (
            value.attributes
            if isinstance(value, Instance) and not is_module_class(value.cls)
            else value.defaults
            if isinstance(value, OptionParser)
            else {}
        )
        if name in held and not isinstance(held[name], Unknown) and held[name] is not None:
            return held[name]
    return Unknown(f"{name} is not given", 0)


def settings(names: dict[str, Any], scope: Scope) -> Any:
    """The configuration of a file: an object of options, or a class of settings with defaults."""
    for value in names.values():
        if isinstance(value, OptionParser):
            return name_space([value.defaults], {}, ast.Pass(lineno=0, col_offset=0), scope)
        if isinstance(value, Instance) and value.cls.name == "Options":
            return value
    for value in names.values():
        words = value.name.lower() if isinstance(value, Class) else ""
        if (
            isinstance(value, Class)
            and not is_module_class(value)
            and (words.endswith(("config", "args", "cfg", "settings", "params")) or "config" in words)
        ):
            try:
                return scope.run.call(value, [], {}, value.node, scope)
            except FAILURES:
                continue
    return Unknown("the configuration is not given", 0)
