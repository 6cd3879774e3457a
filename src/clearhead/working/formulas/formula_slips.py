"""What people do instead of a formula: each a tree with one thing changed, in the names that marking uses."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clearhead.working.formulas.functions.table_of_operations import OPERATIONS
from clearhead.working.formulas.text.tree import Call, Name, Node, rebuilt, replaced, text, walk

KEPT_OUT = (
    "transpose",
    "negate",
    "power",
    "beside",
    "below",
    "reshape",
    "placed",
    "ones",
    "zeros",
    "topk_mask",
    "coltopk_mask",
)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A slip's name, the formula that was used instead, and one line that says so."""

    name: str
    tree: Node
    hint: str


def slips_of(tree: Node, old: tuple[tuple[str, str], ...]) -> Iterator[Wrong]:
    """Every usual slip of a formula; those that people make most come first."""
    calls = [node for node in walk(tree) if isinstance(node, Call)]
    slopes = [node.args[1] for node in calls if node.is_slope]
    inside = {id(part) for slope in slopes for part in walk(slope)}  # a slope is forgotten as a whole
    for node in calls:
        if id(node) not in inside:
            yield from slips_at(tree, node)
    yield from old_values(tree, old)


def slips_at(tree: Node, node: Call) -> Iterator[Wrong]:
    """What may go wrong at one operation."""

    def instead(new: Node) -> Node:
        return replaced(tree, node, new)

    if node.op == "product":
        left, right = node.args
        for n, arg in enumerate(node.args):
            if isinstance(arg, Call) and arg.op == "transpose":
                plain = replace(node, args=(arg.args[0], right) if n == 0 else (left, arg.args[0]))
                yield Wrong("no-transpose", instead(plain), f"{text(arg.args[0])} was not transposed")
        yield Wrong(
            "order", instead(replace(node, args=(right, left))), f"the factors changed places: {text(right)} {text(left)}"
        )
        yield Wrong(
            "elementwise", instead(replace(node, op="times")), f"{text(left)} and {text(right)} were multiplied cell by cell"
        )
        for n, arg in enumerate(node.args):
            if isinstance(arg, Name):
                turned = Call("transpose", (arg,))
                yield Wrong(
                    "no-transpose",
                    instead(replace(node, args=(turned, right) if n == 0 else (left, turned))),
                    f"{arg.name} was transposed, and should not be",
                )
    if node.op == "times" and node.is_slope:
        yield Wrong("derivative-left-out", instead(node.args[0]), f"the slope {text(node.args[1])} was left out")
    if node.op in ("add", "subtract"):
        a, b = node.args
        yield Wrong("term", instead(a), f"{text(b)} was left out")
        yield Wrong("term", instead(b if node.op == "add" else Call("negate", (b,))), f"{text(a)} was left out")
        other = "subtract" if node.op == "add" else "add"
        taken = "taken off" if node.op == "add" else "added"
        yield Wrong("sign", instead(replace(node, op=other)), f"{text(b)} was {taken}")
        if node.op == "subtract":
            yield Wrong("sign", instead(replace(node, args=(b, a))), f"{text(a)} was taken from {text(b)}, the wrong way round")
    if node.op == "negate":
        yield Wrong("sign", instead(node.args[0]), "the minus was left out")
    if node.op == "divide":
        yield Wrong("term", instead(node.args[0]), f"it was not divided by {text(node.args[1])}")
        root = node.args[1]
        if isinstance(root, Call) and root.op == "sqrt":
            plain = replace(node, args=(node.args[0], root.args[0]))
            yield Wrong("function-left-out", instead(plain), f"divided by {text(root.args[0])}, not by its root")
    if node.op == "times" and not node.is_slope:
        a, b = node.args
        yield Wrong("term", instead(a), f"it was not multiplied by {text(b)}")
        yield Wrong("term", instead(b), f"it was not multiplied by {text(a)}")
    operation = OPERATIONS[node.op]
    if operation.other_axis:
        yield Wrong("axis", instead(replace(node, op=operation.other_axis)), axis_hint(node.op))
    if is_function(node.op) and node.args and not reduces(node.op):
        yield Wrong("function-left-out", instead(node.args[0]), f"{node.op} was left out")


def is_function(op: str) -> bool:
    return op not in ("add", "subtract", "times", "divide", "negate", "product", "star")


def reduces(op: str) -> bool:
    return op in ("sum", "mean", "max", "norm", "cross_entropy", "mse", "kl") or op in KEPT_OUT


def axis_hint(op: str) -> str:
    right, wrong = ("columns", "rows") if op.startswith("col") or op == "batchnorm" else ("rows", "columns")
    return f"{op} goes along the {right}, but was taken along the {wrong}"


def old_values(tree: Node, old: tuple[tuple[str, str], ...]) -> Iterator[Wrong]:
    """An older value taken for the one that was just made."""
    for new, before in old:

        def swap(node: Node, new: str = new, before: str = before) -> Node:
            return Name(before, node.at) if isinstance(node, Name) and node.name == new else rebuilt(node, swap)

        yield Wrong("old-value", swap(tree), f"the old value {before} was used instead of {new}")
