"""Names in sight while a source is read, and what is written down on the way."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from clearhead.layers.source.fixes import Fix, Refused
from clearhead.layers.values.net_parts import Class, Frame, Instance, Layer
from clearhead.layers.values.receptive_field import Field
from clearhead.layers.values.refusals import Refusal, Unknown
from clearhead.layers.values.tensors import Tensor

STEPS = 600_000  # a source that takes longer than this to read is left there
DEPTH = 40  # calls of the source's own functions inside one another
LONGEST_LIST = 100_000  # a list, text or loop of a source that is longer is not followed


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a layer or an operation, and what came out."""

    layer: Layer | None  # None for an operation such as `x.view(...)`
    kind: str
    line: int
    output: Any
    arithmetic: str = ""
    multiply_adds: int | None = 0
    field: Field = field(default_factory=Field)
    node: ast.AST | None = None  # the call in the source, where there is one
    inputs: tuple[Tensor, ...] = ()  # what came in, for the picture and for the memory


class Broken(Exception):
    """The net breaks here, as torch would."""

    def __init__(
        self,
        node: ast.AST,
        refusal: Refusal,
        call: ast.AST | None = None,
        kind: str = "",
        order: tuple[str, ...] = (),
        layer: Layer | None = None,
    ) -> None:
        super().__init__(refusal.why)
        self.why = f"{kind}: {refusal.why}" if kind else refusal.why
        self.fixes: tuple[Fix, ...] = refusal.fixes
        self.sizes = refusal.sizes
        trail, names = (layer.trail, layer.names) if layer is not None else ((), {})
        self.at = Refused(node, call, order, trail, names)  # what should be edited, and where it was used
        self.layer = layer
        self.making = False  # it broke while the net was made, before any tensor went through
        self.frames: tuple[Frame, ...] = ()  # the calls inside which it broke
        self.line: int = getattr(node, "lineno", 0)
        self.column: int = getattr(node, "col_offset", 0) + 1

    @property
    def made_at(self) -> list[dict[str, Any]]:
        """The calls that brought what broke, from the outermost in: which attribute of the net, and where it is called."""
        trail = self.at.trail if self.layer is not None else ()
        found = []
        for frame in trail[1:]:
            call = frame.call
            if isinstance(call, ast.Call):
                name = frame.function.name if isinstance(frame.function, ast.FunctionDef) else "lambda"
                what = f"{ast.unparse(call.func)}" if name == "__init__" else name
                found.append({"what": what, "line": getattr(call, "lineno", 0), "code": ast.unparse(call)[:100]})
        return found


class Halt(Exception):
    """From here on the source cannot be followed."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.unknown = Unknown(why, line)


class Made(NamedTuple):
    """A module that the source made outside of any other module's constructor, and in which function."""

    module: Any
    node: ast.AST
    function: str  # "" at the level of the file


@dataclass(slots=True)
class SourceRun:
    """One reading of a source: the rows so far, and how far it got."""

    call: Callable[..., Any]
    rows: list[Row] = field(default_factory=list)
    steps: int = 0
    progress: int = 0  # layers made and used without a break
    frames: list[Frame] = field(default_factory=list)
    recording: bool = False
    most_steps: int = STEPS
    where: tuple[int, int] = (0, 0)  # line and column of the expression at hand
    made: list[Made] = field(default_factory=list)
    constructing: int = 0  # constructors of modules inside one another
    returned: set[int] = field(default_factory=set)  # modules that a function gave back
    unknowns: list[Unknown] = field(default_factory=list)  # what could not be followed while the net was used
    training: bool = True
    called: set[int] = field(default_factory=set)  # functions of the source that were followed

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        self.where = getattr(node, "lineno", 0), getattr(node, "col_offset", 0) + 1
        if self.steps > self.most_steps:
            raise Halt(f"the source goes on for more than {self.most_steps} steps", getattr(node, "lineno", 0))

    def record(self, row: Row) -> None:
        self.progress += 1
        if self.recording:
            self.rows.append(row)

    def note_made(self, module: Any, node: ast.AST) -> None:
        """Write down a module that no other module's constructor is making."""
        if not self.constructing:
            name = getattr(self.frames[0].function, "name", "") if self.frames else ""
            self.made.append(Made(module, node, name))


@dataclass(slots=True)
class Scope:
    """Names of one function, class body or file, and the scope around it."""

    run: SourceRun
    names: dict[str, Any] = field(default_factory=dict)
    outer: "Scope | None" = None
    instance: Instance | None = None
    owner: Class | None = None
    is_file: bool = False
    is_function: bool = False
    elsewhere: dict[str, "Scope"] = field(default_factory=dict)  # names that `global` or `nonlocal` puts in another scope
    yielded: list[Any] | None = None

    def find(self, name: str) -> Any:
        """The value of a name; raises KeyError where nothing defines it."""
        scope: Scope | None = self.elsewhere.get(name, self)
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        raise KeyError(name)

    def set(self, name: str, value: Any) -> None:
        self.elsewhere.get(name, self).names[name] = value

    def file(self) -> "Scope":
        scope = self
        while scope.outer is not None:
            scope = scope.outer
        return scope


def first_unknown(values: Any, depth: int = 0) -> Unknown | None:
    """The first thing that is not known in a value or inside its lists."""
    if isinstance(values, Unknown):
        return values
    if isinstance(values, (list, tuple)) and depth < 20:
        for value in values:
            if isinstance(value, (Unknown, list, tuple)):
                found = first_unknown(value, depth + 1)
                if found:
                    return found
    if isinstance(values, slice):
        return first_unknown([values.start, values.stop, values.step])
    return None


def has_tensor(values: Any) -> bool:
    """Whether a tensor is among the values."""
    if isinstance(values, (list, tuple)):
        return any(has_tensor(value) for value in values)
    return isinstance(values, Tensor)


def named_numbers(scope: Scope) -> dict[str, int]:
    """The whole numbers that have a name here, as the source would write them: `width`, `self.width`."""
    found: dict[str, int] = {}
    inner: Scope | None = scope
    while inner is not None:
        for name, value in list(inner.names.items())[:200]:
            if isinstance(value, int) and not isinstance(value, bool) and name not in found:
                found[name] = value
        inner = inner.outer
    if scope.instance is not None and isinstance(scope.instance, Instance):
        for name, value in list(scope.instance.attributes.items())[:200]:
            if isinstance(value, int) and not isinstance(value, bool):
                found[f"self.{name}"] = value
    return found
