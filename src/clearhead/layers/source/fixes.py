"""What may mend a refused call, as values: a law names them, and each knows the edit of the source that it stands for."""

import ast
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from clearhead.layers.source.edits import Edit
from clearhead.layers.source.file_text import line_of
from clearhead.layers.source.syntax_tree import line_starts, span

LONGEST_NUMBER = 12  # digits of a size; a longer one is a multiple of the batch, which no source can say


class Refused(NamedTuple):
    """Where a call was refused: what should be edited, where it was used, and the order of its arguments."""

    node: ast.AST
    call: ast.AST | None = None
    order: tuple[str, ...] = ()
    trail: tuple[Any, ...] = ()  # the calls inside which the layer was made, outermost first
    names: Mapping[str, int] = MappingProxyType({})  # whole numbers that have a name there


class Fix(Protocol):
    """One edit that may mend a refused call; None where the source has no place for it."""

    def edit(self, at: Refused, text: str) -> Edit | None: ...


class SetArgument(NamedTuple):
    """Write another value for one argument; add it where it is not written."""

    name: str
    value: str

    def edit(self, at: Refused, text: str) -> Edit | None:
        node, starts = at.node, line_starts(text)
        if not isinstance(node, ast.Call) or not is_sayable(self.value):
            return None
        written = argument_of(node, self.name, at.order)
        if written is not None:
            return Edit(*span(written, starts), as_names(self.value, written, at.names))
        if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
            return None
        if self.name in at.order and (node.args or node.keywords):
            end = span([*node.args, *[each.value for each in node.keywords]][-1], starts)[1]
            return Edit(end, end, f", {self.name}={self.value}")
        return None


def argument_of(node: ast.AST, name: str, order: tuple[str, ...]) -> ast.expr | None:
    """What a call gives for an argument, by name or by place."""
    if not isinstance(node, ast.Call):
        return None
    for keyword in node.keywords:
        if keyword.arg == name:
            return keyword.value
    if name not in order or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    position = order.index(name)
    return node.args[position] if position < len(node.args) else None


def as_names(value: str, written: ast.expr, names: Mapping[str, int]) -> str:
    """A number under the name that it has in the source, where a name stood before: `hidden_size * 2` and not 256."""
    words = [ast.unparse(each) for each in ast.walk(written) if isinstance(each, (ast.Name, ast.Attribute))]
    if not value.isdigit() or not any(word in names for word in words):
        return value
    wanted = int(value)
    near = [word for word in words if word in names]
    for name in [*near, *(each for each in names if each not in near and len(each) > 1)]:
        size = names[name]
        if size == wanted:
            return name
    for name in near:
        size = names[name]
        if size > 1 and wanted % size == 0:
            return f"{name} * {wanted // size}"
        if wanted > 1 and size % wanted == 0:
            return f"{name} // {size // wanted}"
    return value


class TakeFirst:
    """`[0]` behind what gives several results."""

    def edit(self, at: Refused, text: str) -> Edit | None:
        starts = line_starts(text)
        if isinstance(at.node, ast.Subscript):
            end = span(at.node.value, starts)[1]
        elif isinstance(at.call, ast.Call) and at.call.args:
            end = span(at.call.args[0], starts)[1]
        else:
            return None
        return Edit(end, end, "[0]")


class FlattenFirst:
    """`nn.Flatten(), ` before a layer in a Sequential, or `.flatten(1)` behind the input of a call."""

    def edit(self, at: Refused, text: str) -> Edit | None:
        starts, data = line_starts(text), text.encode()
        if isinstance(at.call, ast.Call) and at.call.args:
            start, end = span(at.call.args[0], starts)
            inner = data[start:end].decode()
            simple = isinstance(at.call.args[0], (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
            return Edit(start, end, f"{inner}.flatten(1)" if simple else f"({inner}).flatten(1)")
        if not isinstance(at.node, ast.Call):
            return None
        start, _ = span(at.node, starts)
        maker = data[start : span(at.node.func, starts)[1]].decode()
        prefix = maker.rpartition(".")[0]
        return Edit(start, start, f"{prefix}.Flatten(), " if prefix else "Flatten(), ")


class SetLastSize(NamedTuple):
    """Another last size for `view(-1, 120)`."""

    value: str

    def edit(self, at: Refused, text: str) -> Edit | None:
        last = at.node.args[-1] if isinstance(at.node, ast.Call) and at.node.args else None
        if isinstance(last, (ast.Tuple, ast.List)) and last.elts:
            last = last.elts[-1]
        return None if last is None or not is_sayable(self.value) else Edit(*span(last, line_starts(text)), self.value)


class RenameFunction(NamedTuple):
    """Another last word: `x.view` to `x.reshape`, `nn.Conv2D` to `nn.Conv2d`."""

    name: str

    def edit(self, at: Refused, text: str) -> Edit | None:
        if not isinstance(at.node, ast.Call):
            return None
        function = at.node.func
        end = span(function, line_starts(text))[1]
        written = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        return Edit(end - len(written.encode()), end, self.name)


class RenameArgument(NamedTuple):
    """Another word for a named argument: `kernal_size` to `kernel_size`."""

    old: str
    new: str

    def edit(self, at: Refused, text: str) -> Edit | None:
        for each in at.node.keywords if isinstance(at.node, ast.Call) else ():
            if each.arg == self.old:
                start = span(each, line_starts(text))[0]
                return Edit(start, start + len(self.old.encode()), self.new)
        return None


class CallIt(NamedTuple):
    """`nn.ReLU` among the arguments becomes `nn.ReLU()`."""

    kind: str

    def edit(self, at: Refused, text: str) -> Edit | None:
        for each in at.node.args if isinstance(at.node, ast.Call) else ():
            if isinstance(each, (ast.Attribute, ast.Name)) and ast.unparse(each).rpartition(".")[2] == self.kind:
                end = span(each, line_starts(text))[1]
                return Edit(end, end, "()")
        return None


class StartModuleFirst:
    """`super().__init__()` on a line of its own before the line that needs it."""

    def edit(self, at: Refused, text: str) -> Edit | None:
        line = getattr(at.node, "lineno", 1)
        before = line_of(text, line)
        indent = before[: len(before) - len(before.lstrip())]
        start = line_starts(text)[line - 1] + len(indent.encode())
        return Edit(start, start, f"super().__init__()\n{indent}")


def is_sayable(value: str) -> bool:
    """Whether every number in a text is short enough to stand in a source."""
    return all(len(number) <= LONGEST_NUMBER for number in re.findall(r"\d+", value))
