"""A new kind of problem is one file and one line: then it is worked, marked with its slip named, and rendered."""

from extensions.conftest import Copy

KIND = '''
"""Momentum: the velocity keeps a share of itself and takes the gradient in; the weights step against it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.matrices import Matrix, cell_by_cell
from clearhead.working.fields import read_cell, read_vector
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.rule import Reach, Rule, Show, Slip
from clearhead.working.steps import Plan, Step

TEMPLATE = """\\\\
kind = "momentum"
title = "One step with momentum"

[given]
w = [1, -2]
v = [2, 4]
g = [0.5, 1]

[options]
share = 0.5
rate = 2
"""


@dataclass(frozen=True, slots=True)
class Sum(Rule):
    """a·x + b·y, cell by cell."""

    a: Fraction
    b: Fraction

    def __call__(self, *inputs: Matrix) -> Matrix:
        return cell_by_cell(lambda x, y: self.a * x + self.b * y, *inputs)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        x, y = (show(value[i, j]) for value in inputs)
        return f"{self.a}·({x}) + {self.b}·({y})"

    @property
    def reach(self) -> tuple[Reach, ...]:
        return (Reach.CELL, Reach.CELL)

    def slips(self, *needs: str) -> Iterator[Slip]:
        yield Slip("sign", Sum(self.a, -self.b), f"{needs[1]} was added with the wrong sign")


def plan(problem: Problem) -> Plan:
    w, v, g = problem.require("w", "v", "g")
    share, rate = problem.option("share", Fraction(9, 10)), problem.option("rate", Fraction(1, 10))
    velocity = Step(
        name="velocity",
        formula="share v + g",
        latex=r"\\\\beta v + g",
        why="The velocity keeps a share of itself and takes in the gradient.",
        needs=("v", "g"),
        rule=Sum(share, Fraction(1)),
    )
    stepped = Step(
        name="new_w",
        formula="w - rate velocity",
        latex=r"w - \\\\eta v",
        why="The weights go down the velocity.",
        needs=("w", "velocity"),
        rule=Sum(Fraction(1), -rate),
    )
    return Plan(
        kind="momentum",
        title=problem.title,
        given={"w": w, "v": v, "g": g},
        steps=(velocity, stepped),
        answer=("new_w",),
        marks=problem.marks,
    )


KIND = Kind(
    given={"w": read_vector, "v": read_vector, "g": read_vector},
    options={"share": read_cell, "rate": read_cell},
    template=TEMPLATE,
    plan=plan,
)
'''.replace("\\\\", "\\").lstrip()


def test_a_kind_is_one_file_and_one_line(package: Copy) -> None:
    package.add("working/kinds/momentum.py", KIND)
    package.extend("working/kinds/kind.py", "KINDS: dict[str, str] = {", '    "momentum": "one step with momentum",')
    assert "momentum" in package.clearhead("kinds")
    problem = package.folder / "problem.toml"
    problem.write_text(package.clearhead("kinds", "momentum"), encoding="utf-8")

    worked = package.told("work", problem, "--format", "json")
    assert {step["name"]: step["value"] for step in worked["steps"]} == {"velocity": [1.5, 3.0], "new_w": [-2.0, -8.0]}
    for form in ("text", "markdown", "latex", "html"):
        assert "velocity" in package.clearhead("work", problem, "--format", form)

    working = package.folder / "working.txt"
    working.write_text("velocity = [1.5, 3]\nnew_w = [4, 4]\n", encoding="utf-8")
    mark = package.told("mark", problem, working, "--format", "json")
    assert [step["verdict"] for step in mark["steps"]] == ["right", "wrong"]
    assert mark["first_error"]["step"] == "new_w"
    assert mark["first_error"]["slip"] == "sign"
