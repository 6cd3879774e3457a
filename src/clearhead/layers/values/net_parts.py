"""The parts of a net as the source makes them: layers, containers, and instances of the source's own classes."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from clearhead.layers.laws import Weights
from clearhead.layers.values.refusals import Unknown
from clearhead.layers.values.tensors import Parameter


@dataclass(frozen=True, slots=True)
class Frame:
    """One call of a function of the source while it is followed: where it was called, what, and on which object."""

    call: ast.AST
    function: ast.FunctionDef | ast.Lambda
    bound: Any = None
    names: dict[str, int] = field(default_factory=dict)  # whole numbers that have a name where it is called


@dataclass(eq=False, slots=True)
class Layer:
    """One layer of torch, with its arguments; `unknown` says why it cannot be known, where it cannot."""

    kind: str
    arguments: dict[str, Any]
    node: ast.Call
    weights: Weights | None
    unknown: str = ""
    held: dict[str, Any] = field(default_factory=dict)  # its own parameters by name; None for a bias that is left out
    trail: tuple[Frame, ...] = ()  # the calls inside which it was made
    names: dict[str, int] = field(default_factory=dict)  # whole numbers that had a name where it was made

    @property
    def line(self) -> int:
        return self.node.lineno


@dataclass(eq=False, slots=True)
class Container:
    """Sequential, ModuleList, ModuleDict: parts by name."""

    kind: str
    parts: dict[str, Any]
    line: int
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Class:
    """A class that the source defines; `frame` holds what its body defines."""

    name: str
    node: ast.ClassDef
    bases: list[Any]
    frame: dict[str, Any]
    outer: Any  # the scope around it
    fields: tuple[str, ...] | None = None  # of a dataclass or a named tuple, in order

    def order(self) -> list[Any]:
        """The class, its bases and theirs, each before its own bases; a base shared by several comes last."""
        found: list[Any] = []
        above = (each for base in self.bases for each in (base.order() if isinstance(base, Class) else [base]))
        for cls in [self, *above]:
            if cls in found:
                found.remove(cls)
            found.append(cls)
        return found

    def find(self, name: str) -> tuple[Any, "Class"] | None:
        """What the class or a base of it defines under a name, and where."""
        for base in self.order():
            if isinstance(base, Class) and name in base.frame:
                return base.frame[name], base
        return None

    def root(self) -> Any:
        """The first base that the source does not define itself, or None; a module of torch before anything else."""
        outside = [base for base in self.order() if not isinstance(base, Class)]
        torch = [base for base in outside if str(getattr(base, "name", "")).startswith("torch.nn.")]
        return (torch or outside or [None])[0]


@dataclass(eq=False, slots=True)
class Instance:
    """An object of a class of the source; a net if the class is a module."""

    cls: Class
    line: int
    attributes: dict[str, Any] = field(default_factory=dict)
    started: bool = False  # super().__init__() has been called
    node: ast.AST | None = None  # the call that made it
    unknown: Unknown | None = None  # why it may hold more than is seen here
    given: tuple[list[Any], dict[str, Any]] | None = None  # the arguments it was made with


@dataclass(eq=False, slots=True)
class UserFunction:
    """A function or method that the source defines, bound to an instance or not."""

    node: ast.FunctionDef | ast.Lambda
    scope: Any
    owner: Class | None = None
    bound: Any = None
    defaults: dict[str, Any] = field(default_factory=dict)
    role: str = ""  # "static", "class", "property", or why it is not followed
    unknown: str = ""


@dataclass(frozen=True, slots=True)
class Method:
    """A method of something that is not of the source: `x.view`, `layers.append`."""

    owner: Any
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Partial:
    """`functools.partial(f, 1, bias=False)`: a call with some of its arguments already given."""

    function: Any
    values: tuple[Any, ...]
    named: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Super:
    """What `super()` gives inside a method."""

    instance: Any
    cls: Class


Module = Layer | Container | Instance


def held_by(module: Any) -> dict[str, Any]:
    """Everything that a module holds by name."""
    if isinstance(module, Container):
        return module.parts | module.attributes
    if isinstance(module, Instance):
        inner = module.attributes.get("*parts") or module.attributes.get("*layer")
        if isinstance(inner, Container):  # a class made from nn.Sequential: its parts are named as torch names them
            return inner.parts | module.attributes
        return module.attributes
    return module.held if isinstance(module, Layer) else {}


def parts_of(module: Any) -> Iterator[tuple[str, Any]]:
    """The modules and parameters that a module holds, by the names that torch gives them."""
    for name, part in held_by(module).items():
        if isinstance(part, (Layer, Container, Instance, Parameter)) and name != "*parts":
            yield ("" if name == "*layer" else name), part


def named_parts(root: Any) -> dict[int, tuple[str, Any]]:
    """Every part of a net once, by identity, with its path: `features.0`."""
    found: dict[int, tuple[str, Any]] = {}
    waiting = [("", root)]
    while waiting:
        path, module = waiting.pop()
        if id(module) in found:
            continue
        found[id(module)] = (path, module)
        inner = [(".".join(word for word in (path, name) if word), part) for name, part in parts_of(module)]
        waiting.extend(reversed(inner))
    return found


def is_module(value: Any) -> bool:
    """Whether a value is a module of torch, or made from one."""
    return isinstance(value, (Layer, Container)) or (isinstance(value, Instance) and is_module_class(value.cls))


def is_module_class(cls: Class) -> bool:
    """Whether a class is made from a class of torch.nn; or from one of another file, and has a forward and an __init__."""
    root = str(getattr(cls.root(), "name", ""))
    if root.startswith("torch.nn.") or root.endswith("LightningModule") or root == "torch.jit.ScriptModule":
        return True
    elsewhere = "." in root and root.partition(".")[0] not in {"torch", *sys.stdlib_module_names}
    return elsewhere and all(isinstance((cls.find(name) or (None,))[0], UserFunction) for name in ("forward", "__init__"))
