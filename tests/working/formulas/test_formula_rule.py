"""What the rule of formulas says of itself is true of every step of every bundled formula: its terms, its reach, its words."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from clearhead import examples
from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import ONE, Exact
from clearhead.exact.matrices import Matrix
from clearhead.working import load_problem, work
from clearhead.working.formulas.evaluation import by_cells, value
from clearhead.working.formulas.formula_rule import FormulaRule
from clearhead.working.formulas.text.tree import Call, walk
from clearhead.working.rules.rule import Reach

NAMES = [name.removesuffix(".toml") for name in examples.names((".toml",)) if load_problem(name).kind == "formula"]
CLOSE = 1e-9
INSIDE = {
    Reach.WHOLE: lambda i, j, row, column: True,
    Reach.CELL: lambda i, j, row, column: (row, column) == (i, j),
    Reach.ROW: lambda i, j, row, column: row == i,
    Reach.COLUMN: lambda i, j, row, column: column == j,
    Reach.ROW_J: lambda i, j, row, column: row == j,
    Reach.COLUMN_I: lambda i, j, row, column: column == i,
}


def steps_of(name: str) -> Iterator[tuple[FormulaRule, list[Matrix], Matrix]]:
    working = work(name, round="exact")
    for step in working.plan.steps:
        assert isinstance(step.rule, FormulaRule)
        yield step.rule, working.inputs(step), working.values[step.name]


def nearly(a: object, b: object) -> bool:
    x, y = as_float(a), as_float(b)  # type: ignore[arg-type]
    return x == y or abs(x - y) <= CLOSE * max(1.0, abs(y))


@pytest.mark.parametrize("name", NAMES)
def test_terms_add_up_to_the_cell(name: str) -> None:
    for rule, inputs, made in steps_of(name):
        for i, j in made.places():
            terms = rule.terms(i, j, *inputs)
            if terms and not isinstance(made[i, j], float):
                total: Exact = Fraction(0)
                for term in terms:
                    part = ONE * term.times
                    for n, row, column in term.cells:
                        part = part * inputs[n][row, column]  # type: ignore[operator]
                    total = total + part
                assert nearly(total, made[i, j])


@pytest.mark.parametrize("name", NAMES)
def test_a_cell_does_not_move_with_what_is_out_of_reach(name: str) -> None:
    for rule, inputs, made in steps_of(name):
        if sum(table.shape[0] * table.shape[1] for table in inputs) > 30:
            continue
        for n, table in enumerate(inputs):
            inside = INSIDE[rule.reach[n]]
            for row, column in table.places():
                rows = [list(line) for line in table.rows]
                if isinstance(rows[row][column], float):
                    continue
                rows[row][column] = rows[row][column] + Fraction(1, 1000)
                moved = Matrix(tuple(map(tuple, rows)), table.rank)
                try:
                    other = rule(*inputs[:n], moved, *inputs[n + 1 :])
                except ArithmeticError:
                    continue
                outside = [(i, j) for i, j in made.places() if not inside(i, j, row, column)]
                assert all(nearly(other[place], made[place]) for place in outside)


@pytest.mark.parametrize("name", NAMES)
def test_whole_tables_and_single_cells_agree(name: str) -> None:
    """What is worked fast as a table is what is written out cell by cell."""
    for rule, inputs, _ in steps_of(name):
        values = dict(zip(rule.needs, inputs, strict=True))
        for node in walk(rule.tree):
            if isinstance(node, Call):
                fast = value(node, values)
                slow = by_cells(node, tuple(value(arg, values) for arg in node.args))
                assert fast.shape == slow.shape
                assert all(nearly(fast[place], slow[place]) for place in fast.places())


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_explained_in_one_line(name: str) -> None:
    for rule, inputs, made in steps_of(name):
        for i, j in made.places():
            told = rule.explain(i, j, lambda cell: f"{as_float(cell):.3g}", *inputs)
            assert told
            assert "\n" not in told
            assert "Expression" not in told
