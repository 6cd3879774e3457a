"""The parts of a net as the source makes them: layers, containers, and instances of the source's own classes."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from clearhead.layers.laws import Weights
from clearhead.layers.values.tensors import Parameter


@dataclass(eq=False, slots=True)
class Layer:
    """One layer of torch, with its arguments; `unknown` says why it cannot be known, where it cannot."""

    kind: str
    arguments: dict[str, Any]
    node: ast.Call
    weights: Weights | None
    unknown: str = ""

    @property
    def line(self) -> int:
        return self.node.lineno


@dataclass(eq=False, slots=True)
class Container:
    """Sequential, ModuleList, ModuleDict: parts by name."""

    kind: str
    parts: dict[str, Any]
    line: int


@dataclass(eq=False, slots=True)
class Class:
    """A class that the source defines; `frame` holds what its body defines."""

    name: str
    node: ast.ClassDef
    bases: list[Any]
    frame: dict[str, Any]
    outer: Any  # the scope around it

    def find(self, name: str) -> tuple[Any, "Class"] | None:
        """What the class or a base of it defines under a name, and where."""
        if name in self.frame:
            return self.frame[name], self
        for base in self.bases:
            found = base.find(name) if isinstance(base, Class) else None
            if found:
                return found
        return None

    def root(self) -> Any:
        """The first base that the source does not define itself, or None."""
        base = self.bases[0] if self.bases else None
        return base.root() if isinstance(base, Class) else base


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the source; a net if the class is a module."""

    cls: Class
    line: int
    attributes: dict[str, Any] = field(default_factory=dict)
    started: bool = False  # super().__init__() has been called


@dataclass(eq=False, slots=True)
class UserFunction:
    """A function or method that the source defines, bound to an instance or not."""

    node: ast.FunctionDef | ast.Lambda
    scope: Any
    owner: Class | None = None
    bound: Instance | None = None
    decorated: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A method of something that is not of the source: `x.view`, `layers.append`."""

    owner: Any
    name: str


@dataclass(frozen=True, slots=True)
class Super:
    """What `super()` gives inside a method."""

    instance: Instance
    cls: Class


Module = Layer | Container | Instance


def parts_of(module: Any) -> Iterator[tuple[str, Any]]:
    """The modules and parameters that a module holds, by the names that torch gives them."""
    held = module.parts if isinstance(module, Container) else module.attributes if isinstance(module, Instance) else {}
    for name, part in held.items():
        if isinstance(part, (Layer, Container, Instance, Parameter)) and not name.startswith("*"):
            yield name, part


def named_parts(root: Any) -> dict[int, tuple[str, Any]]:
    """Every part of a net once, by identity, with its path: `features.0`."""
    found: dict[int, tuple[str, Any]] = {}
    waiting = [("", root)]
    while waiting:
        path, module = waiting.pop()
        if id(module) in found:
            continue
        found[id(module)] = (path, module)
        inner = [(f"{path}.{name}" if path else name, part) for name, part in parts_of(module)]
        waiting.extend(reversed(inner))
    return found
