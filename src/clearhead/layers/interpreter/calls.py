"""What a call does: makes a layer, puts a tensor through it, follows a function of the source."""

import ast
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Scope
from clearhead.layers.interpreter.methods import call_method
from clearhead.layers.interpreter.torch.constructors import make
from clearhead.layers.interpreter.torch.module_calls import apply
from clearhead.layers.interpreter.torch.torch_functions import call_function
from clearhead.layers.interpreter.user_functions import invoke, start
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, Method, Partial, UserFunction
from clearhead.layers.values.refusals import NotKnown, Unknown
from clearhead.layers.values.tensors import Function


def call(callee: Any, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call something known; what is not known gives something not known."""
    if isinstance(callee, Unknown):
        return callee
    if isinstance(callee, Function):
        made = make(callee.name, values, named, node, scope)
        return call_function(callee.name, values, named, node, scope) if made is None else made
    if isinstance(callee, Class):
        return start(callee, values, named, node, scope)
    if isinstance(callee, (Layer, Container, Instance)):
        return apply(callee, values, named, node, scope)
    if isinstance(callee, UserFunction):
        return invoke(callee, values, named, node, scope)
    if isinstance(callee, Partial):
        return call(callee.function, [*callee.values, *values], callee.named | named, node, scope)
    if isinstance(callee, Method):
        if callee.name in ("forward", "__call__") and isinstance(callee.owner, (Layer, Container, Instance)):
            return apply(callee.owner, values, named, node, scope)
        return call_method(callee, values, named, node, scope)
    raise NotKnown(f"what is called on line {getattr(node, 'lineno', 0)} is not followed")
