"""The one rule of all formulas: a tree, evaluated, explained, taken apart into terms, and done wrong in the usual ways."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from clearhead.exact.expressions import ONE, Cell, Exact
from clearhead.exact.matrices import Matrix, all_fractions
from clearhead.working.formulas.cells.scalar_words import words_of
from clearhead.working.formulas.cells.scalars import Leaf, Mul, Num, Over, Scalar, Sum, Worked, as_told, leaves_in
from clearhead.working.formulas.evaluation import grid_of, leaves, scalar_at, value
from clearhead.working.formulas.formula_slips import slips_of
from clearhead.working.formulas.functions.row_values import MOST_TERMS
from clearhead.working.formulas.functions.shapes import Shape
from clearhead.working.formulas.functions.table_of_operations import OPERATIONS
from clearhead.working.formulas.text.tree import Call, Name, Node, Number, Slice, number_text
from clearhead.working.formulas.tree_shapes import made_shape, shape_of
from clearhead.working.rules.products import MIXED, SYMBOLIC, WHOLE
from clearhead.working.rules.rule import PLAIN_CELL, Reach, Rule, Show, Slip, Term, Turns, terms_in

FEW_PRODUCTS = 64
MOST_LIT = 400  # cells put in: in larger tables nobody looks for the part that a number comes from
COSTLY_CELL, WAVE = 400, 4_000
SYMBOLIC_OPS = (
    "softmax",
    "colsoftmax",
    "exp",
    "tanh",
    "sigmoid",
    "silu",
    "gelu",
    "sin",
    "cos",
    "positions",
    "rope",
    "ln",
    "sqrt",
)


@dataclass(frozen=True, slots=True)
class FormulaRule(Rule):
    """A formula of the tables it needs, in the order of their names."""

    tree: Node
    needs: tuple[str, ...]
    rank: int = 2  # how the result is shown
    shapes: tuple[Shape, ...] = ()  # of the needs, where they are known
    old: tuple[tuple[str, str], ...] = ()  # names, each with the one whose older value might be taken for it

    def __call__(self, *inputs: Matrix) -> Matrix:
        found = value(self.tree, self.named(inputs))
        return found if found.rank == self.rank else Matrix(found.rows, self.rank)

    def named(self, inputs: tuple[Matrix, ...]) -> Mapping[str, Matrix]:
        return dict(zip(self.needs, inputs, strict=True))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        def read(leaf: Leaf) -> Cell:
            return inputs[leaf.table][leaf.i, leaf.j]

        def shown(leaf: Leaf | Num | Worked) -> str:
            if isinstance(leaf, Num) and isinstance(leaf.value, Fraction):
                return number_text(leaf.value)
            return show(read(leaf) if isinstance(leaf, Leaf) else leaf.value)

        return shortened(words_of(as_told(self.scalar(i, j, inputs), read), shown))

    def scalar(self, i: int, j: int, inputs: tuple[Matrix, ...]) -> Scalar:
        return scalar_at(self.tree, i, j, self.needs, self.named(inputs))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return terms_of(self.scalar(i, j, inputs))

    @property
    def reach(self) -> tuple[Reach, ...]:
        """Found by writing out some cells and looking where their leaves stand."""
        if not self.shapes or sum(shape.cells for shape in self.shapes) > MOST_LIT:
            return ()
        shapes = dict(zip(self.needs, self.shapes, strict=True))
        grid = grid_of(self.tree, shapes, {name: leaves(n, shapes[name]) for n, name in enumerate(self.needs)}, None)
        found = [(leaf, place) for place in some_places(grid.shape) for leaf in leaves_in(grid.at(*place))]
        return tuple(narrowest([(leaf, place) for leaf, place in found if leaf.table == n]) for n in range(len(self.needs)))

    @property
    def makes_numbers_of_numbers(self) -> bool:
        return False  # ones(3, 3) needs nothing at all

    @property
    def product(self) -> Turns | None:
        tree = self.tree
        if not isinstance(tree, Call) or tree.op != "product":
            return None
        bare = [arg.args[0] if is_turned(arg) else arg for arg in tree.args]  # type: ignore[union-attr]
        names = tuple(arg.name for arg in bare if isinstance(arg, Name))
        return Turns(*(is_turned(arg) for arg in tree.args)) if names == self.needs and len(names) == 2 else None

    def cost(self, *inputs: Matrix) -> int:
        """Every operation at its kind of cell; products by their many multiplications."""
        known = tuple((*table.shape, table.rank, density(table)) for table in inputs)
        found = self.costs.get(known)
        if found is None:
            named = {name: Shape(*each[:3]) for name, each in zip(self.needs, known, strict=True)}
            terms = {name: each[3] for name, each in zip(self.needs, known, strict=True)}
            found = self.costs[known] = cost_of(self.tree, named, terms).tenths
        return found

    @cached_property
    def costs(self) -> dict[tuple[tuple[int, int, int, int], ...], int]:
        """What it cost on tables of these shapes and densities: the same again, whatever their numbers."""
        return {}

    def slips(self, *needs: str) -> Iterator[Slip]:
        for wrong in slips_of(self.tree, self.old):
            rule = FormulaRule(wrong.tree, self.needs, self.rank)
            yield Slip(wrong.name, rule, wrong.hint)


class Cost(NamedTuple):
    """What a tree costs in tenths of a microsecond, its shape, and how many terms its cells have (0: plain fractions)."""

    tenths: int
    shape: Shape
    terms: int


def density(table: Matrix) -> int:
    return 0 if all_fractions(table) else max(1, terms_in(table) // (table.shape[0] * table.shape[1]))


def cost_of(node: Node, shapes: Mapping[str, Shape], terms: Mapping[str, int]) -> Cost:
    """What a tree costs, known before it is worked."""
    if isinstance(node, Name):
        return Cost(0, shapes[node.name], terms[node.name])
    if isinstance(node, Slice):
        return Cost(0, shape_of(node, shapes), cost_of(node.of, shapes, terms).terms)
    if isinstance(node, Number):
        return Cost(0, shape_of(node, shapes), 0)
    inside = [cost_of(arg, shapes, terms) for arg in node.args]
    made = made_shape(node, tuple(part.shape for part in inside))
    dense = max((part.terms for part in inside), default=0)
    own = made.cells * (COSTLY_CELL if OPERATIONS[node.op].repeats else PLAIN_CELL) * max(dense, 1)
    if node.op == "product":
        left, right = inside
        each = SYMBOLIC * left.terms * right.terms if left.terms and right.terms else MIXED * dense if dense else WHOLE
        own = made.cells * left.shape.columns * each
        dense = min(dense * left.shape.columns, MOST_TERMS)
    elif node.op in ("positions", "rope"):
        own = made.cells * WAVE
    elif node.op.startswith("conv"):  # the window laid on every place
        own = made.cells * min(part.shape.cells for part in inside) * COSTLY_CELL // 4
    elif "_back" in node.op:  # every cell of the result, for every cell of what it came from
        own = made.cells * max(part.shape.cells for part in inside) * COSTLY_CELL
    return Cost(own + sum(part.tenths for part in inside), made, max(dense, 1) if node.op in SYMBOLIC_OPS else dense)


def is_turned(node: Node) -> bool:
    return isinstance(node, Call) and node.op == "transpose"


def shortened(words: str) -> str:
    """A sum too long for the board, with its middle left out."""
    parts = words.split(" + ")
    return words if len(parts) <= FEW_PRODUCTS else " + ".join([*parts[:2], "…", parts[-1]])


def terms_of(scalar: Scalar) -> list[Term]:
    """The terms of a sum of products of cells; none where a cell is anything else."""
    parts = scalar.parts if isinstance(scalar, Sum) else (scalar,)
    minus = scalar.minus if isinstance(scalar, Sum) else frozenset()
    found: list[Term] = []
    for n, part in enumerate(parts):
        inside = terms_of(part) if isinstance(part, Sum) else factors_of(part)
        if not inside:
            return []
        found += [Term(term.cells, -term.times) for term in inside] if n in minus else inside
    return found


def factors_of(part: Scalar) -> list[Term]:
    """One product of cells and numbers as a term; a sum over a number as several."""
    if isinstance(part, Over) and isinstance(part.below, Num):
        below = part.below.value
        inside = terms_of(part.above)
        return [] if isinstance(below, float) or below == 0 else [Term(term.cells, term.times / below) for term in inside]
    cells: list[tuple[int, int, int]] = []
    times: Exact = ONE
    for factor in part.parts if isinstance(part, Mul) else (part,):
        if isinstance(factor, Leaf):
            cells.append((factor.table, factor.i, factor.j))
        elif isinstance(factor, Num | Worked) and not isinstance(factor.value, float):
            times = times * factor.value
        else:
            return []
    return [Term(tuple(cells), times)]


PARTS: dict[Reach, Callable[[Leaf, int, int], bool]] = {
    Reach.CELL: lambda leaf, i, j: (leaf.i, leaf.j) == (i, j),
    Reach.ROW: lambda leaf, i, j: leaf.i == i,
    Reach.COLUMN: lambda leaf, i, j: leaf.j == j,
    Reach.ROW_J: lambda leaf, i, j: leaf.i == j,
    Reach.COLUMN_I: lambda leaf, i, j: leaf.j == i,
}


def narrowest(found: list[tuple[Leaf, tuple[int, int]]]) -> Reach:
    """The smallest part in which all leaves stand, for every cell that was written out."""
    return next((part for part, inside in PARTS.items() if all(inside(leaf, *place) for leaf, place in found)), Reach.WHOLE)


def some_places(shape: Shape) -> list[tuple[int, int]]:
    """The corners of a table and what is next to the first: enough to tell a row from a column."""
    rows, columns = sorted({0, 1, shape.rows - 1}), sorted({0, 1, shape.columns - 1})
    return [(i, j) for i in rows for j in columns if i < shape.rows and j < shape.columns]
