"""Trees put together for derived formulas, as short as one would write them: no factor 1, no transpose of a transpose."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.text.tree import Call, Node, Number, names_in, walk


def one(node: Node) -> bool:
    return isinstance(node, Number) and node.value == 1


def times(a: Node, b: Node) -> Node:
    """a ⊙ b."""
    if one(a) or one(b):
        return b if one(a) else a
    if isinstance(b, Call) and b.op == "negate":
        return negative(times(a, b.args[0]))
    if isinstance(a, Call) and a.op == "negate":
        return negative(times(a.args[0], b))
    scale, other = constant(a), constant(b)
    if scale is not None and other is not None:
        return Number(scale * other)
    if scale is not None and isinstance(b, Call) and b.op == "times" and (inside := constant(b.args[0])) is not None:
        return times(Number(scale * inside), b.args[1])  # ½·2·w is w
    return Call("times", (a, b) if other is None else (b, a))


def by_slope(up: Node, slope: Node) -> Node:
    """What arrives, times the slope of a function; the slope is marked, since it is what people forget."""
    made = times(up, slope)
    return replace(made, is_slope=True) if isinstance(made, Call) and made.op == "times" else made


def over(a: Node, b: Node) -> Node:
    if one(b):
        return a
    if isinstance(a, Number) and isinstance(b, Number):
        return Number(a.value / b.value)
    return Call("divide", (a, b))


def share(a: Node, count: int) -> Node:
    """One of so many equal parts."""
    return over(a, Number(Fraction(count)))


def negative(a: Node) -> Node:
    if isinstance(a, Number):
        return Number(-a.value)
    return a.args[0] if isinstance(a, Call) and a.op == "negate" else Call("negate", (a,))


def plus(a: Node, b: Node) -> Node:
    return Call("subtract", (a, b.args[0])) if isinstance(b, Call) and b.op == "negate" else Call("add", (a, b))


def minus(a: Node, b: Node) -> Node:
    return Call("subtract", (a, b))


def is_constant(node: Node) -> bool:
    """A plain number, or a function of plain numbers such as sqrt(2)."""
    return not names_in(node) and all(isinstance(part, Number) or (isinstance(part, Call) and part.args) for part in walk(node))


def turned(a: Node) -> Node:
    if isinstance(a, Call) and a.op == "transpose":
        return a.args[0]
    if isinstance(a, Call) and a.op == "divide" and is_constant(a.args[1]):
        return over(turned(a.args[0]), a.args[1])
    if isinstance(a, Call) and a.op == "times" and is_constant(a.args[0]):
        return times(a.args[0], turned(a.args[1]))
    if isinstance(a, Call) and a.op == "product":
        return product(turned(a.args[1]), turned(a.args[0]))
    return a if isinstance(a, Number) else Call("transpose", (a,))


def product(a: Node, b: Node) -> Node:
    if isinstance(a, Call) and a.op == "negate":
        return negative(product(a.args[0], b))
    for n, part in enumerate((a, b)):  # what only scales is written once, behind or before the product
        if isinstance(part, Call) and part.op == "divide" and is_constant(part.args[1]):
            return over(product(*((part.args[0], b) if n == 0 else (a, part.args[0]))), part.args[1])
        if isinstance(part, Call) and part.op == "times" and is_constant(part.args[0]):
            return times(part.args[0], product(*((part.args[1], b) if n == 0 else (a, part.args[1]))))
    return Call("product", (a, b))


def function(name: str, *args: Node, fixed: tuple[Fraction, ...] = ()) -> Node:
    return Call(name, args, fixed)


def whole(node: Node, shape: Shape, shape_of: Callable[[Node], Shape]) -> Node:
    """A table of this shape, where a number was to stand for all its cells."""
    if shape_of(node).rank > 0 or shape.rank == 0:
        return node
    ones = Call("ones", (), (Fraction(shape.rows), Fraction(shape.columns)))
    return times(node, ones)


def gathered_into(node: Node, made: Shape, wanted: Shape, shape_of: Callable[[Node], Shape]) -> Node:
    """What arrives at an operand that was repeated: the sum over all its uses."""
    if wanted.size == made.size and (wanted.rank == 0) == (made.rank == 0):
        return node
    full = whole(node, made, shape_of)
    if wanted.rank == 0:
        return Call("sum", (full,))
    if wanted.rows == 1 and made.rows > 1:
        return Call("colsum", (full,))
    return Call("rowsum", (full,)) if wanted.columns == 1 and made.columns > 1 else full


def larger_of(a: Node, b: Node) -> Call:
    """The larger of two, cell by cell: relu(a) where b is 0, else b + relu(a − b)."""
    if isinstance(a, Number) and a.value == 0:
        a, b = b, a
    return Call("relu", (a,)) if isinstance(b, Number) and b.value == 0 else Call("add", (b, Call("relu", (minus(a, b),))))


def smaller_of(a: Node, b: Node) -> Call:
    """The smaller of two, cell by cell: a − relu(a − b)."""
    return Call("subtract", (a, Call("relu", (minus(a, b),))))


def constant(node: Node) -> Fraction | None:
    """The value of a tree of plain numbers; None where it holds anything else."""
    if isinstance(node, Number):
        return node.value
    if not isinstance(node, Call) or node.op not in ("add", "subtract", "star", "dot", "divide", "negate", "product"):
        return None
    parts = [constant(part) for part in node.args]
    values = [part for part in parts if part is not None]
    if len(values) < len(parts):
        return None
    if node.op == "negate":
        return -values[0]
    a, b = values
    if node.op == "divide":
        return a / b if b else None
    return a + b if node.op == "add" else a - b if node.op == "subtract" else a * b
