"""A formula problem needs nothing else to be marked: right pages get full marks, slips are found where they were made and
named, and what follows from them is not held against anybody."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from clearhead.errors import ClearheadError
from clearhead.exact.decimals import decimal_text
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import rounded
from clearhead.working import Plan, load_problem, work
from clearhead.working.marking import Mark, Marker
from clearhead.working.reading import read_working

DECIMALS = 6
PROBLEMS = ("mlp", "backpropagation", "lstm", "attention-backward", "adam", "clip", "residual-net", "momentum")


def written(value: Matrix) -> str:
    if value.rank == 0:
        return decimal_text(value.cell, DECIMALS)
    return f"[{', '.join('[' + ', '.join(decimal_text(cell, DECIMALS) for cell in row) + ']' for row in value.rows)}]"


class Class:
    """A problem, its right values, and a marker."""

    def __init__(self, name: str) -> None:
        problem = load_problem(f"examples/{name}")
        problem = replace(problem, options={key: value for key, value in problem.options.items() if key != "round"})
        self.values = dict(work(problem).values)
        self.marker = Marker(problem)
        self.plan: Plan = self.marker.key.plan

    def mark(self, values: dict[str, Matrix]) -> Mark:
        page = "".join(f"{step.name} = {written(values[step.name])}\n" for step in self.plan.steps)
        return self.marker.mark(read_working(page, self.plan))

    def slips(self) -> Iterator[tuple[str, set[str], dict[str, Matrix]]]:
        """Every slip that shows: the step, the names it may have, and everything a person would go on to write."""
        for place, step in enumerate(self.plan.steps):
            assert step.rule is not None
            seen: dict[str, set[str]] = {}
            tables: dict[str, Matrix] = {}
            for slip in step.rule.slips(*step.needs):
                try:
                    made = slip.make(*(self.values[name] for name in step.needs))
                except (ClearheadError, ArithmeticError, ValueError, IndexError):
                    continue
                if made.shape == self.values[step.name].shape and written(made) != written(self.values[step.name]):
                    seen.setdefault(written(made), set()).add(slip.name)
                    tables[written(made)] = made.map(lambda cell: rounded(cell, DECIMALS))
            for page, names in seen.items():
                values = {**self.values, step.name: tables[page]}
                try:
                    for later in self.plan.steps[place + 1 :]:
                        assert later.rule is not None
                        values[later.name] = later.rule(*(values[name] for name in later.needs))
                except (ClearheadError, ArithmeticError):
                    continue
                yield step.name, names, values


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_right_page_gets_full_marks(name: str) -> None:
    room = Class(name)
    mark = room.mark(room.values)
    assert mark.first_error is None
    assert mark.score == mark.max_score


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_slip_is_found_in_its_step_and_named(name: str) -> None:
    room = Class(name)
    tried = 0
    for step, names, values in room.slips():
        error = room.mark(values).first_error
        assert error is not None
        assert error.step == step
        assert error.slip in names, (step, error.hint)
        tried += 1
    assert tried >= 5


@pytest.mark.parametrize("name", ["mlp", "backpropagation", "lstm", "residual-net"])
def test_what_follows_from_a_slip_is_not_wrong(name: str) -> None:
    room = Class(name)
    for step, _, values in room.slips():
        verdicts = {mark.name: mark.verdict for mark in room.mark(values).steps}
        assert [name for name, verdict in verdicts.items() if verdict == "wrong"] == [step]


def test_a_single_bad_number_is_called_arithmetic() -> None:
    room = Class("matrix-product")
    rows = [list(row) for row in room.values["AB"].rows]
    rows[2][1] = rows[2][1] + 17
    mark = room.mark({**room.values, "AB": Matrix(tuple(map(tuple, rows)))})
    assert mark.first_error is not None
    assert (mark.first_error.slip, mark.first_error.cell) == ("arithmetic", (2, 1))


def test_the_hint_says_what_was_left_out() -> None:
    room = Class("backpropagation")
    hints = {}
    for step, _, values in room.slips():
        error = room.mark(values).first_error
        assert error is not None
        hints[step, error.slip] = error.hint
    assert hints["d_z1", "derivative-left-out"] == "the slope relu'(z1) was left out"
    assert hints["z1", "term"] == "b1 was left out"
