"""Beam search by hand: every beam goes on with every token, the best stay, and so on."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.expressions import Cell, finite
from clearhead.exact.matrices import Matrix, vector
from clearhead.exact.notation import bracketed, named
from clearhead.exact.order import compared
from clearhead.working.fields import read_matrix, read_names, read_vector, read_whole
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.rule import Rule, Show, Slip, Term
from clearhead.working.steps import Labels, Plan, Step

TEMPLATE = """\
kind = "beam"
title = "Beam search over three tokens, two beams wide"

[given]
vocabulary = ["the", "cat", "sat"]
start = [0.5, 0.375, 0.125]            # how likely each token is to come first
P = [[0.25, 0.5, 0.25], [0.125, 0.25, 0.625], [0.5, 0.25, 0.25]]   # row: the last token; column: the next

[options]
width = 2                              # how many beams stay
length = 3                             # how many tokens each has in the end
"""
MOST_LENGTH, MOST_WIDTH, LARGEST_VOCABULARY = 10, 10, 30


@dataclass(frozen=True, slots=True)
class GoneOn(Rule):
    """Each beam's probability times that of each next token: from the beams and P."""

    last: tuple[int, ...]  # the last token of each beam

    def __call__(self, *inputs: Matrix) -> Matrix:
        beams, table = inputs
        rows = [[finite(beams[0, i]) * finite(cell) for cell in table.rows[row]] for i, row in enumerate(self.last)]
        return Matrix(tuple(map(tuple, rows)))

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        return [Term(((0, 0, i), (1, self.last[i], j)))]

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return f"{bracketed(show(inputs[0][0, i]))}·{bracketed(show(inputs[1][self.last[i], j]))}"


@dataclass(frozen=True, slots=True)
class BestOf(Rule):
    """The largest cells of a table, the largest first; of equal ones the earlier."""

    width: int

    def __call__(self, *inputs: Matrix) -> Matrix:
        return vector([inputs[0][place] for place in best_places(inputs[0], self.width)])

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        row, column = best_places(inputs[0], self.width)[j]
        return f"number {j + 1} by size: row {row + 1}, column {column + 1}"

    def slips(self, *needs: str) -> Iterator[Slip]:
        def greedy(table: Matrix) -> Matrix:
            if len(table.rows) < self.width:
                raise ArithmeticError("fewer rows than beams")
            rows = [max_of(row) for row in table.rows][: self.width]
            return vector(rows)

        yield Slip("axis", greedy, "the best of each beam was kept; the best of all are")


def max_of(row: tuple[Cell, ...]) -> Cell:
    best = row[0]
    for cell in row[1:]:
        best = cell if compared(cell, best) > 0 else best
    return best


def best_places(table: Matrix, width: int) -> list[tuple[int, int]]:
    """Where the largest cells stand."""
    left = list(table.places())
    found: list[tuple[int, int]] = []
    while left and len(found) < width:
        best = left[0]
        for place in left[1:]:
            best = place if compared(table[place], table[best]) > 0 else best
        found.append(best)
        left.remove(best)
    return found


def plan(problem: Problem) -> Plan:
    vocabulary, start, table = problem.require("vocabulary", "start", "P")
    width, length = problem.option("width", 2), problem.option("length", 3)
    require_fitting(vocabulary, start, table, width)
    beams: list[tuple[int, ...]] = []
    steps: list[Step] = []
    values: Matrix = start
    for position in range(1, length + 1):
        source = "start" if position == 1 else f"scores{position}"
        if position > 1:
            rule = GoneOn(tuple(beam[-1] for beam in beams))
            values = rule(values, table)
            steps.append(gone_on(position, rule, tuple(spoken(beam, vocabulary) for beam in beams), vocabulary))
        places = best_places(values, width)
        beams = [(*(beams[row] if position > 1 else ()), column) for row, column in places]
        steps.append(kept(position, source, BestOf(width), tuple(spoken(beam, vocabulary) for beam in beams)))
        values = vector([values[place] for place in places])
    last = steps[-1]
    return Plan(
        kind="beam",
        title=problem.title,
        given={"start": start, "P": table},
        labels={"start": ((), vocabulary), "P": (vocabulary, vocabulary)},
        steps=tuple(steps),
        answer=(last.name,),
        observe=lambda working: [f"The best beam is “{last.columns[0]}”."],
        marks=problem.marks,
    )


def spoken(beam: tuple[int, ...], vocabulary: Labels) -> str:
    return " ".join(vocabulary[token] for token in beam)


def require_fitting(vocabulary: Labels, start: Matrix, table: Matrix, width: int) -> None:
    n = len(vocabulary)
    if n > LARGEST_VOCABULARY:
        raise InputError(f"given.vocabulary has {n} tokens; at most {LARGEST_VOCABULARY} can be worked")
    if start.shape[1] != n or table.shape != (n, n):
        raise InputError(
            f"given.vocabulary has {n} tokens, so start needs {n} numbers and P {n} rows of {n}; "
            f"they have {start.shape[1]} and {table.shape[0]}×{table.shape[1]}"
        )
    for name, row in (("start", start.rows[0]), *((f"P, row {i}", row) for i, row in enumerate(table.rows, start=1))):
        shares = [cell for cell in row if isinstance(cell, Fraction)]
        if any(cell < 0 for cell in shares) or sum(shares) != 1:
            raise InputError(f"given.{name}: must be shares from 0 on that add up to 1, but adds up to {sum(shares)}")
    if width > n:
        raise InputError(f"options.width: {width} beams need as many first tokens, and there are {n}")


def gone_on(position: int, rule: GoneOn, beams: Labels, vocabulary: Labels) -> Step:
    return Step(
        name=f"scores{position}",
        formula=f"each of beams{position - 1} times its row of P",
        latex=rf"{named(f'beams{position - 1}')} \cdot P",
        symbol=named(f"scores{position}"),
        why="Every beam goes on with every token: the probabilities are multiplied.",
        needs=(f"beams{position - 1}", "P"),
        rule=rule,
        rows=beams,
        columns=vocabulary,
    )


def kept(position: int, source: str, rule: BestOf, beams: Labels) -> Step:
    return Step(
        name=f"beams{position}",
        formula=f"the {rule.width} largest of {source}",
        latex=rf"\text{{the {rule.width} largest of }} {named(source)}",
        symbol=named(f"beams{position}"),
        why="Only the likeliest stay, whichever beam they come from.",
        needs=(source,),
        rule=rule,
        columns=beams,
    )


KIND = Kind(
    given={"vocabulary": read_names, "start": read_vector, "P": read_matrix},
    options={"width": read_whole(1, MOST_WIDTH), "length": read_whole(1, MOST_LENGTH)},
    template=TEMPLATE,
    plan=plan,
)
