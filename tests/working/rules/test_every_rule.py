"""What every rule says of itself is true: its reach, its terms, its product, its cost and its slips."""

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import pytest

from clearhead import examples
from clearhead.errors import ClearheadError
from clearhead.exact.expressions import Cell, total_of
from clearhead.exact.matrices import Matrix
from clearhead.exact.order import compared
from clearhead.working import work
from clearhead.working.kinds import KINDS, kind_named
from clearhead.working.rules.rule import Reach, Rule, Term
from clearhead.working.steps import Step, Working

SMALL = 60  # cells: in larger tables not every cell is tried
INSIDE = {
    Reach.WHOLE: lambda i, j, row, column: True,
    Reach.CELL: lambda i, j, row, column: (row, column) == (i, j),
    Reach.ROW: lambda i, j, row, column: row == i,
    Reach.COLUMN: lambda i, j, row, column: column == j,
    Reach.ROW_J: lambda i, j, row, column: row == j,
    Reach.COLUMN_I: lambda i, j, row, column: column == i,
}


@lru_cache(maxsize=1)
def workings() -> list[Working]:
    templates = [tomllib.loads(kind_named(kind).template, parse_float=str) for kind in KINDS]
    bundled = [name for name in examples.names((".toml", ".json")) if name.count("/") == 1]
    return [work(problem) for problem in (*templates, *bundled)]


def used() -> Iterator[tuple[Step, Rule, list[Matrix], Matrix]]:
    """One use of every kind of rule, with small tables."""
    seen: set[type] = set()
    for working in workings():
        for step in working.plan.steps:
            small = (
                step.rule is not None and sum(len(table.rows) * len(table.rows[0]) for table in working.inputs(step)) <= SMALL
            )
            if step.rule is not None and small and type(step.rule) not in seen:
                seen.add(type(step.rule))
                yield step, step.rule, working.inputs(step), working.unrounded[step.name]


USED = list(used())
every_rule = pytest.mark.parametrize(("step", "rule", "inputs", "value"), USED, ids=[type(u[1]).__name__ for u in USED])


def changed(table: Matrix, place: tuple[int, int]) -> Matrix:
    """The table with one cell a little larger."""
    cells = [list(row) for row in table.rows]
    cells[place[0]][place[1]] += Fraction(1, 1000)  # type: ignore[operator]
    return Matrix(tuple(map(tuple, cells)), table.rank)


def same(a: Cell, b: Cell) -> bool:
    return compared(a, b) == 0


@every_rule
def test_a_cell_depends_on_nothing_beyond_its_reach(step: Step, rule: Rule, inputs: list[Matrix], value: Matrix) -> None:
    for n, reach in enumerate(rule.reach):
        for row, column in inputs[n].places():
            if isinstance(inputs[n][row, column], float):
                continue
            try:
                after = rule(*inputs[:n], changed(inputs[n], (row, column)), *inputs[n + 1 :])
            except ArithmeticError:
                continue
            moved = [place for place in value.places() if not same(value[place], after[place])]
            assert all(INSIDE[reach](*place, row, column) for place in moved), (n, row, column, moved)


def sum_of_terms(terms: list[Term], inputs: list[Matrix]) -> Cell:
    values = []
    for term in terms:
        made = term.times
        for n, i, j in term.cells:
            made = made * inputs[n][i, j]  # type: ignore[assignment,operator]
        values.append(made)
    return total_of(values)


@every_rule
def test_a_cell_is_the_sum_of_its_terms(step: Step, rule: Rule, inputs: list[Matrix], value: Matrix) -> None:
    for place in value.places():
        terms = rule.terms(*place, *inputs)
        if terms:
            assert same(sum_of_terms(terms, inputs), value[place])


@every_rule
def test_a_product_is_rows_times_columns(step: Step, rule: Rule, inputs: list[Matrix], value: Matrix) -> None:
    if rule.product is None:
        return
    a, b = (table.rows for table in inputs)
    left = list(zip(*a, strict=True)) if rule.product.left else a
    right = b if rule.product.right else list(zip(*b, strict=True))
    for i, j in value.places():
        assert same(value[i, j], total_of(x * y for x, y in zip(left[i], right[j], strict=True)))  # type: ignore[operator,misc]


@every_rule
def test_a_rule_costs_something_and_more_for_more(step: Step, rule: Rule, inputs: list[Matrix], value: Matrix) -> None:
    assert rule.cost(*inputs) > 0
    try:
        assert rule.cost(*inputs) < rule.cost(*(Matrix(table.rows * 3) for table in inputs))
    except ClearheadError:
        return  # tables of these sizes do not fit one another


@every_rule
def test_every_slip_says_what_was_done_and_gives_something_else(
    step: Step, rule: Rule, inputs: list[Matrix], value: Matrix
) -> None:
    for slip in rule.slips(*step.needs):
        assert slip.name
        assert len(slip.hint) > 10
        try:
            made = slip.make(*inputs)
        except (ArithmeticError, ValueError):
            continue  # these tables do not fit that way
        assert isinstance(made, Matrix)


def test_nearly_all_rules_were_tried() -> None:
    assert len(USED) >= 36
