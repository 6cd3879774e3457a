"""The chain rule over a whole graph of formulas: for every step on the way, a formula for how the loss changes with it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from clearhead.errors import InputError
from clearhead.exact.expressions import ONE
from clearhead.exact.matrices import Matrix
from clearhead.working.formulas.functions.operation import Backward
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.functions.table_of_operations import FLAT, OPERATIONS, back_name
from clearhead.working.formulas.text import short_trees as build
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice, names_in, text
from clearhead.working.formulas.tree_shapes import shape_of

FUSED = "Cross-entropy after a softmax: what was predicted minus what was wanted, shared by the rows."
BIAS = "It was added to every row, so it collects what arrives at all of them."


@dataclass(frozen=True, slots=True)
class Derived:
    """d_<name> of one step or given, as a formula, and why."""

    of: str
    tree: Node
    why: str

    @property
    def name(self) -> str:
        return f"d_{self.of}"


@dataclass(slots=True)
class Arriving:
    """What comes back to one name, along each way."""

    parts: list[Node] = field(default_factory=list)
    whys: list[str] = field(default_factory=list)


class Chain:
    """Goes back through the steps from the loss, and gathers what arrives where."""

    def __init__(self, of: str, trees: Mapping[str, Node], shapes: Mapping[str, Shape], given: Mapping[str, Matrix]) -> None:
        self.of, self.trees, self.given = of, trees, given
        self.shapes = dict(shapes)
        self.arriving: dict[str, Arriving] = {}

    def derive(self, by: Collection[str]) -> list[Derived]:
        needed = self.depends_on_any(by)
        before = self.ancestors(self.of)
        way = [name for name in self.trees if name in needed and (name in before or name == self.of)]
        for name in by:
            if name not in before:
                raise InputError(f"gradient.by: {self.of} does not depend on {name}")
        self.way = {*way, *by}
        found: list[Derived] = []
        for name in reversed(way):
            up: Node = Number(ONE) if name == self.of else Name(f"d_{name}")
            if name != self.of:
                derived = self.gathered(name)
                if derived is None:
                    continue  # passed over: cross-entropy and softmax went back in one step
                found.append(derived)
            self.back(self.trees[name], up, Name(name), "")
        return [*found, *(derived for name in by if name not in self.trees and (derived := self.gathered(name)))]

    def gathered(self, name: str) -> Derived | None:
        arriving = self.arriving.get(name)
        if arriving is None:
            return None
        tree = build.whole(arriving.parts[0], self.shapes[name], self.shape_of)
        for part in arriving.parts[1:]:
            tree = build.plus(tree, build.whole(part, self.shapes[name], self.shape_of))
        self.shapes[f"d_{name}"] = self.shapes[name]
        whys = list(dict.fromkeys(arriving.whys))
        several = f"{name} is used {len(arriving.parts)} times: what comes back along each way is added."
        return Derived(name, tree, whys[0] if len(arriving.parts) == 1 else several)

    def shape_of(self, node: Node) -> Shape:
        return shape_of(node, self.shapes)

    def back(self, node: Node, up: Node, out: Node, why: str) -> None:
        """Send what arrives at a node on to what it is made of."""
        if isinstance(node, Name):
            if node.name in self.way:
                arriving = self.arriving.setdefault(node.name, Arriving())
                arriving.parts.append(up)
                arriving.whys.append(why or "It passes on what arrives.")
            return
        if isinstance(node, Number) or not self.way & set(names_in(node)):
            return
        if isinstance(node, Slice):
            self.back(
                node.of, self.placed(node, up), node.of, why or "Only the rows and columns that were used get something back."
            )
            return
        fused = self.fused(node, up)
        if fused is not None:
            inside, difference = fused
            self.back(inside, difference, inside, FUSED)
            return
        for n, (arg, arrived) in enumerate(zip(node.args, self.sent_back(node, up, out), strict=True)):
            if arrived is not None:
                self.back(arg, arrived, arg, self.reason(node, n, why))

    def sent_back(self, node: Call, up: Node, out: Node) -> tuple[Node | None, ...]:
        """What arrives at each table of an operation."""
        operation = OPERATIONS[node.op]
        if operation.back is not None:
            return operation.back(Backward(node, up, out, self.shape_of))
        if node.op in FLAT:
            return (None,) * len(node.args)
        if node.op.endswith("'") or "_back" in node.op:
            raise InputError(f"the gradient through {node.op} is a second derivative, which is not worked here")
        full = build.whole(up, self.shape_of(node), self.shape_of)
        return tuple(Call(back_name(node.op, n), (*node.args, full), node.fixed) for n in range(len(node.args)))

    def placed(self, node: Slice, up: Node) -> Node:
        from fractions import Fraction

        from clearhead.working.formulas.tree_shapes import ranges

        whole = self.shape_of(node.of)
        (top, _), (left, _) = ranges(node, whole)
        places = (top, left, whole.rows, whole.columns)
        return Call("placed", (build.whole(up, self.shape_of(node), self.shape_of),), tuple(Fraction(n) for n in places))

    def reason(self, node: Call, n: int, before: str) -> str:
        """Why it goes back so, in one sentence with the names; what only passes on leaves the word to what came before."""
        if node.op == "product":
            left, right = (text(arg) for arg in node.args)
            if n == 0:
                return f"Back through {right}: each number of {left} collects from all that it reached."
            return f"Each number of {right} collects what arrives, times the numbers of {left} that it was multiplied by."
        made, own = self.shape_of(node), self.shape_of(node.args[n])
        if node.op in ("add", "subtract") and own.rows == 1 and made.rows > 1:
            return BIAS
        if node.op in ("add", "transpose") and before:
            return before
        return OPERATIONS[node.op].why or before

    def fused(self, node: Call, up: Node) -> tuple[Node, Node] | None:
        """Cross-entropy of a softmax in one step: the inside of the softmax, and (p − y)/rows."""
        if node.op != "cross_entropy":
            return None
        p, y = node.args
        inside = p if isinstance(p, Call) else self.trees.get(p.name) if isinstance(p, Name) else None
        if not isinstance(inside, Call) or inside.op != "softmax" or not self.is_shares(y):
            return None
        if isinstance(p, Name) and self.uses(p.name) > 1:
            return None
        rows = self.shape_of(p).rows
        return inside.args[0], build.times(up, build.share(build.minus(p, y), rows))

    def is_shares(self, y: Node) -> bool:
        """Whether every row of what is wanted is known to add up to 1."""
        if isinstance(y, Call):
            return y.op == "onehot"
        table = self.given.get(y.name) if isinstance(y, Name) else None
        if table is None:
            tree = self.trees.get(y.name) if isinstance(y, Name) else None
            return tree is not None and isinstance(tree, Call) and self.is_shares(tree)
        return all(sum(row) == 1 for row in table.rows)

    def uses(self, name: str) -> int:
        """How often a step is used on the way back."""
        return sum(name in names_in(self.trees[step]) for step in self.way if step in self.trees)

    def depends_on_any(self, by: Collection[str]) -> set[str]:
        found = set(by)
        for name, tree in self.trees.items():
            if found & set(names_in(tree)):
                found.add(name)
        return found

    def ancestors(self, of: str) -> set[str]:
        found: set[str] = set()
        waiting = [of]
        while waiting:
            for name in names_in(self.trees.get(waiting.pop(), Number(ONE))):
                if name not in found:
                    found.add(name)
                    waiting.append(name)
        return found


def derive(
    of: str, by: Collection[str], trees: Mapping[str, Node], shapes: Mapping[str, Shape], given: Mapping[str, Matrix]
) -> list[Derived]:
    """d_<name> for every step and given between `of` and `by`, in the order in which they are worked."""
    return Chain(of, trees, shapes, given).derive(by)
