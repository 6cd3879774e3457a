"""What a call does: makes a layer, puts a tensor through it, follows a function of the source."""

import ast
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.constructors import make, start
from clearhead.layers.interpreter.interpreter_state import Broken, Row, Scope, first_unknown
from clearhead.layers.interpreter.methods import call_method
from clearhead.layers.interpreter.statements import invoke
from clearhead.layers.interpreter.torch_functions import call_function
from clearhead.layers.laws import LAWS, Law, Numbers, Outcome, parameters
from clearhead.layers.operations.sums_and_products import describe
from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, Method, UserFunction
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

ANY = Law("*args, **kwargs", lambda a, x: Outcome(x))  # a layer that is not known takes one input, as most do


def call(callee: Any, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call something known; what is not known gives something not known."""
    line = getattr(node, "lineno", 0)
    if isinstance(callee, Unknown):
        return callee
    if isinstance(callee, Function):
        made = make(callee.name, values, named, node, scope)
        return call_function(callee.name, values, named, node, scope) if made is None else made
    if isinstance(callee, Class):
        return start(callee, values, named, node, scope, invoke)
    if isinstance(callee, (Layer, Container, Instance)):
        return apply(callee, values, named, node, scope)
    if isinstance(callee, UserFunction):
        return invoke(callee, values, named, node, scope)
    if isinstance(callee, Method):
        if callee.name == "forward" and isinstance(callee.owner, (Layer, Container, Instance)):
            return apply(callee.owner, values, named, node, scope)
        return call_method(callee, values, named, node, scope)
    raise NotKnown(f"what is called on line {line} is not followed")


def apply(module: Any, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """Put tensors through a module."""
    if isinstance(module, Layer):
        return use(module, values, named, node, scope)
    if isinstance(module, Container):
        return chain(module, values, named, node, scope)
    found = module.cls.find("forward")
    if found and isinstance(found[0], UserFunction):
        function = UserFunction(found[0].node, found[0].scope, found[1], module, found[0].decorated)
        return invoke(function, values, named, node or module.cls.node, scope)
    if "*parts" in module.attributes:
        return chain(module.attributes["*parts"], values, named, node, scope)
    raise Broken(module.cls.node, Refusal(f"{module.cls.name} has no forward, so it cannot be used on a tensor"))


def chain(module: Container, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """One part after the other."""
    if module.kind != "Sequential":
        raise Refusal(f"{module.kind} only holds parts; it cannot be called")
    if len(values) != 1 or named:
        raise Refusal(f"Sequential takes one input and gets {len(values) + len(named)}")
    value = values[0]
    for part in module.parts.values():
        value = apply(part, [value], {}, None, scope)
    return value


def use(layer: Layer, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """Put tensors through one layer, and write the row."""
    tensors, options = inputs_of(layer, values, named, node)
    unknown = Unknown(layer.unknown, layer.line) if layer.unknown else first_unknown(tensors)
    if unknown:
        return leave_open(layer, unknown, node, scope)
    if layer.kind == "Identity" and isinstance(tensors[0], tuple):
        scope.run.record(Row(layer, layer.kind, layer.line, tensors[0], node=node))
        return tensors[0]
    try:
        require_tensors(layer, tensors)
        outcome = settle(layer, tensors, LAWS[layer.kind].run(layer.arguments, *tensors, **options))
    except Refusal as refusal:
        raise Broken(layer.node, refusal, node, layer.kind, parameters(LAWS[layer.kind].signature)[0]) from None
    except NotKnown as reason:
        return leave_open(layer, Unknown(reason.why, reason.line or layer.line), node, scope)
    first = outcome.output[0] if isinstance(outcome.output, tuple) else outcome.output
    shown = (outcome.output, outcome.arithmetic, outcome.multiply_adds, first.field, node)
    scope.run.record(Row(layer, layer.kind, layer.line, *shown))
    return outcome.output


def leave_open(layer: Layer, unknown: Unknown, node: ast.AST | None, scope: Scope) -> Unknown:
    """A row for a layer whose output is not known."""
    scope.run.record(Row(layer, layer.kind, layer.line, unknown, multiply_adds=None, node=node))
    return unknown


def inputs_of(layer: Layer, values: list[Any], named: dict[str, Any], node: ast.AST | None) -> tuple[list[Any], dict[str, Any]]:
    """The tensors that a layer works on, and the options beside them."""
    law = LAWS.get(layer.kind, ANY)
    names = law.inputs
    where = node or layer.node
    if len(values) > len(names):
        why = f"{layer.kind} takes {', '.join(names)}, and gets {len(values)} values"
        raise Broken(where, Refusal(why), node)
    given = dict(zip(names, values, strict=False)) | named
    for name in named:
        if name not in names:
            raise Broken(where, Refusal(f"{layer.kind} has no input {name}; it takes {', '.join(names)}"), node)
    needed = names[: law.needed]
    missing = [name for name in needed if name not in given]
    if missing:
        raise Broken(layer.node, Refusal(f"{layer.kind} needs {', '.join(needed)}; not given: {', '.join(missing)}"), node)
    options = {name: given[name] for name in names[len(needed) :] if name in given}
    tensors = [given[name].tensor if isinstance(given[name], Parameter) else given[name] for name in needed]
    return tensors, options


def require_tensors(layer: Layer, tensors: list[Any]) -> None:
    """Refuse what is no tensor, and whole numbers where decimals are needed."""
    for each in tensors:
        if not isinstance(each, Tensor):
            fixes = (TakeFirst(),) if isinstance(each, tuple) and each and isinstance(each[0], Tensor) else ()
            raise Refusal(f"needs a tensor and gets {describe(each)}", *fixes)
    law = LAWS[layer.kind]
    silent = law.drops and layer.arguments.get("p") == 0
    if any(each.whole for each in tensors) and not silent and law.numbers is Numbers.REFUSES_WHOLE:
        raise Refusal(f"needs decimals and gets whole numbers (token ids): {tensors[0]}")


def settle(layer: Layer, tensors: list[Tensor], outcome: Outcome) -> Outcome:
    """Carry over what holds for all layers: whether numbers are whole, and whether they are still the input's own."""
    source = tensors[0]
    several = outcome.output if isinstance(outcome.output, tuple) else (outcome.output,)
    if not all(is_readable(size) for each in several if isinstance(each, Tensor) for size in each.shape):
        raise NotKnown(
            f"the output of {layer.kind} on line {layer.line} depends on the batch size in a way that is not followed"
        )
    if not isinstance(outcome.output, Tensor):
        return outcome
    law = LAWS[layer.kind]
    keeps = law.numbers is Numbers.KEEPS
    output = replace(
        outcome.output,
        whole=source.whole and (keeps or law.drops),
        raw=source.raw and keeps,
        fresh=source.fresh and law.alike,
    )
    return replace(outcome, output=output)
