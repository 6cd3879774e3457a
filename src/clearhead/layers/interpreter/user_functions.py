"""Functions of the source, followed with given arguments; objects of its classes, through their `__init__`."""

import ast
from typing import Any

from clearhead.layers.interpreter.interpreter_state import DEPTH, Broken, Halt, Scope, named_numbers
from clearhead.layers.interpreter.source_expressions import evaluate
from clearhead.layers.interpreter.statements import execute
from clearhead.layers.interpreter.torch.constructors import begin
from clearhead.layers.interpreter.user_classes import is_unknown_class
from clearhead.layers.values.net_parts import Class, Frame, Instance, UserFunction, is_module, is_module_class
from clearhead.layers.values.refusals import NotKnown, Refusal


def invoke(function: UserFunction, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Follow a function of the source with these arguments."""
    run, line = scope.run, getattr(node, "lineno", 0)
    if function.unknown:
        raise NotKnown(f"{function.unknown} (called on line {line})")
    if len(run.frames) >= DEPTH:
        raise NotKnown(f"the functions called on line {line} call one another too deeply")
    if function.bound is not None:
        values = [function.bound, *values]
    names = assign(function, values, named)
    inner = Scope(run, names, function.scope, function.bound, function.owner, is_function=True)
    if isinstance(function.node, ast.FunctionDef) and is_generator(function.node):
        inner.yielded = []
    run.called.add(id(function.node))
    names_here = {} if run.recording else named_numbers(scope)
    run.frames.append(Frame(node, function.node, function.bound, names_here))
    try:
        if isinstance(function.node, ast.Lambda):
            return evaluate(function.node.body, inner)
        left = execute(function.node.body, inner)
    except Broken as broken:
        broken.frames = broken.frames or tuple(run.frames)
        raise
    finally:
        run.frames.pop()
    if inner.yielded is not None:
        return inner.yielded
    value = left.value if left is not None and left.word == "return" else None
    for each in value if isinstance(value, (tuple, list)) else (value,):
        if not run.frames and is_module(each):
            run.returned.add(id(each))
    return value


def is_generator(node: ast.FunctionDef) -> bool:
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        each = waiting.pop()
        if isinstance(each, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(each, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(each))
    return False


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
    for name in keywords - names.keys():
        if name not in function.defaults:
            raise Refusal(f"{title} needs {name}, and it is not given")
        names[name] = function.defaults[name]
    return names


def start(cls: Class, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """An object of a class of the source, through its `__init__`."""
    unknown = is_unknown_class(cls)
    if unknown is not None and not is_module_class(cls):
        raise NotKnown(unknown.why, unknown.line)
    module = is_module_class(cls)
    instance = Instance(
        cls, getattr(node, "lineno", 0), started=not module, node=node, unknown=unknown, given=(list(values), dict(named))
    )
    found = cls.find("__init__")
    if module:
        scope.run.constructing += 1
    try:
        if found and isinstance(found[0], UserFunction):
            function = UserFunction(found[0].node, found[0].scope, found[1], instance, found[0].defaults, "", found[0].unknown)
            construct(function, values, named, node, scope, instance)
        elif module:
            begin(instance, values, named, node, scope)
        else:
            fill_fields(instance, values, named, node, scope)
    except (Broken, Refusal) as fault:
        broken = fault if isinstance(fault, Broken) else Broken(node, fault)
        broken.making = broken.making or module
        raise broken from None
    finally:
        if module:
            scope.run.constructing -= 1
    if module:
        scope.run.note_made(instance, node)
    return instance


def construct(
    function: UserFunction, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope, instance: Instance
) -> None:
    """Follow an `__init__`; where it cannot be followed to its end, the object may hold more than is seen."""
    try:
        invoke(function, values, named, node, scope)
    except Halt as halt:
        if scope.run.steps > scope.run.most_steps:
            raise
        instance.unknown = halt.unknown


def fill_fields(instance: Instance, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """A dataclass or named tuple: its fields from the arguments, and their defaults."""
    cls = instance.cls
    if cls.fields is None:
        if values or named:
            raise NotKnown(f"how {cls.name} takes its arguments on line {getattr(node, 'lineno', 0)} is not known")
        return
    given = dict(zip(cls.fields, values, strict=False)) | named
    for name in cls.fields:
        if name in given:
            instance.attributes[name] = given[name]
            continue
        default = cls.find(name)
        if default is None:
            raise Refusal(f"{cls.name} needs {name}, and it is not given")
        value = default[0]
        if isinstance(value, dict) and "*factory" in value:  # field(default_factory=…) makes a new one each time
            value = scope.run.call(value["*factory"], [], {}, node, scope)
        instance.attributes[name] = value
    after = cls.find("__post_init__")
    if after and isinstance(after[0], UserFunction):
        invoke(UserFunction(after[0].node, after[0].scope, after[1], instance, after[0].defaults), [], {}, node, scope)
