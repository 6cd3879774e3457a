"""Methods of things that the source does not define: of tensors, of torch's modules, of lists and texts."""

import ast
from typing import Any

from clearhead.layers.interpreter.interpreter_state import Scope
from clearhead.layers.interpreter.python.python_functions import set_attribute
from clearhead.layers.interpreter.python.python_methods import of_plain
from clearhead.layers.interpreter.torch.constructors import begin
from clearhead.layers.interpreter.torch.module_calls import inner_forward
from clearhead.layers.interpreter.torch.module_methods import of_module
from clearhead.layers.interpreter.torch.tensor_methods import of_tensor
from clearhead.layers.values.net_parts import Container, Instance, Layer, Method, Super
from clearhead.layers.values.refusals import NotKnown
from clearhead.layers.values.tensors import Tensor


def call_method(method: Method, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call `owner.name(...)`."""
    owner, name = method.owner, method.name
    if isinstance(owner, Tensor):
        return of_tensor(owner, name, values, named, node, scope)
    if isinstance(owner, Super):
        return of_super(owner, name, values, named, node, scope)
    if isinstance(owner, (Layer, Container, Instance)):
        return of_module(owner, name, values, named, node, scope)
    return of_plain(owner, name, values, named, node, scope)


def of_super(owner: Super, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    instance = owner.instance
    if name == "__init__":
        if isinstance(instance, Instance):
            begin(instance, values, named, node, scope)
        return None
    if name == "forward" and isinstance(instance, Instance):
        return inner_forward(instance, values, named, node, scope)
    if name == "__setattr__" and len(values) == 2:
        return set_attribute([instance, *values], named, node, scope)
    if isinstance(instance, Instance):
        return of_module(instance, name, values, named, node, scope)
    raise NotKnown(f"`super().{name}` on line {getattr(node, 'lineno', 0)} is not followed")
