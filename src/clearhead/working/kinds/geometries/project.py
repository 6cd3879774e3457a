"""The projection M = AAᵀ that takes v_a back out of the sum v_a + v_b."""

from clearhead.errors import InputError
from clearhead.exact.lengths import is_orthonormal, is_zero_table
from clearhead.exact.matrices import Matrix, product, size, transposed
from clearhead.exact.notation import named
from clearhead.working.kinds.geometries.geometry_question import GeometryQuestion, Laid
from clearhead.working.problem import Problem
from clearhead.working.rules.products import ProductTransposed, TransposedProduct
from clearhead.working.rules.sums import Plus
from clearhead.working.steps import Step, Working


def lay_out(problem: Problem) -> Laid:
    a, b, v_a, v_b = problem.require("A", "B", "v_a", "v_b")
    for name, basis in (("A", a), ("B", b)):
        vector = v_a if name == "A" else v_b
        if basis.shape[0] != vector.shape[1]:
            raise InputError(
                f"given.{name} is {size(basis)} and given.v_{name.lower()} has {vector.shape[1]} numbers: "
                f"the columns of {name} are basis vectors, so it needs one row for each number"
            )
    if v_a.shape != v_b.shape:
        raise InputError(f"given.v_a has {v_a.shape[1]} numbers and given.v_b has {v_b.shape[1]}; they need equally many")
    return Laid(
        given={"A": a, "B": b, "v_a": v_a, "v_b": v_b},
        steps=steps(),
        answer=("M", "recovered"),
        observe=observe,
    )


def steps() -> list[Step]:
    gram = Step(
        name="gram",
        formula="A^T A",
        latex=r"A^\top A",
        symbol=named("gram"),
        why="The dot products of A's columns: the identity where they are perpendicular and of length 1.",
        needs=("A", "A"),
        rule=TransposedProduct(),
    )
    overlap = Step(
        name="overlap",
        formula="A^T B",
        latex=r"A^\top B",
        symbol=named("overlap"),
        why="The dot products of A's columns with B's: all 0 where the two spaces are perpendicular.",
        needs=("A", "B"),
        rule=TransposedProduct(),
    )
    m = Step(
        name="M",
        formula="A A^T",
        latex=r"A A^\top",
        why="M measures a vector along each column of A and builds it up again from these columns alone.",
        needs=("A", "A"),
        rule=ProductTransposed(),
    )
    s = Step(
        name="s",
        formula="v_a + v_b",
        latex="v_{a} + v_{b}",
        why="All that is known: the sum of the two.",
        needs=("v_a", "v_b"),
        rule=Plus(),
    )
    recovered = Step(
        name="recovered",
        formula="s M^T",
        latex=r"s M^\top",
        symbol="M s",
        why="M applied to the sum, written as a row: what lies in the space of A stays, what is perpendicular to it goes.",
        needs=("s", "M"),
        rule=ProductTransposed(),
    )
    return [gram, overlap, m, s, recovered]


def observe(working: Working) -> list[str]:
    """Whether the conditions hold, and what M gives where they do not; from the givens, without rounding."""
    a, b, v_a, v_b = (working.values[name] for name in ("A", "B", "v_a", "v_b"))
    columns = transposed(a)
    m = product(a, columns)
    orthonormal = is_orthonormal(columns)
    apart = is_zero_table(product(columns, b))
    kept, left = product(v_a, m), product(v_b, m)
    said = [
        "The columns of A are orthonormal, so M leaves every vector of their space as it is."
        if orthonormal
        else "The columns of A are not orthonormal (gram is not the identity), so M does not leave the vectors of their space "
        "as they are; A (A^T A)^-1 A^T would, if the columns are independent.",
        "The columns of A and B are perpendicular, so M takes every vector of B's space to 0."
        if apart
        else "The columns of A and B are not perpendicular (overlap is not 0), so M keeps a part of B's space.",
    ]
    if is_zero_table(left) and kept.rows == v_a.rows:
        return [*said, "M v_a = v_a and M v_b = 0: M s is v_a exactly."]
    return [
        *said,
        f"M s = M v_a + M v_b = {shown(working, kept)} + {shown(working, left)}, and v_a is {shown(working, v_a)}: "
        + ("the two errors cancel." if Plus()(kept, left).rows == v_a.rows else "M does not recover v_a."),
    ]


def shown(working: Working, vector: Matrix) -> str:
    return "[" + ", ".join(working.said(cell) for cell in vector.rows[0]) + "]"


PROJECT = GeometryQuestion(given=("A", "B", "v_a", "v_b"), lay_out=lay_out)
"""Which matrix takes one value back out of a sum?"""
