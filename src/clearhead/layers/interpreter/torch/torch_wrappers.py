"""Functions of torch that take a module and give it back changed: norms of weights, copies."""

import ast
from collections.abc import Callable
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Scope
from clearhead.layers.laws import Weights
from clearhead.layers.values.net_parts import Instance, Layer
from clearhead.layers.values.refusals import NotKnown
from clearhead.layers.values.tensors import Parameter, Tensor, row_major


def weight_norm(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """The weight is kept as a length for each output and a direction: as many numbers more as there are outputs."""
    module = values[0] if values else named.get("module")
    layer = module.attributes.get("*layer") if isinstance(module, Instance) else module
    name = values[1] if len(values) > 1 else named.get("name", "weight")
    dim = values[2] if len(values) > 2 else named.get("dim", 0)
    weight = layer.held.get(name) if isinstance(layer, Layer) and isinstance(name, str) else None
    if not isinstance(layer, Layer) or not isinstance(weight, Parameter) or layer.weights is None:
        raise NotKnown(f"`weight_norm` on line {getattr(node, 'lineno', 0)} is not followed")
    axes = len(weight.tensor.shape)
    at = None if dim is None else dim % axes
    shape = tuple(size if place == at else 1 for place, size in enumerate(weight.tensor.shape))
    extra = 1
    for size in shape:
        extra *= size
    del layer.held[name]
    layer.held[f"{name}_g"] = Parameter(Tensor(shape, strides=row_major(shape)), weight.line)
    layer.held[f"{name}_v"] = Parameter(weight.tensor, weight.line)
    total = layer.weights.count + extra
    layer.weights = Weights(total, f"{layer.weights.arithmetic}; weight norm adds {extra}: {total}")
    return module


def as_it_is(values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Spectral norm adds no trained numbers; a module on several devices is the same module."""
    return values[0] if values else next(iter(named.values()), None)


WRAPPERS: dict[str, Callable[..., Any]] = {
    "torch.nn.utils.weight_norm": weight_norm,
    "torch.nn.utils.parametrizations.weight_norm": weight_norm,
    "torch.nn.utils.spectral_norm": as_it_is,
    "torch.nn.utils.parametrizations.spectral_norm": as_it_is,
    "torch.nn.utils.parametrizations.orthogonal": as_it_is,
    "torch.nn.utils.remove_weight_norm": as_it_is,
    "torch.nn.SyncBatchNorm.convert_sync_batchnorm": as_it_is,
    "torch.jit.script": as_it_is,
    "torch.compile": as_it_is,
    "torch.fx.wrap": as_it_is,
}
