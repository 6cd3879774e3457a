"""Methods of torch's modules: parts added by name, the parts themselves, buffers; and what leaves a net as it is."""

import ast
from collections.abc import Iterator
from typing import Any

from clearhead.layers.interpreter.attributes import attribute
from clearhead.layers.interpreter.interpreter_state import Halt, Scope
from clearhead.layers.interpreter.python.brackets import items
from clearhead.layers.interpreter.python.python_functions import set_attribute
from clearhead.layers.values.net_parts import Container, Instance, Layer, named_parts, parts_of
from clearhead.layers.values.refusals import NotKnown, Unknown
from clearhead.layers.values.tensors import Parameter
from clearhead.layers.values.word_lists import words

SAME_MODULE = words("eval train to cuda cpu float double half bfloat16 apply requires_grad_ type share_memory compile")
NOTHING = words(
    "load_state_dict zero_grad register_forward_hook register_full_backward_hook register_forward_pre_hook "
    "init_weights register_backward_hook log log_dict save_hyperparameters"
)
Module = Layer | Container | Instance


def of_module(owner: Module, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> Any:
    """Call a method that torch gives to every module."""
    line = getattr(node, "lineno", 0)
    if name in SAME_MODULE:
        return owner
    if name in NOTHING:
        return None
    if name in ("add_module", "register_module", "register_buffer", "register_parameter"):
        return register(owner, name, values, named, node, scope)
    if name == "__setattr__" and len(values) == 2:
        return set_attribute([owner, *values], named, node, scope)
    if name in ("__getattr__", "get_submodule") and values and isinstance(values[0], str):
        found: Any = owner
        for word in values[0].split("."):
            found = attribute(found, word, line)
        return found
    listed = parts_listed(owner, name)
    if listed is not None:
        return listed
    container = owner.attributes.get("*parts") if isinstance(owner, Instance) else owner
    if isinstance(container, Container):
        return of_container(container, name, values, named, line)
    if name in ("_replace", "_asdict") and isinstance(owner, Instance) and owner.cls.fields:
        if name == "_asdict":
            return {each: owner.attributes.get(each) for each in owner.cls.fields}
        return Instance(owner.cls, line, owner.attributes | named, True)
    raise NotKnown(f"`.{name}` on line {line} is not followed")


def register(owner: Module, name: str, values: list[Any], named: dict[str, Any], node: ast.AST, scope: Scope) -> None:
    """A part, buffer or parameter given by name."""
    line = getattr(node, "lineno", 0)
    key = values[0] if values else named.get("name")
    rest = [*values[1:], *(named[each] for each in ("module", "tensor", "param") if each in named)]
    if isinstance(key, Unknown) or not isinstance(key, str):
        raise Halt(f"the name of the part added on line {line} is not known", line)
    value = rest[0] if rest else None
    if name == "register_buffer" and isinstance(value, Parameter):
        value = value.tensor  # a buffer is not trained
    if isinstance(owner, Container):
        (owner.parts if isinstance(value, (Layer, Container, Instance, Unknown)) else owner.attributes)[key] = value
    elif isinstance(owner, Instance):
        container = owner.attributes.get("*parts")
        if isinstance(container, Container) and name in ("add_module", "register_module"):
            container.parts[key] = value
        else:
            owner.attributes[key] = value
    elif isinstance(owner, Layer) and name == "register_parameter":
        owner.held[key] = value


def parts_listed(owner: Module, name: str) -> list[Any] | None:
    """`modules`, `children`, `parameters` and their named twins."""
    if name in ("children", "named_children"):
        pairs = [(key, part) for key, part in own_parts(owner) if not isinstance(part, Parameter)]
        return [part for _, part in pairs] if name == "children" else list(pairs)
    if name in ("modules", "named_modules"):
        every = [(path, part) for path, part in named_parts(owner).values() if not isinstance(part, Parameter)]
        return [part for _, part in every] if name == "modules" else every
    if name in ("parameters", "named_parameters"):
        found = [(path, part) for path, part in named_parts(owner).values() if isinstance(part, Parameter)]
        return [part for _, part in found] if name == "parameters" else found
    if name == "state_dict":
        return None
    if name in ("buffers", "named_buffers"):
        return []
    return None


def own_parts(owner: Module) -> Iterator[tuple[str, Any]]:
    for key, part in parts_of(owner):
        if not key.startswith("*"):
            yield key, part


def of_container(owner: Container, name: str, values: list[Any], named: dict[str, Any], line: int) -> Any:
    """Sequential, ModuleList and ModuleDict as lists and dicts of parts."""
    parts = owner.parts
    if name == "append" and values:
        parts[str(len(parts))] = values[0]
        return owner
    if name == "extend" and values:
        for each in items(values[0], line):
            parts[str(len(parts))] = each
        return owner
    if name == "insert" and len(values) == 2 and isinstance(values[0], int):
        listed = list(parts.values())
        listed.insert(values[0], values[1])
        owner.parts = {str(place): each for place, each in enumerate(listed)}
        return None
    if name == "pop" and values:
        keys = list(parts)
        place = values[0]
        key = keys[place] if isinstance(place, int) and -len(keys) <= place < len(keys) else place
        taken = parts.pop(key, None)
        if not owner.kind.endswith("Dict"):
            owner.parts = {str(place): each for place, each in enumerate(parts.values())}
        return taken
    if name == "update" and values and isinstance(values[0], dict):
        parts.update(values[0])
        return None
    if name in ("values", "keys", "items"):
        return list({"keys": parts.keys, "items": parts.items}.get(name, parts.values)())
    if name == "clear":
        parts.clear()
        return None
    raise NotKnown(f"`.{name}` of {owner.kind} on line {line} is not followed")
