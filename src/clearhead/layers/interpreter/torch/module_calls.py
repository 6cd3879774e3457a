"""Tensors put through a module: a layer by its law, a container part after part, an object of the source by its forward."""

import ast
from dataclasses import replace
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Broken, Row, Scope, first_unknown
from clearhead.layers.interpreter.user_functions import invoke
from clearhead.layers.laws import LAWS, Numbers, Outcome, parameters
from clearhead.layers.operations.sums_and_products import describe
from clearhead.layers.source.fixes import TakeFirst
from clearhead.layers.values.axis_sizes import is_readable
from clearhead.layers.values.net_parts import Container, Instance, Layer, Partial, UserFunction, is_module_class
from clearhead.layers.values.refusals import NotKnown, Refusal, Unknown
from clearhead.layers.values.tensors import Parameter, Tensor


def apply(module: Any, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """Put tensors through a module."""
    if isinstance(module, Layer):
        return use(module, values, named, node, scope)
    if isinstance(module, Container):
        return chain(module, values, named, node, scope)
    if isinstance(module, Unknown):
        return module
    if isinstance(module, (UserFunction, Partial)):
        return scope.run.call(module, values, named, node or module_node(module), scope)
    found = module.cls.find("forward") if is_module_class(module.cls) else module.cls.find("__call__")
    if found and isinstance(found[0], UserFunction):
        function = UserFunction(found[0].node, found[0].scope, found[1], module, found[0].defaults, "", found[0].unknown)
        return invoke(function, values, named, node or module.cls.node, scope)
    return inner_forward(module, values, named, node, scope)


def module_node(module: Any) -> ast.AST:
    return module.node if isinstance(module, UserFunction) else ast.Pass(lineno=0, col_offset=0)


def inner_forward(module: Instance, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """The forward of torch's own class that a class of the source is made from."""
    if "*parts" in module.attributes:
        return chain(module.attributes["*parts"], values, named, node, scope)
    if "*layer" in module.attributes:
        return use(module.attributes["*layer"], values, named, node, scope)
    if module.unknown is not None:
        raise NotKnown(module.unknown.why, module.unknown.line)
    raise Broken(module.cls.node, Refusal(f"{module.cls.name} has no forward, so it cannot be used on a tensor"))


def chain(module: Container, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """One part after the other."""
    if module.kind != "Sequential":
        raise Refusal(f"{module.kind} only holds parts; it cannot be called")
    if len(values) + len(named) != 1:
        raise Refusal(f"Sequential takes one input and gets {len(values) + len(named)}")
    value = values[0] if values else next(iter(named.values()))
    for part in module.parts.values():
        value = apply(part, [value], {}, None, scope)
    return value


def use(layer: Layer, values: list[Any], named: dict[str, Any], node: ast.AST | None, scope: Scope) -> Any:
    """Put tensors through one layer, and write the row."""
    if layer.unknown or layer.kind not in LAWS:
        return leave_open(layer, Unknown(layer.unknown, layer.line), node, scope)
    law = LAWS[layer.kind]
    tensors, options = inputs_of(layer, values, named, node)
    unknown = first_unknown(tensors)
    if unknown:
        return leave_open(layer, unknown, node, scope)
    if layer.kind == "Identity" and not isinstance(tensors[0], Tensor):
        return tensors[0]
    try:
        require_tensors(layer, tensors)
        arguments = layer.arguments | ({"training": scope.run.training} if law.drops else {})
        outcome = settle(layer, tensors, law.run(arguments, *tensors, **options))
        settle_lazy(layer, tensors)
    except Refusal as refusal:
        order = parameters(LAWS[layer.kind].signature)[0]
        raise Broken(layer.node, refusal, node, layer.kind, order, layer) from None
    except NotKnown as reason:
        return leave_open(layer, Unknown(reason.why, reason.line or layer.line), node, scope)
    except (TypeError, ValueError, IndexError, KeyError, AttributeError):  # arguments in a form that is not followed
        return leave_open(
            layer, Unknown(f"how {layer.kind} is used on line {layer.line} is not followed", layer.line), node, scope
        )
    first = outcome.output[0] if isinstance(outcome.output, tuple) else outcome.output
    shown = (outcome.output, outcome.arithmetic, outcome.multiply_adds, first.field, node, tuple(tensors))
    scope.run.record(Row(layer, layer.kind, layer.line, *shown))
    return outcome.output


def settle_lazy(layer: Layer, tensors: list[Tensor]) -> None:
    """A lazy layer takes its sizes, and so its weights, from the first input."""
    law = LAWS[layer.kind]
    if law.settle is None or layer.held:
        return
    arguments = law.settle(layer.arguments, *tensors)
    plain = LAWS[layer.kind.removeprefix("Lazy")]
    layer.arguments.update(arguments)
    layer.weights = plain.weigh(layer.arguments)
    layer.held = {
        name: None if shape is None else Parameter(Tensor(shape), layer.line)
        for name, shape in plain.shapes(layer.arguments).items()
    }


def leave_open(layer: Layer, unknown: Unknown, node: ast.AST | None, scope: Scope) -> Unknown:
    """A row for a layer whose output is not known."""
    scope.run.record(Row(layer, layer.kind, layer.line, unknown, multiply_adds=None, node=node))
    return unknown


def inputs_of(layer: Layer, values: list[Any], named: dict[str, Any], node: ast.AST | None) -> tuple[list[Any], dict[str, Any]]:
    """The tensors that a layer works on, and the options beside them."""
    law = LAWS[layer.kind]
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
    given = {name: value.tensor if isinstance(value, Parameter) else value for name, value in given.items()}
    options = {name: given[name] for name in names[len(needed) :] if name in given}
    return [given[name] for name in needed], options


def require_tensors(layer: Layer, tensors: list[Any]) -> None:
    """Refuse what is no tensor, and whole numbers where decimals are needed."""
    law = LAWS[layer.kind]
    for each in tensors:
        if not isinstance(each, Tensor):
            if not isinstance(each, (tuple, list, int, float, str, type(None))):
                raise NotKnown(f"what goes into {layer.kind} is not known")
            fixes = (TakeFirst(),) if isinstance(each, tuple) and each and isinstance(each[0], Tensor) else ()
            raise Refusal(f"needs a tensor and gets {describe(each)}", *fixes)
    silent = law.drops and layer.arguments.get("p") == 0
    if tensors[0].whole is True and not silent and law.numbers is Numbers.REFUSES_WHOLE:  # indices behind it are whole
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
        whole=source.whole if keeps or law.drops else False,
        raw=source.raw and keeps,
        fresh=source.fresh and law.alike,
    )
    return outcome._replace(output=output)
