"""Which net of a file is meant: the last one that is not a part of another, or the one that is named."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from clearhead.errors import InputError
from clearhead.layers.interpreter.constructors import is_module
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope
from clearhead.layers.interpreter.source_expressions import evaluate
from clearhead.layers.interpreter.statements import execute, forget, invoke
from clearhead.layers.laws import LAWS
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, UserFunction, named_parts
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown


@dataclass(slots=True)
class Candidate:
    """A net that the file holds: its name, where it stands, and the module, or why it breaks while it is made."""

    name: str
    node: ast.AST
    module: Any = None
    broken: Broken | None = None
    unknown: Unknown | None = None

    @property
    def line(self) -> int:
        return getattr(self.node, "lineno", 0)


def choose(tree: ast.Module, scope: Scope, name: str | None, title: str) -> tuple[Candidate, list[Candidate]]:
    """The net to read, and the others."""
    found = list(made_in_file(tree, scope))
    unclear = [each for each in found if each.unknown is not None]
    found = [each for each in found if each.unknown is None]
    classes = [value for value in scope.names.values() if isinstance(value, Class)]
    built = {id(part.cls) for each in found for part in instances(each.module)}
    needs: list[str] = []
    for cls in classes:
        if is_net(cls) and id(cls) not in built and (cls.name == name or not inherited(cls, classes)):
            candidate, why = from_class(cls, scope)
            if candidate and candidate.unknown:
                unclear.append(candidate)
            elif candidate:
                found.append(candidate)
                built |= {id(part.cls) for part in instances(candidate.module) if part.cls is not cls}
            elif why:
                needs.append(f"{cls.name} (line {cls.node.lineno}: {why})")
    found = [each for each in found if each.name == name or not is_part_of_another(each, found, built)]
    if not found:
        found = list(from_functions(scope)) or unclear
    if not found:
        raise InputError(nothing(title, needs))
    found.sort(key=lambda each: each.line)
    if name is None:
        return found[-1], found[:-1]
    for each in (*found, *unclear):
        if each.name == name:
            return each, [other for other in found if other is not each]
    near = get_close_matches(name, [each.name for each in found], n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; it has {', '.join(each.name for each in found)}"
    raise InputError(f"{title} has no net {name!r}{hint}")


def nothing(title: str, needs: list[str]) -> str:
    if needs:
        return f"{title} makes no net: {'; '.join(needs)}. Add a line such as `net = Net(...)` with its arguments."
    return f"{title} holds no net: neither an nn.Sequential nor a class made from nn.Module with a forward."


def made_in_file(tree: ast.Module, scope: Scope) -> Iterator[Candidate]:
    """Follow the file statement by statement, and give each net that it makes."""
    for statement in tree.body:
        before = dict(scope.names)
        try:
            if isinstance(statement, ast.Expr):
                value = evaluate(statement.value, scope)
                if is_usable(value):
                    yield Candidate(f"line {statement.lineno}", statement, value)
                elif isinstance(value, Unknown) and looks_like_a_net(statement):
                    yield Candidate(f"line {statement.lineno}", statement, unknown=value)
                continue
            execute([statement], scope)
        except Broken as broken:
            names = [each.id for target in targets_of(statement) for each in ast.walk(target) if isinstance(each, ast.Name)]
            for name in names:
                scope.names[name] = Unknown(f"it breaks on line {broken.line}: {broken.why}", broken.line)
            made = made_before(statement, scope)
            yield Candidate(names[0] if names else f"line {statement.lineno}", statement, made, broken)
            continue
        except Halt as halt:
            forget(statement, scope, halt.unknown)
            if looks_like_a_net(statement):
                yield Candidate(f"line {statement.lineno}", statement, unknown=halt.unknown)
            continue
        except NotKnown:
            continue
        except Refusal as refusal:
            yield Candidate(f"line {statement.lineno}", statement, None, Broken(statement, refusal))
            continue
        for name, value in scope.names.items():
            if is_usable(value) and before.get(name) is not value:
                yield Candidate(name, statement, value)
            elif isinstance(value, Unknown) and before.get(name) is not value and looks_like_a_net(statement):
                yield Candidate(name, statement, unknown=value)


def looks_like_a_net(statement: ast.stmt) -> bool:
    """Whether a statement that cannot be followed calls Sequential, or a layer by `nn.`"""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return False
    words = {getattr(each, "attr", "") or getattr(each, "id", "") for each in ast.walk(statement)}
    return "Sequential" in words or any(word in LAWS for word in words)


def made_before(statement: ast.stmt, scope: Scope) -> Any:
    """The layers of a Sequential that stand before the one that cannot be made, so that the table goes up to it."""
    call = getattr(statement, "value", None)
    if not isinstance(call, ast.Call) or (getattr(call.func, "attr", "") or getattr(call.func, "id", "")) != "Sequential":
        return None
    parts: dict[str, Any] = {}
    for place, argument in enumerate(call.args):
        try:
            value = evaluate(argument, scope)
        except (Broken, Halt, NotKnown, Refusal):
            break
        if not is_usable(value):
            break
        parts[str(place)] = value
    return Container("Sequential", parts, statement.lineno)


def targets_of(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def is_usable(value: Any) -> bool:
    """Whether a tensor can be put through a value."""
    if isinstance(value, Instance):
        return is_net(value.cls)
    return isinstance(value, Layer) or (isinstance(value, Container) and value.kind == "Sequential")


def is_net(cls: Class) -> bool:
    root = cls.root()
    known = is_module(cls) or (isinstance(root, Unknown) or root is not None)
    sequential = is_module(cls) and root.name.endswith(".Sequential")
    return known and (cls.find("forward") is not None or sequential)


def inherited(cls: Class, classes: list[Class]) -> bool:
    """Whether another class of the file is made from this one."""
    return any(cls in other.bases for other in classes)


def instances(module: Any) -> Iterator[Instance]:
    for _, part in named_parts(module).values():
        if isinstance(part, Instance):
            yield part


def is_part_of_another(candidate: Candidate, found: list[Candidate], built: set[int]) -> bool:
    """Whether a net is only a part of another net of the file."""
    if candidate.module is None or candidate.broken is not None:
        return False
    if (
        isinstance(candidate.module, Instance)
        and isinstance(candidate.node, ast.ClassDef)
        and id(candidate.module.cls) in built
    ):
        return True
    return any(
        id(candidate.module) in named_parts(other.module) and other.module is not candidate.module
        for other in found
        if other.module is not None
    )


def from_class(cls: Class, scope: Scope) -> tuple[Candidate | None, str]:
    """A net made from a class without arguments, or what it needs."""
    init = cls.find("__init__")
    if init and isinstance(init[0], UserFunction):
        given = init[0].node.args
        names = [each.arg for each in (*given.posonlyargs, *given.args)][1:]
        needed = names[: len(names) - len(given.defaults)] if given.defaults else names
        needed += [each.arg for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is None]
        if needed:
            return None, f"needs {', '.join(needed)}"
    try:
        return Candidate(cls.name, cls.node, scope.run.call(cls, [], {}, cls.node, scope)), ""
    except Broken as broken:
        return Candidate(cls.name, cls.node, None, broken), ""
    except Refusal as refusal:
        return Candidate(cls.name, cls.node, None, Broken(cls.node, refusal)), ""
    except Halt as halt:
        return Candidate(cls.name, cls.node, unknown=halt.unknown), ""
    except NotKnown as reason:
        return Candidate(cls.name, cls.node, unknown=Unknown(reason.why, reason.line)), ""


def from_functions(scope: Scope) -> Iterator[Candidate]:
    """Nets that functions without arguments return, where the file makes none itself."""
    for name, value in list(scope.names.items()):
        if not isinstance(value, UserFunction) or isinstance(value.node, ast.Lambda):
            continue
        if len(value.node.args.args) > len(value.node.args.defaults):
            continue
        try:
            result = invoke(value, [], {}, value.node, scope)
        except Broken as broken:
            yield Candidate(name, value.node, None, broken)
            continue
        except (Halt, NotKnown, Refusal):
            continue
        if is_usable(result):
            yield Candidate(name, value.node, result)
