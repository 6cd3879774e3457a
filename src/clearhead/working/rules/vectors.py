"""Rules on vectors: multiples, averages, distances, and how far a query must reach."""

from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.enclosures import compare, gathered
from clearhead.exact.expressions import ZERO, Exact, finite
from clearhead.exact.lengths import is_orthonormal, length, row
from clearhead.exact.matrices import Matrix, number, vector
from clearhead.exact.notation import bracketed
from clearhead.exact.powers import log
from clearhead.working.rules.rule import Reach, Rule, Show, Term


class Along(Rule):
    """λ times the sum of some rows of K, from K and λ; rows counted from 0."""

    rows: tuple[int, ...]

    reach = (Reach.COLUMN,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        keys, strength = inputs[0], finite(inputs[1].cell)
        return vector([sum((finite(keys[i, c]) for i in self.rows), start=ZERO) * strength for c in range(keys.shape[1])])

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, j), (1, 0, 0))) for row in self.rows]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        keys, strength = inputs
        inside = " + ".join(bracketed(show(keys[r, j])) for r in self.rows)
        return f"{bracketed(show(strength.cell))}·{f'({inside})' if len(self.rows) > 1 else inside}"


class MeanOfRows(Rule):
    """The average of some rows of a table, counted from 0."""

    rows: tuple[int, ...]

    reach = (Reach.COLUMN,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        table, share = inputs[0], Fraction(1, len(self.rows))
        return vector([sum((finite(table[i, c]) for i in self.rows), start=ZERO) * share for c in range(table.shape[1])])

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, row, j),), Fraction(1, len(self.rows))) for row in self.rows]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        inside = " + ".join(bracketed(show(inputs[0][r, j])) for r in self.rows)
        return f"({inside}) / {len(self.rows)}" if len(self.rows) > 1 else inside


class Distance(Rule):
    """How far each row of the first table is from the one row of the second; a number where the first is a vector."""

    reach = (Reach.ROW_J,)

    def __call__(self, *inputs: Matrix) -> Matrix:
        table, target = inputs
        found = [length(self.off(table, target, i)) for i in range(table.shape[0])]
        return number(found[0]) if table.rank == 1 else vector(found)

    def off(self, table: Matrix, target: Matrix, i: int) -> tuple[Exact, ...]:
        return tuple(gathered(a - b) for a, b in zip(row(table, i), row(target, 0), strict=True))

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        table, target = inputs
        parts = zip(table.rows[j], target.rows[0], strict=True)  # the cells of the result stand in one row
        return "√(" + " + ".join(f"({show(a)} - {bracketed(show(b))})^2" for a, b in parts) + ")"


@dataclass(frozen=True, slots=True)
class Focus:
    """The rows that are to share the weight, counted from 0, and how they are called."""

    rows: tuple[int, ...]
    target: str  # the value that c should come to: v2, or mean
    spoken: str  # v2, or the average of v1 and v3

    @property
    def sum_of_keys(self) -> str:
        names = [f"k{i + 1}" for i in self.rows]
        return names[0] if len(names) == 1 else f"({' + '.join(names)})"

    @property
    def latex(self) -> str:
        names = [f"k_{{{i + 1}}}" for i in self.rows]
        return names[0] if len(names) == 1 else f"({' + '.join(names)})"

    def strength(self, ratio: str, count: int) -> str:
        """λ written out, from the ratio of D to the wanted distance."""
        shared, others = len(self.rows), count - len(self.rows)
        return f"ln({ratio} - {others})" if shared == 1 else f"ln(({ratio} - {others}) / {shared})"


class Strength(Rule):
    """The smallest λ from 0 on that brings c within a distance of its target, from K and V.

    Orthonormal keys: the others get 1/(m e^λ + n − m) each, m being the number of rows in focus, so the distance is
    D / (m e^λ + n − m) with D = ‖Σ (v_i − target)‖ over the others.
    """

    focus: Focus
    within: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        keys, values = inputs
        if not is_orthonormal(keys):
            raise ArithmeticError("given.within needs orthonormal keys, for which there is a closed form; give lambda instead")
        count, shared = keys.shape[0], len(self.focus.rows)
        wanted = (pull(self.focus, values) / self.within - (count - shared)) / shared
        return number(finite(log(wanted)) if compare(wanted, Fraction(1)) > 0 else ZERO)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        if self(*inputs).cell == 0:
            return "c is that close without any query: 0"
        return self.focus.strength(f"{show(pull(self.focus, inputs[1]))} / {bracketed(show(self.within))}", inputs[0].shape[0])


def pull(focus: Focus, values: Matrix) -> Exact:
    """‖Σ (v_i − target)‖ over the rows out of focus: how far they would pull the result, all together."""
    target = row(MeanOfRows(focus.rows)(values), 0)
    others = [row(values, i) for i in range(values.shape[0]) if i not in focus.rows]
    return length(tuple(sum((other[c] - t for other in others), start=ZERO) for c, t in enumerate(target)))
