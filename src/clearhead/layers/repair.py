"""Edits that make a broken net run: the smallest one for each break, checked again after it is made."""

import ast
import difflib
import re
from dataclasses import dataclass, field
from itertools import groupby

from clearhead.layers.analysis import Analysis, Input, analyse
from clearhead.layers.laws import LAWS
from clearhead.layers.making import parameters
from clearhead.layers.scope import Broken
from clearhead.layers.source import Comma, Edit, fault_of, line_of, line_starts, lines_in, mend_commas, parse, place, span
from clearhead.layers.values import Fix

MOST = 100  # breaks in one net
LONGEST = 12  # digits of a size


@dataclass(frozen=True, slots=True)
class Repair:
    """One edit: the line (counted in the source as mended so far), what stood there and what stands there now."""

    line: int
    before: str
    after: str


@dataclass(slots=True)
class Reading:
    """A source as it was given, and as it is once mended."""

    given: str
    analysis: Analysis  # of the source as given, or with its commas put in
    commas: list[Comma] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    mended: str = ""
    after: Analysis | None = None  # of the mended source; its break is None if every break was mended

    @property
    def diff(self) -> str:
        """The repairs as a unified diff."""
        return diff_of(self.given, self.mended, "mended")


def diff_of(given: str, edited: str, title: str) -> str:
    """A unified diff with one line of context. Line against line where no line was added, which the general search for
    equal runs would not find among a thousand equal layers."""
    before, after = lines_in(given), lines_in(edited)
    if len(before) != len(after):
        return "\n".join(difflib.unified_diff(before, after, "as it is", title, lineterm="", n=1))
    changed = [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    found = ["--- as it is", f"+++ {title}"]
    while changed:
        end = 1
        while end < len(changed) and changed[end] - changed[end - 1] <= 3:
            end += 1
        first, last = max(0, changed[0] - 1), min(len(before), changed[end - 1] + 2)
        found.append(f"@@ -{first + 1},{last - first} +{first + 1},{last - first} @@")
        for same, run in groupby(range(first, last), lambda at: before[at] == after[at]):
            places = list(run)
            signs = [(" ", before)] if same else [("-", before), ("+", after)]
            found += [f"{sign}{lines[at]}" for sign, lines in signs for at in places]
        changed = changed[end:]
    return "\n".join(found)


def read(text: str, wanted: Input, net: str | None = None, title: str = "the source") -> Reading:
    """Read a source; where commas are missing, read it with them, so that the table can go as far as it goes."""
    with_commas, commas = mend_commas(text)
    if commas and fault_of(with_commas) is not None:
        parse(text, title)  # commas do not mend it all: say where the first fault is
    return Reading(text, analyse(with_commas, wanted, net, title), commas)


def mend(reading: Reading, net: str | None = None) -> Reading:
    """Mend one break after the other, as long as each edit gets the net further."""
    text = reading.given
    for comma in reading.commas:
        text = note(reading, text, comma.edit)
    analysis, wanted = reading.analysis, reading.analysis.input
    for _ in range(MOST):
        if analysis.broken is None or analysis.unknown is not None:
            break
        better = first_that_helps(text, analysis, wanted, net)
        if better is None:
            break
        edit, analysis = better
        text = note(reading, text, edit)
    reading.mended, reading.after = text, analysis
    return reading


def note(reading: Reading, text: str, edit: Edit) -> str:
    """Apply an edit and write down the line that it changes."""
    line = place(text.encode()[: edit.start].decode())[0]
    after = edit.apply(text)
    added = edit.text.count("\n")
    shown = "\n".join(line_of(after, line + more) for more in range(added + 1))
    reading.repairs.append(Repair(line, line_of(text, line), shown))
    return after


def first_that_helps(text: str, analysis: Analysis, wanted: Input, net: str | None) -> tuple[Edit, Analysis] | None:
    """The first edit after which the net gets further, and nothing in it is less known."""
    assert analysis.broken is not None
    for fix in analysis.broken.fixes:
        edit = edit_for(fix, analysis.broken, text)
        if edit is None or any(len(number) > LONGEST for number in re.findall(r"\d+", fix.text)):
            continue  # no source can say N
        after = analyse(edit.apply(text), wanted, net)
        if after.unknown is None and gets_further(analysis, after):
            return edit, after
    return None


def gets_further(before: Analysis, after: Analysis) -> bool:
    """Whether a net breaks later than before, or at the same layer for another reason, or no more."""
    if before.broken is None or after.broken is None:
        return after.broken is None
    other = after.broken.why != before.broken.why and after.broken.line == before.broken.line
    return after.progress > before.progress or (after.progress == before.progress and other)


def edit_for(fix: Fix, broken: Broken, text: str) -> Edit | None:
    """The edit of the source that a fix stands for, or None where the source has no place for it."""
    starts = line_starts(text)
    word, _, detail = fix.name.partition(":")
    if not word.startswith("*"):
        return set_argument(broken.node, fix.name, fix.text, starts)
    call = broken.call
    if word == "*flatten":
        return flatten_before(broken.node, call, text, starts)
    if word == "*first":
        return take_first(broken.node, call, starts)
    if word == "*last" and isinstance(broken.node, ast.Call):
        return set_last(broken.node, fix.text, starts)
    if word in ("*method", "*callee") and isinstance(broken.node, ast.Call):
        return rename(broken.node.func, fix.text, starts)
    if word == "*keyword" and isinstance(broken.node, ast.Call):
        return rename_keyword(broken.node, detail, fix.text, starts)
    if word == "*make" and isinstance(broken.node, ast.Call):
        return make_it(broken.node, detail, starts)
    if word == "*super":
        return start_first(broken.node, text, starts)
    return None


def set_argument(node: ast.AST, name: str, value: str, starts: list[int]) -> Edit | None:
    """Write another value for one argument of a call; add it where it is not written."""
    if not isinstance(node, ast.Call):
        return None
    for keyword in node.keywords:
        if keyword.arg == name:
            return Edit(*span(keyword.value, starts), value)
    kind = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    names = parameters(LAWS[kind].signature)[0] if kind in LAWS else ()
    if any(isinstance(each, ast.Starred) for each in node.args) or any(each.arg is None for each in node.keywords):
        return None
    if name in names and names.index(name) < len(node.args):
        return Edit(*span(node.args[names.index(name)], starts), value)
    if name in names and (node.args or node.keywords):
        at = span([*node.args, *[each.value for each in node.keywords]][-1], starts)[1]
        return Edit(at, at, f", {name}={value}")
    return None


def take_first(node: ast.AST, call: ast.AST | None, starts: list[int]) -> Edit | None:
    """`[0]` behind what gives several results."""
    if isinstance(node, ast.Subscript):
        at = span(node.value, starts)[1]
    elif isinstance(call, ast.Call) and call.args:
        at = span(call.args[0], starts)[1]
    else:
        return None
    return Edit(at, at, "[0]")


def flatten_before(node: ast.AST, call: ast.AST | None, text: str, starts: list[int]) -> Edit | None:
    """`nn.Flatten(), ` before a layer in a Sequential, or `.flatten(1)` behind the input of a call."""
    if isinstance(call, ast.Call) and call.args:
        start, end = span(call.args[0], starts)
        inner = text.encode()[start:end].decode()
        simple = isinstance(call.args[0], (ast.Name, ast.Call, ast.Attribute, ast.Subscript))
        return Edit(start, end, f"{inner}.flatten(1)" if simple else f"({inner}).flatten(1)")
    if not isinstance(node, ast.Call):
        return None
    start, _ = span(node, starts)
    end = span(node.func, starts)[1]
    maker = text.encode()[start:end].decode()
    prefix = maker.rpartition(".")[0]
    return Edit(start, start, f"{prefix}.Flatten(), " if prefix else "Flatten(), ")


def set_last(node: ast.Call, value: str, starts: list[int]) -> Edit | None:
    """Another last size for `view(-1, 120)`."""
    last = node.args[-1] if node.args else None
    if isinstance(last, (ast.Tuple, ast.List)) and last.elts:
        last = last.elts[-1]
    return None if last is None else Edit(*span(last, starts), value)


def rename(function: ast.expr, name: str, starts: list[int]) -> Edit:
    """Another last word: `x.view` to `x.reshape`, `nn.Conv2D` to `nn.Conv2d`."""
    _start, end = span(function, starts)
    written = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return Edit(end - len(written.encode()), end, name)


def rename_keyword(node: ast.Call, old: str, new: str, starts: list[int]) -> Edit | None:
    for each in node.keywords:
        if each.arg == old:
            at = span(each, starts)[0]
            return Edit(at, at + len(old.encode()), new)
    return None


def make_it(node: ast.Call, kind: str, starts: list[int]) -> Edit | None:
    """`nn.ReLU` among the arguments becomes `nn.ReLU()`."""
    for each in node.args:
        if isinstance(each, (ast.Attribute, ast.Name)) and (getattr(each, "attr", "") or getattr(each, "id", "")) == kind:
            at = span(each, starts)[1]
            return Edit(at, at, "()")
    return None


def start_first(node: ast.AST, text: str, starts: list[int]) -> Edit:
    """`super().__init__()` on a line of its own before the line that needs it."""
    line = getattr(node, "lineno", 1)
    before = line_of(text, line)
    indent = before[: len(before) - len(before.lstrip())]
    at = starts[line - 1] + len(indent.encode())
    return Edit(at, at, f"super().__init__()\n{indent}")
