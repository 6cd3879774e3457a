"""A formula as a tree, and the tree written again as a person would: what every reader of a formula shares."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from clearhead.exact.notation import plain


@dataclass(frozen=True, slots=True)
class Name:
    """A given or an earlier step."""

    name: str
    at: int = 0  # the place in the formula, counted from 0


@dataclass(frozen=True, slots=True)
class Number:
    value: Fraction
    at: int = 0


@dataclass(frozen=True, slots=True)
class Call:
    """An operation on tables: `product`, `add`, `softmax`; its numbers that never change (eps, a stride) stand apart."""

    op: str
    args: "tuple[Node, ...]"
    fixed: tuple[Fraction, ...] = ()
    at: int = 0
    is_slope: bool = False  # a factor that only the derivative of a function brings in


@dataclass(frozen=True, slots=True)
class Slice:
    """Rows and columns of a table, counted from 1, both ends included; None takes them all."""

    of: "Node"
    rows: tuple[int, int] | None
    columns: tuple[int, int] | None
    at: int = 0


Node: TypeAlias = Name | Number | Call | Slice

SMALL = 5  # zeros after the point
ADD, TIMES, MINUS, TIGHT, POWER, ATOM = range(6)  # how tightly each binds
SIGNS = {
    "add": (" + ", ADD),
    "subtract": (" - ", ADD),
    "times": (" ⊙ ", TIMES),
    "divide": (" / ", TIMES),
    "product": (" ", TIGHT),
}


def children(node: Node) -> tuple[Node, ...]:
    return node.args if isinstance(node, Call) else (node.of,) if isinstance(node, Slice) else ()


def walk(node: Node) -> Iterator[Node]:
    """Every node, the outermost first."""
    waiting = [node]
    while waiting:
        top = waiting.pop()
        yield top
        waiting += reversed(children(top))


def names_in(node: Node) -> tuple[str, ...]:
    """The givens and steps that a formula needs, in the order they are written."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Name)))


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The same tree with every child changed."""
    if isinstance(node, Call):
        return replace(node, args=tuple(change(part) for part in node.args))
    return replace(node, of=change(node.of)) if isinstance(node, Slice) else node


def replaced(tree: Node, old: Node, new: Node) -> Node:
    """The tree with one node (that very one) exchanged."""
    return new if tree is old else rebuilt(tree, lambda part: replaced(part, old, new))


def is_plain_number(node: Node) -> bool:
    return isinstance(node, Number)


def larger_or_smaller(node: Call) -> "tuple[str, Node, Node] | None":
    """max(a, b), which the parser keeps as b + relu(a − b), and min(a, b), a − relu(a − b): by its name, and of what.

    What somebody wrote with relu stays as it is: there the relu has a place in the formula.
    """
    if node.op not in ("add", "subtract") or not isinstance(node.args[1], Call):
        return None
    kept, bent = node.args
    if not isinstance(bent, Call) or bent.op != "relu" or bent.at or not isinstance(bent.args[0], Call):
        return None
    apart = bent.args[0]
    if apart.op != "subtract" or apart.at or kept != apart.args[node.op == "add"]:
        return None
    return "max" if node.op == "add" else "min", apart.args[0], apart.args[1]


IsNumber: TypeAlias = Callable[[Node], bool]


def text(node: Node, is_number: IsNumber = is_plain_number) -> str:
    """The formula as one would type it; `is_number` tells what stands for a single number.

    >>> text(Call("product", (Name("Q"), Call("transpose", (Name("K"),)))))
    'Q K^T'
    """
    return written(node, is_number)[0]


def written(node: Node, is_number: IsNumber) -> tuple[str, int]:
    """A node and how tightly what was written holds together."""

    def inside(part: Node, least: int) -> str:
        words, binding = written(part, is_number)
        return words if binding >= least else f"({words})"

    if isinstance(node, Name):
        return node.name, ATOM
    if isinstance(node, Number):
        short = number_text(node.value)
        return short, (TIMES if "/" in short else MINUS if node.value < 0 else ATOM)
    if isinstance(node, Slice):
        alone = node.columns is None and node.rows is not None and node.rows[0] == node.rows[1]
        ends = (node.rows,) if alone else (node.rows, node.columns)
        return f"{inside(node.of, ATOM)}[{', '.join(map(range_text, ends))}]", ATOM
    if (chosen := larger_or_smaller(node)) is not None:
        name, *both = chosen
        return f"{name}({', '.join(inside(part, ADD) for part in both)})", ATOM
    if node.op == "negate":
        return f"-{inside(node.args[0], TIGHT)}", MINUS
    if node.op == "transpose":
        return f"{inside(node.args[0], ATOM)}^T", POWER
    if node.op == "power":
        exponent = plain(node.fixed[0])
        return f"{inside(node.args[0], ATOM)}^{f'({exponent})' if '/' in exponent or '-' in exponent else exponent}", POWER
    if node.op in ("beside", "below"):
        return f"[{(', ' if node.op == 'beside' else '; ').join(inside(part, ADD) for part in node.args)}]", ATOM
    if node.op in SIGNS:
        sign, binding = SIGNS[node.op]
        left, right = node.args
        if node.op == "divide" and isinstance(left, Number) and isinstance(right, Number):
            sign = "/"  # 1/2 is one thing
        if node.op == "times" and (is_number(left) or is_number(right)):
            sign = "·"
        return f"{inside(left, binding)}{sign}{inside(right, binding + (node.op not in ('add', 'times')))}", binding
    listed = [*(inside(part, ADD) for part in node.args), *(number_text(number) for number in node.fixed)]
    return f"{node.op}({', '.join(listed)})", ATOM


def number_text(value: Fraction) -> str:
    """A number as one types it; a very small power of ten as 1e-8.

    >>> number_text(Fraction(1, 10**8)), number_text(Fraction(1, 3))
    ('1e-8', '1/3')
    """
    zeros = len(str(value.denominator)) - 1
    return f"1e-{zeros}" if zeros >= SMALL and value.numerator == 1 and value.denominator == 10**zeros else plain(value)


def range_text(ends: tuple[int, int] | None) -> str:
    return ":" if ends is None else str(ends[0]) if ends[0] == ends[1] else f"{ends[0]}..{ends[1]}"
