"""Methods of things that the source does not define: of tensors, of torch's modules, of lists."""

import ast
from typing import Any

from clearhead.layers.interpreter.brackets import items
from clearhead.layers.interpreter.constructors import begin
from clearhead.layers.interpreter.interpreter_state import Broken, Halt, Scope, first_unknown
from clearhead.layers.interpreter.torch_functions import operate
from clearhead.layers.laws.law import axis_of
from clearhead.layers.values.axis_sizes import product
from clearhead.layers.values.net_parts import Container, Instance, Layer, Method, Super
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Function, Tensor

SAME_MODULE = {"eval", "train", "to", "cuda", "cpu", "float", "double", "half", "apply", "requires_grad_"}
CHANGES = {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "update", "setdefault", "popitem"}
WHOLE_TYPES = {"torch.long", "torch.int", "torch.int64", "torch.int32"}
DECIMAL_TYPES = {"torch.float", "torch.float32", "torch.float64", "torch.double", "torch.half", "torch.bfloat16"}


def call_method(method: Method, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call `owner.name(...)`."""
    owner, name, line = method.owner, method.name, getattr(node, "lineno", 0)
    if isinstance(owner, Tensor):
        return of_tensor(owner, name, values, named, node, scope)
    if isinstance(owner, Super):
        return of_super(owner, name, values, named, node, scope)
    if isinstance(owner, (Layer, Container, Instance)):
        if name in SAME_MODULE:
            return owner
        return of_module(owner, name, values, line)
    if isinstance(owner, list) and name in ("append", "extend", "insert"):
        return of_list(owner, name, values, line)
    if isinstance(owner, dict) and name in ("items", "values", "keys", "get"):
        if name == "get":
            return owner.get(values[0], values[1] if len(values) > 1 else None) if values else None
        return list(getattr(owner, name)())
    if isinstance(owner, (list, dict)) and name in CHANGES:  # it may change in a way that is not followed
        raise Halt(f"`.{name}` on line {line} is not followed", line)
    raise NotKnown(f"`.{name}` on line {line} is not followed")


def of_tensor(x: Tensor, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    line = getattr(node, "lineno", 0)
    unknown = first_unknown([*values, *named.values()])
    if unknown:
        return unknown
    if name == "size":
        place = values[0] if values else named.get("dim")
        try:
            return x.shape if place is None else x.shape[axis_of(x, int(place))]
        except Refusal as refusal:
            raise Broken(node, refusal, kind=".size") from None
    if name in ("dim", "ndimension"):
        return len(x.shape)
    if name == "numel":
        return product(x.shape)
    if name == "to":
        types = [each.name for each in (*values, *named.values()) if isinstance(each, Function)]
        kind = "long" if WHOLE_TYPES & set(types) else "float" if DECIMAL_TYPES & set(types) else "cpu"
        return operate(kind, [x], {}, node, scope, ".to")
    if name == "t" and len(x.shape) == 2:
        return operate("transpose", [x, 0, 1], {}, node, scope, ".t")
    if name in ("view", "reshape") and (not values or any(isinstance(each, Function) for each in values)):
        raise NotKnown(f"`.{name}` on line {line} is not followed")
    if name.endswith("_") and not name.endswith("__") and name != "requires_grad_":
        name = name[:-1]
    return operate(name, [x, *values], named, node, scope, f".{name}")


def of_super(owner: Super, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    if name == "__init__":
        begin(owner.instance, values, named, node, scope)
        return None
    raise NotKnown(f"`super().{name}` on line {getattr(node, 'lineno', 0)} is not followed")


def of_module(owner: Layer | Container | Instance, name: str, values: list[Any], line: int) -> Any:
    """Parts added by name or at the end, buffers, and the parts themselves."""
    parts = owner.parts if isinstance(owner, Container) else owner.attributes if isinstance(owner, Instance) else {}
    if name in ("add_module", "register_module", "register_buffer", "register_parameter") and len(values) >= 2:
        if not isinstance(values[0], str):
            raise Halt(f"the name of the part added on line {line} is not known", line)
        parts[values[0]] = values[1]
        return None
    if isinstance(owner, Container) and name == "append" and values:
        parts[str(len(parts))] = values[0]
        return owner
    if isinstance(owner, Container) and name == "extend" and values:
        for each in items(values[0], line):
            parts[str(len(parts))] = each
        return owner
    if isinstance(owner, Container) and name in ("children", "values", "keys", "items"):
        return list({"keys": parts.keys, "items": parts.items}.get(name, parts.values)())
    if name in CHANGES:
        raise Halt(f"`.{name}` on line {line} is not followed", line)
    raise NotKnown(f"`.{name}` on line {line} is not followed")


def of_list(owner: list[Any], name: str, values: list[Any], line: int) -> None:
    if name == "append" and len(values) == 1:
        owner.append(values[0])
    elif name == "extend" and len(values) == 1:
        owner.extend(items(values[0], line))
    elif name == "insert" and len(values) == 2 and isinstance(values[0], int):
        owner.insert(values[0], values[1])
    else:
        raise Halt(f"the list changed on line {line} in a way that is not followed", line)
