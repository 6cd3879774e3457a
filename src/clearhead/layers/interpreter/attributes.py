"""What stands behind a dot: `nn.Linear`, `self.conv`, `x.shape`, `x.view`."""

from typing import Any

from clearhead.layers.laws.reshapes import permuted
from clearhead.layers.values.net_parts import Class, Container, Instance, Layer, Method, Super, UserFunction
from clearhead.layers.values.refusals import NotKnown, Unknown
from clearhead.layers.values.tensors import Function, Parameter, Tensor

MODULE_METHODS = {
    "eval",
    "train",
    "to",
    "cuda",
    "cpu",
    "float",
    "double",
    "half",
    "apply",
    "requires_grad_",
    "add_module",
    "append",
    "extend",
    "insert",
    "register_buffer",
    "register_parameter",
    "children",
    "items",
    "values",
    "keys",
    "forward",
    "register_module",
}


def attribute(owner: Any, name: str, line: int) -> Any:
    """The attribute of a value, as far as it is known."""
    if isinstance(owner, Unknown):
        return owner
    if isinstance(owner, Function):
        return Function(f"{owner.name}.{name}")
    if isinstance(owner, Parameter):
        owner = owner.tensor
    if isinstance(owner, Tensor):
        return of_tensor(owner, name)
    if isinstance(owner, Instance):
        return of_instance(owner, name, line)
    if isinstance(owner, Super):
        return of_super(owner, name)
    if isinstance(owner, Class):
        return of_class(owner, name, line)
    if isinstance(owner, Layer) and name in owner.arguments:
        return owner.arguments[name]
    if isinstance(owner, Container) and name in owner.parts:
        return owner.parts[name]
    if isinstance(owner, (Layer, Container)) and name not in MODULE_METHODS:
        raise NotKnown(f"`.{name}` of {owner.kind} on line {line} is not followed")
    return Method(owner, name)


def of_tensor(x: Tensor, name: str) -> Any:
    if name == "shape":
        return x.shape
    if name == "ndim":
        return len(x.shape)
    if name == "T" or (name == "mT" and len(x.shape) >= 2):
        order = list(range(len(x.shape)))
        order = order[::-1] if name == "T" else [*order[:-2], order[-1], order[-2]]
        return permuted(x, tuple(order))
    if name in ("device", "dtype"):
        return Function(f"torch.{name}")
    return Method(x, name)


def of_instance(owner: Instance, name: str, line: int) -> Any:
    if name in owner.attributes:
        return owner.attributes[name]
    found = owner.cls.find(name)
    if found is None and name in MODULE_METHODS:
        return Method(owner, name)
    if found is None and name == "training":
        return True  # as a net is when it has just been made
    if found is None:
        raise NotKnown(f"`.{name}` on line {line} is not set by {owner.cls.name} in this file")
    value, cls = found
    if isinstance(value, UserFunction):
        static = any(getattr(d, "id", "") == "staticmethod" for d in getattr(value.node, "decorator_list", []))
        return UserFunction(value.node, value.scope, cls, None if static else owner, value.decorated)
    return value


def of_super(owner: Super, name: str) -> Any:
    for base in owner.cls.bases:
        found = base.find(name) if isinstance(base, Class) else None
        if found and isinstance(found[0], UserFunction):
            return UserFunction(found[0].node, found[0].scope, found[1], owner.instance, found[0].decorated)
    return Method(owner, name)


def of_class(owner: Class, name: str, line: int) -> Any:
    found = owner.find(name)
    if found is None:
        raise NotKnown(f"`{owner.name}.{name}` on line {line} is not defined in this file")
    value, cls = found
    return UserFunction(value.node, value.scope, cls, None, value.decorated) if isinstance(value, UserFunction) else value
