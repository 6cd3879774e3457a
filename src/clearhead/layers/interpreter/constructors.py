"""Layers, containers and objects, made from the calls that name them."""

import ast
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.brackets import items
from clearhead.layers.interpreter.interpreter_state import Broken, Scope, first_unknown
from clearhead.layers.laws import LAWS
from clearhead.layers.laws.signatures import fill, parameters
from clearhead.layers.source.fixes import CallIt, RenameFunction
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

CONTAINERS = ("Sequential", "ModuleList", "ModuleDict")
NEUTRAL = {"p", "eps", "momentum", "inplace", "device", "dtype", "dropout", "layer_norm_eps", "max_norm", "init", "activation"}
NEUTRAL |= {
    "alpha",
    "beta",
    "threshold",
    "value",
    "lambd",
    "negative_slope",
    "lower",
    "upper",
    "min_val",
    "max_val",
    "norm_type",
}


def make(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """The layer or container that a name of torch makes; None where the name is of something else."""
    package, _, kind = name.rpartition(".")
    if not isinstance(node, ast.Call) or not (package == "torch.nn" or package.startswith("torch.nn.modules")):
        return None
    if kind in LAWS:
        return make_layer(kind, values, named, node, scope)
    if kind in CONTAINERS:
        return make_container(kind, values, named, node, scope)
    if kind == "Parameter":
        return make_parameter(values, node)
    known = [each for each in (*LAWS, *CONTAINERS) if each.lower() == kind.lower()]
    if known:
        raise Broken(node, Refusal(f"torch.nn has no {kind}; it is written {known[0]}", RenameFunction(known[0])))
    if kind[:1].isupper():
        return Layer(kind, {}, node, None, f"nn.{kind} on line {node.lineno} is not one of the layers that are known here")
    return None


def make_layer(kind: str, values: list[Any], named: dict[str, Any], node: ast.Call, scope: Scope) -> Layer:
    """A layer with its arguments bound by torch's own signature."""
    law = LAWS[kind]
    try:
        arguments = fill(kind, law.signature, values, named)
        unknown = unknown_argument(arguments)
        if unknown:
            name, reason = unknown
            return Layer(kind, arguments, node, None, f"{name} of {kind} is not known: {reason.why}")
        law.check(arguments)
        weights = law.weigh(arguments)
    except Refusal as refusal:
        raise Broken(node, refusal, kind=kind, order=parameters(law.signature)[0]) from None
    scope.run.progress += 1
    return Layer(kind, arguments, node, weights)


def unknown_argument(arguments: dict[str, Any]) -> tuple[str, Unknown] | None:
    for name, value in arguments.items():
        reason = first_unknown(value)
        if reason and name not in NEUTRAL:
            return name, reason
    return None


def make_container(kind: str, values: list[Any], named: dict[str, Any], node: ast.Call, scope: Scope) -> Any:
    """Parts by name: from arguments, a list, or a dict."""
    parts: dict[str, Any]
    if kind == "Sequential":
        ordered = len(values) == 1 and isinstance(values[0], dict)
        parts = dict(values[0]) if ordered else {str(place): value for place, value in enumerate(values)}
    else:
        given = values[0] if values else named.get("modules", [])
        if isinstance(given, dict):
            parts = dict(given)
        else:
            parts = {str(place): value for place, value in enumerate(items(given, node.lineno))}
    for value in parts.values():
        if isinstance(value, Unknown):
            raise NotKnown(value.why, value.line)
        if not isinstance(value, (Layer, Container, Instance)):
            raise Broken(node, Refusal(f"{kind} holds layers, and gets {name_of(value)}", *call_it(value)))
    scope.run.progress += 1
    return Container(kind, parts, node.lineno)


def name_of(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "a list; write * before it to spread it out"
    if isinstance(value, Function):
        return f"{value.name.rpartition('.')[2]} itself; make one with ()"
    return "None" if value is None else type(value).__name__.lower()


def call_it(value: Any) -> tuple[CallIt, ...]:
    """`nn.ReLU` where `nn.ReLU()` is meant."""
    return (CallIt(value.name.rpartition(".")[2]),) if isinstance(value, Function) else ()


def make_parameter(values: list[Any], node: ast.Call) -> Parameter:
    unknown = first_unknown(values)
    if unknown:
        raise NotKnown(unknown.why, unknown.line)
    if not values or not isinstance(values[0], Tensor):
        raise NotKnown(f"the parameter on line {node.lineno} is not known")
    return Parameter(values[0], node.lineno)


def start(
    cls: Class, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope, invoke: Callable[..., Any]
) -> Instance:
    """An object of a class of the source, through its `__init__`."""
    instance = Instance(cls, getattr(node, "lineno", 0), started=not is_module(cls))
    found = cls.find("__init__")
    if found and isinstance(found[0], UserFunction):
        function = UserFunction(found[0].node, found[0].scope, found[1], instance, found[0].decorated)
        invoke(function, values, named, node, scope)
    elif is_module(cls):
        begin(instance, values, named, node, scope)
    else:
        instance.attributes.update(zip(annotated(cls), values, strict=False))
        instance.attributes.update(named)
    return instance


def annotated(cls: Class) -> list[str]:
    """The fields of a dataclass, in order."""
    return [each.target.id for each in cls.node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]


def is_module(cls: Class) -> bool:
    root = cls.root()
    return isinstance(root, Function) and root.name.startswith("torch.nn.")


def begin(instance: Instance, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """`super().__init__(...)` of torch's own class."""
    instance.started = True
    root = instance.cls.root()
    kind = root.name.rpartition(".")[2] if isinstance(root, Function) else ""
    if kind in CONTAINERS and isinstance(node, ast.Call):
        container = make_container(kind, values, named, node, scope)
        instance.attributes["*parts"] = container
        instance.attributes.update(container.parts)
    elif kind in LAWS:
        raise NotKnown(f"a class made from nn.{kind} (line {instance.cls.node.lineno}) is not followed")
