"""Layers and containers, made from the calls that name them."""

import ast
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Scope, first_unknown, named_numbers
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.laws import LAWS, parameters
from clearhead.layers.laws.signatures import fill
from clearhead.layers.source.fixes import CallIt, RenameFunction
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor, row_major
from clearhead.layers.values.word_lists import words

CONTAINERS = ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
WRAPPERS = ("DataParallel", "parallel.DataParallel", "parallel.DistributedDataParallel")
NEUTRAL = words(
    "p eps momentum inplace device dtype dropout layer_norm_eps max_norm init activation alpha beta threshold value "
    "lambd negative_slope lower upper min_val max_val norm_type weight reduction size_average _weight "
    "enable_nested_tensor mask_check padding_idx sparse scale_grad_by_freq align_corners mode label_smoothing "
    "ignore_index pos_weight margin"
)


def make(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """The layer or container that a name of torch makes; None where the name is of something else."""
    try:
        return made_by(name, values, named, node, scope)
    except Broken as broken:
        broken.making = True
        raise


def made_by(name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """The same, where what breaks is not yet said to break while the net is made."""
    package, _, kind = name.rpartition(".")
    if not isinstance(node, ast.Call) or not (package.startswith("torch.nn") and not package.startswith("torch.nn.functional")):
        return None
    if any(name == f"torch.nn.{each}" for each in WRAPPERS):
        return values[0] if values else named.get("module")
    if package.startswith(("torch.nn.utils", "torch.nn.init")):
        return None
    if kind in LAWS:
        return make_layer(kind, values, named, node, scope)
    if kind in CONTAINERS:
        return make_container(kind, values, named, node, scope)
    if kind in ("Parameter", "UninitializedParameter"):
        return make_parameter(values or list(named.values())[:1], node)
    if kind == "Buffer":
        return values[0] if values else Unknown(f"the buffer on line {node.lineno} is not known", node.lineno)
    known = [each for each in (*LAWS, *CONTAINERS) if each.lower() == kind.lower()]
    if known:
        raise Broken(node, Refusal(f"torch.nn has no {kind}; it is written {known[0]}", RenameFunction(known[0])))
    if kind[:1].isupper():
        return Layer(kind, {}, node, None, f"nn.{kind} on line {node.lineno} is not one of the layers that are known here")
    return None


def make_layer(kind: str, values: list[Any], named: dict[str, Any], node: ast.Call, scope: Scope) -> Layer:
    """A layer with its arguments bound by torch's own signature."""
    law, run = LAWS[kind], scope.run
    order = parameters(law.signature)[0]
    trail, names = tuple(run.frames), named_numbers(scope)
    try:
        arguments = {name: bare(value) for name, value in fill(kind, law.signature, values, named).items()}
        unknown = unknown_argument(arguments)
        if unknown:
            name, reason = unknown
            return Layer(kind, arguments, node, None, f"{name} of {kind} is not known: {reason.why}", trail=trail)
        law.check(arguments)
        weights = law.weigh(arguments)
        held = {name: whole_parameter(shape, node) for name, shape in law.shapes(arguments).items()}
    except Refusal as refusal:
        draft = Layer(kind, {}, node, None, trail=trail, names=names)
        raise Broken(node, refusal, kind=kind, order=order, layer=draft) from None
    except NotKnown as reason:
        return Layer(kind, {}, node, None, f"{kind} on line {node.lineno} is not known: {reason.why}", trail=trail)
    run.progress += 1
    made = Layer(kind, arguments, node, weights, held=held, trail=trail, names=names)
    run.note_made(made, node)
    return made


def bare(value: Any) -> Any:
    """An argument as a law reads it: a decimal that is a whole number stays a decimal, a parameter is its tensor."""
    return value.tensor if isinstance(value, Parameter) else value


def whole_parameter(shape: tuple[int, ...] | None, node: ast.AST) -> Parameter | None:
    return None if shape is None else Parameter(Tensor(shape, strides=row_major(shape)), getattr(node, "lineno", 0))


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
        given = values[0] if values else next(iter(named.values()), [])
        if isinstance(given, Unknown):
            parts = {"*": given}
        elif isinstance(given, dict):
            parts = dict(given)
        elif kind.endswith("Dict") and isinstance(given, (list, tuple)):
            parts = {pair[0]: pair[1] for pair in given if isinstance(pair, (tuple, list)) and len(pair) == 2}
        else:
            parts = {str(place): value for place, value in enumerate(items(given, node.lineno))}
    for value in parts.values():
        fits = isinstance(value, (Layer, Container, Instance, Unknown, UserFunction)) or (
            isinstance(value, (Parameter, Tensor)) and kind.startswith("Parameter")
        )
        if not fits:
            raise Broken(node, Refusal(f"{kind} holds layers, and gets {name_of(value)}", *call_it(value)))
    scope.run.progress += 1
    made = Container(kind, parts, node.lineno)
    if kind == "Sequential":
        scope.run.note_made(made, node)
    return made


def name_of(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "a list; write * before it to spread it out"
    if isinstance(value, Function):
        return f"{value.name.rpartition('.')[2]} itself; make one with ()"
    if isinstance(value, Class):
        return f"the class {value.name} itself; make one with ()"
    return "None" if value is None else type(value).__name__.lower()


def call_it(value: Any) -> tuple[CallIt, ...]:
    """`nn.ReLU` where `nn.ReLU()` is meant."""
    if isinstance(value, (Function, Class)):
        return (CallIt(value.name.rpartition(".")[2]),)
    return ()


def make_parameter(values: list[Any], node: ast.Call) -> Parameter | Unknown:
    unknown = first_unknown(values)
    if unknown:
        return unknown
    value = values[0] if values else Tensor((0,))
    if isinstance(value, Parameter):
        value = value.tensor
    if not isinstance(value, Tensor):
        raise NotKnown(f"the parameter on line {node.lineno} is not known")
    return Parameter(value, node.lineno)


def begin(instance: Instance, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """`super().__init__(...)` of torch's own class."""
    instance.started = True
    root = instance.cls.root()
    kind = root.name.rpartition(".")[2] if isinstance(root, Function) else ""
    if not isinstance(node, ast.Call):
        node = ast.copy_location(ast.Call(ast.Name(kind, ast.Load()), [], []), node)
    if kind in CONTAINERS:
        container = make_container(kind, values, named, node, scope)
        instance.attributes["*parts"] = container
    elif kind in LAWS:
        instance.attributes["*layer"] = make_layer(kind, values, named, node, scope)
    elif kind not in ("Module", "LightningModule", "ScriptModule", "object", "_Loss", "_WeightedLoss"):
        instance.unknown = Unknown(
            f"{instance.cls.name} is made from nn.{kind}, which is not known here", instance.cls.node.lineno
        )
