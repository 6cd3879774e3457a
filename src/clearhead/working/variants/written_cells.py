"""Rules of the built-in kinds that no formula says as a whole, cell by cell: what a spreadsheet is to work out there."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from clearhead.exact.expressions import ONE
from clearhead.exact.matrices import Matrix
from clearhead.working.formulas.cells.scalars import (
    Above,
    Fn,
    Largest,
    Num,
    Over,
    Pow,
    Scalar,
    Sum,
    Where,
    add,
    num,
    subtract,
    times,
)
from clearhead.working.formulas.functions.operation import Grid
from clearhead.working.rules import (
    arrangements,
    descent,
    losses,
    products,
    scores,
    sliding_windows,
    sums,
    varying_keys,
    vectors,
)
from clearhead.working.rules.rule import Rule

WriteCell = Callable[[Any, tuple[Grid, ...], int, int], Scalar]
TWO = Fraction(2)
HIDDEN = Num(float("-inf"))


def minus(x: Scalar) -> Scalar:
    return Sum((x,), frozenset({0}))


def equals(a: Scalar, b: Scalar) -> Scalar:
    return times(Above(a, b, strictly=False), Above(b, a, strictly=False))


def added_mask(rule: scores.AddedMask, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    """Where the mask's own cell stands for −∞ the sum stays there, whatever the score is."""
    score, mask = grids[0].at(i, j), grids[1].at(i, j)
    return Where(Above(mask, num(-(10**299))), add(score, mask), HIDDEN)


def lowered(rule: scores.MinusLargest, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    return subtract(grids[0].at(i, j), Largest(grids[0].row(i)))


def masked(rule: scores.MaskRule, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    return HIDDEN if rule.hides(i, j) else grids[0].at(i, j)


def dotted(rule: products.Dot, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    cells = [cell for grid in grids for cell in grid.cells()]
    half = len(cells) // 2
    return add(*(times(a, b) for a, b in zip(cells[:half], cells[half:], strict=True))) if half else num(0)


def penalised(rule: losses.Penalty, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    squares = tuple(Pow(cell, TWO) for cell in grids[0].cells())
    return times(Num(rule.strength / 2), add(*squares) if rule.norm == "l2" else Largest(squares))


def logistic_loss(rule: losses.LogisticLoss, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    p, y = grids[0].at(0, 0), grids[1].at(0, 0)
    hit = Where(equals(y, num(1)), Fn("ln", p), Fn("ln", subtract(num(1), p)))
    return add(minus(hit), *(grid.at(0, 0) for grid in grids[2:]))


def logistic_gradient(rule: descent.LogisticGradient, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    p, y, x, w = grids
    own = times(subtract(p.at(0, 0), y.at(0, 0)), x.at(0, j))
    if rule.penalty is None:
        return own
    part = times(Num(rule.penalty.strength), w.at(0, j))
    return add(own, part if rule.penalty.norm == "l2" else Where(is_heaviest(w.row(0), j), part, num(0)))


def is_heaviest(row: tuple[Scalar, ...], j: int) -> Scalar:
    """1 where no |w| is larger and no earlier one as large."""
    sizes = [Fn("abs", cell) for cell in row]
    return times(*(Above(sizes[j], size, strictly=k < j) for k, size in enumerate(sizes) if k != j)) if len(row) > 1 else num(1)


def along(rule: vectors.Along, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    return times(grids[1].at(0, 0), add(*(grids[0].at(row, j) for row in rule.rows)))


def mean_of_rows(rule: vectors.MeanOfRows, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    return mean_at(grids[0], rule.rows, j)


def mean_at(table: Grid, rows: tuple[int, ...], j: int) -> Scalar:
    total = add(*(table.at(row, j) for row in rows))
    return total if len(rows) == 1 else Over(total, num(len(rows)))


def distance(rule: vectors.Distance, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    """The results stand in one row: cell j is the distance of row j."""
    return length(tuple(subtract(a, b) for a, b in zip(grids[0].row(j), grids[1].row(0), strict=True)))


def length(parts: tuple[Scalar, ...]) -> Scalar:
    return Fn("sqrt", add(*(Pow(part, TWO) for part in parts)))


def strength(rule: vectors.Strength, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    """ln((D / within − others) / shared), 0 where that would be below 0; holds while the keys stay orthonormal."""
    values, focus = grids[1], rule.focus.rows
    others = [row for row in range(values.shape.rows) if row not in focus]
    columns = range(values.shape.columns)
    pulled = length(
        tuple(
            add(*(subtract(values.at(row, c), mean_at(values, focus, c)) for row in others)) if others else num(0)
            for c in columns
        )
    )
    wanted = Over(subtract(Over(pulled, Num(rule.within)), num(len(others))), num(len(focus)))
    return Fn("ln", Largest((num(1), wanted)))


def head_scores(rule: varying_keys.HeadScores, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    longer = grids[1].at(0, 0)
    if j == rule.a:
        return times(longer, add(num(1), grids[0].at(0, i)))
    return longer if j == rule.b else num(0)


def sigmoid_share(rule: varying_keys.SigmoidShare, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    return Over(num(1), add(num(1), Fn("exp", minus(times(grids[1].at(0, 0), grids[0].at(0, j))))))


def output_size(rule: sliding_windows.OutputSize, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    before = grids[0].at(0, j)
    if j == 0:
        return before if rule.window.filters is None else num(rule.window.filters)
    side = rule.window.sides[j - 1]
    places = Over(add(before, num(2 * side.padding - side.extent)), num(side.stride))
    return add(Fn("floor", places), num(1))


def weight_count(rule: sliding_windows.WeightCount, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    if rule.window.filters is None:
        return num(0)
    area = rule.window.sides[0].kernel * rule.window.sides[1].kernel
    return times(num(rule.window.filters), add(times(grids[0].at(0, 0), num(area)), num(int(rule.window.bias))))


def convolved(rule: sliding_windows.Convolved, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    half = len(grids) // 2
    met = [
        times(grids[n].at(a, b), grids[half + n].at(p, q))
        for n in range(half)
        for a, b, p, q in sliding_windows.under(rule.window, grids[n].shape.size, i, j)
    ]
    return add(*met, *([Num(rule.shift)] if rule.shift or not met else []))


def pooled(rule: sliding_windows.Pooled, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
    seen = tuple(grids[0].at(a, b) for a, b, _, _ in sliding_windows.under(rule.window, grids[0].shape.size, i, j))
    if rule.op == "max":
        return Largest(seen) if seen else num(0)
    area = rule.window.sides[0].kernel * rule.window.sides[1].kernel
    return Over(add(*seen), num(area)) if seen else num(0)


CELLS: dict[type[Rule], WriteCell] = {
    scores.TimesNumber: lambda rule, g, i, j: times(Num(rule.factor), g[0].at(i, j)),
    scores.MinusLargest: lowered,
    scores.PaddingMask: masked,
    scores.CausalMask: masked,
    scores.AddedMask: added_mask,
    arrangements.Columns: lambda rule, g, i, j: g[0].at(i, rule.start + j),
    products.Dot: dotted,
    losses.LabelAsShare: lambda rule, g, i, j: Over(add(g[0].at(i, j), Num(ONE)), num(2)),
    losses.Penalty: penalised,
    losses.LogisticLoss: logistic_loss,
    descent.LogisticGradient: logistic_gradient,
    sums.Plus: lambda rule, g, i, j: add(g[0].at(i, j), g[1].at(i, j)),
    sums.Average: lambda rule, g, i, j: Over(add(g[0].at(i, j), g[1].spread(i, j)), num(2)),
    vectors.Along: along,
    vectors.MeanOfRows: mean_of_rows,
    vectors.Distance: distance,
    vectors.Strength: strength,
    varying_keys.HeadScores: head_scores,
    varying_keys.SigmoidShare: sigmoid_share,
    sliding_windows.OutputSize: output_size,
    sliding_windows.WeightCount: weight_count,
    sliding_windows.Added: lambda rule, g, i, j: add(*(grid.at(0, 0) for grid in g)),
    sliding_windows.Convolved: convolved,
    sliding_windows.Pooled: pooled,
}
"""Every rule that is written out cell by cell."""


class NotWritten(Exception):
    """A rule that says nothing from which a formula could be made."""


def by_terms(inputs: Sequence[Matrix]) -> WriteCell:
    """A rule that nobody has written out: the sum of products that it says itself, where it says one."""

    def write(rule: Rule, grids: tuple[Grid, ...], i: int, j: int) -> Scalar:
        terms = rule.terms(i, j, *inputs)
        if not terms or any(not term.cells for term in terms):
            raise NotWritten
        return add(*(times(Num(term.times), *(grids[n].at(a, b) for n, a, b in term.cells)) for term in terms))

    return write
