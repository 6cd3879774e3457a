"""Names in sight while a source is read, and what is written down on the way."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from clearhead.layers.source.fixes import Fix, Refused
from clearhead.layers.values.net_parts import Class, Instance, Layer
from clearhead.layers.values.receptive_field import Field
from clearhead.layers.values.refusals import Refusal, Unknown
from clearhead.layers.values.tensors import Tensor

STEPS = 400_000  # a source that takes longer than this to read is left there
DEPTH = 25  # calls of the source's own functions inside one another


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


class Broken(Exception):
    """The net breaks here, as torch would."""

    def __init__(
        self, node: ast.AST, refusal: Refusal, call: ast.AST | None = None, kind: str = "", order: tuple[str, ...] = ()
    ) -> None:
        super().__init__(refusal.why)
        self.why = f"{kind}: {refusal.why}" if kind else refusal.why
        self.fixes: tuple[Fix, ...] = refusal.fixes
        self.at = Refused(node, call, order)  # what should be edited, and where it was used
        self.line: int = getattr(node, "lineno", 0)
        self.column: int = getattr(node, "col_offset", 0) + 1


class Halt(Exception):
    """From here on the source cannot be followed."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.unknown = Unknown(why, line)


@dataclass(slots=True)
class Run:
    """One reading of a source: the rows so far, and how far it got."""

    call: Callable[..., Any]
    rows: list[Row] = field(default_factory=list)
    steps: int = 0
    progress: int = 0  # layers made and used without a break
    depth: int = 0
    recording: bool = False
    where: tuple[int, int] = (0, 0)  # line and column of the expression at hand

    def step(self, node: ast.AST) -> None:
        self.steps += 1
        self.where = getattr(node, "lineno", 0), getattr(node, "col_offset", 0) + 1
        if self.steps > STEPS:
            raise Halt(f"the source goes on for more than {STEPS} steps", getattr(node, "lineno", 0))

    def record(self, row: Row) -> None:
        self.progress += 1
        if self.recording:
            self.rows.append(row)


@dataclass(slots=True)
class Scope:
    """Names of one function, class body or file, and the scope around it."""

    run: Run
    names: dict[str, Any] = field(default_factory=dict)
    outer: "Scope | None" = None
    instance: Instance | None = None
    owner: Class | None = None
    is_file: bool = False

    def find(self, name: str) -> Any:
        """The value of a name; raises KeyError where nothing defines it."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        raise KeyError(name)


def first_unknown(values: Any) -> Unknown | None:
    """The first thing that is not known in a value or inside its lists."""
    if isinstance(values, Unknown):
        return values
    if isinstance(values, (list, tuple)):
        for value in values:
            found = first_unknown(value)
            if found:
                return found
    return None


def has_tensor(values: Any) -> bool:
    """Whether a tensor is among the values."""
    if isinstance(values, (list, tuple)):
        return any(has_tensor(value) for value in values)
    return isinstance(values, Tensor)
