"""A tree in LaTeX."""

from collections.abc import Mapping

from clearhead.exact.notation import named, plain
from clearhead.working.formulas.functions.table_of_operations import OPERATIONS
from clearhead.working.formulas.text.tree import (
    ADD,
    ATOM,
    MINUS,
    POWER,
    TIGHT,
    TIMES,
    IsNumber,
    Name,
    Node,
    Number,
    Slice,
    is_plain_number,
    larger_or_smaller,
    range_text,
)

SIGNS = {"add": (" + ", ADD), "subtract": (" - ", ADD), "times": (r" \odot ", TIMES), "product": (" ", TIGHT)}


def latex(node: Node, symbols: Mapping[str, str], is_number: IsNumber = is_plain_number) -> str:
    """The formula as it is typeset; `symbols` says how some names are written, all others as their letters."""
    return written(node, symbols, is_number)[0]


def written(node: Node, symbols: Mapping[str, str], is_number: IsNumber) -> tuple[str, int]:
    def inside(part: Node, least: int) -> str:
        words, binding = written(part, symbols, is_number)
        return words if binding >= least else f"({words})"

    if isinstance(node, Name):
        return symbols.get(node.name, named(node.name)), ATOM
    if isinstance(node, Number):
        return number(node), MINUS if node.value < 0 else ATOM
    if isinstance(node, Slice):
        alone = node.columns is None and node.rows is not None and node.rows[0] == node.rows[1]
        ends = (node.rows,) if alone else (node.rows, node.columns)
        return f"{inside(node.of, ATOM)}[{', '.join(map(range_text, ends))}]", ATOM
    if (chosen := larger_or_smaller(node)) is not None:
        name, *both = chosen
        return rf"\{name}({', '.join(inside(part, ADD) for part in both)})", ATOM
    if node.op == "negate":
        return f"-{inside(node.args[0], TIGHT)}", MINUS
    if node.op == "transpose":
        return rf"{inside(node.args[0], ATOM)}^\top", POWER
    if node.op == "power":
        return f"{inside(node.args[0], ATOM)}^{{{plain(node.fixed[0])}}}", POWER
    if node.op in ("beside", "below"):
        joint = ", " if node.op == "beside" else r" ;\, "
        return f"[{joint.join(inside(part, ADD) for part in node.args)}]", ATOM
    if node.op == "divide":
        return rf"\frac{{{inside(node.args[0], ADD)}}}{{{inside(node.args[1], ADD)}}}", ATOM
    if node.op in SIGNS:
        sign, binding = SIGNS[node.op]
        left, right = node.args
        if node.op == "times" and (is_number(left) or is_number(right)):
            sign = r" \cdot "
        return f"{inside(left, binding)}{sign}{inside(right, binding + (node.op not in ('add', 'times')))}", binding
    if node.op == "sqrt":
        return rf"\sqrt{{{inside(node.args[0], ADD)}}}", ATOM
    name = OPERATIONS[node.op].latex or rf"\mathrm{{{node.op}}}"
    listed = [*(inside(part, ADD) for part in node.args), *(plain(value) for value in node.fixed)]
    return f"{name}({', '.join(listed)})", ATOM


def number(node: Number) -> str:
    written_plainly = plain(node.value)
    if "/" not in written_plainly:
        return written_plainly
    above, below = abs(node.value.numerator), node.value.denominator
    return ("-" if node.value < 0 else "") + rf"\frac{{{above}}}{{{below}}}"
