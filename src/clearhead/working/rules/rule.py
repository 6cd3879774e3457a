"""What a rule is: how one named step is made from what it needs, and all that can be asked about that.

A rule is called with the values of `Step.needs`, in that order, and returns the new value, exactly. A new rule is a class
under `Rule`, its own numbers annotated as in a dataclass (which it also may be); `__call__` and `explain` must be there, all
else has a plain answer to be overridden:

    explain(i, j, show, *inputs)   how cell (i, j) was made, as a line of the page
    terms(i, j, *inputs)           the terms that the cell is the sum of; none where it is no sum
    called                         the function's name, where people write it as one: softmax([2, 1])
    reach                          for each input, which part of it a cell is made from (a page lights that part up)
    product                        which of two tables are turned, where the rule is their product and nothing else
    cost(*inputs)                  about how long it takes on these values, known before it is done
    slips(*needs)                  what people do instead, each with a name, what would come out and a hint
    rounded_inside(decimals)       the same with what nobody writes down, a root or powers of e, kept to so many decimals

Inputs may be a person's own values: what a rule cannot take it refuses with an ArithmeticError. Marking calls the same rules
on those, so what follows from a slip is the steps' own graph; a slip is tried by putting its `make` in the place of the rule.
Rules compose: a rule made of others calls them, and joins their costs, terms and slips.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import Enum
from typing import ClassVar, NamedTuple, TypeAlias, dataclass_transform

from clearhead.exact.expressions import ONE, Cell, Exact, Expression, finite, total_of
from clearhead.exact.matrices import Matrix
from clearhead.exact.policies import rounded

MOST_WRITTEN_OUT = 64  # terms of one sum on a page
PLAIN_CELL, TERM = 50, 20  # tenths of a microsecond: a cell of any table, and each further term of its expression

Show: TypeAlias = Callable[[Cell], str]
"""Writes a cell the way the page writes cells."""


class Reach(Enum):
    """Which part of an input one cell (i, j) of the result is made from."""

    WHOLE = "all of it"
    CELL = "cell (i, j)"
    ROW = "row i"
    COLUMN = "column j"
    ROW_J = "row j"
    COLUMN_I = "column i"

    @property
    def turned(self) -> "Reach":
        """The same part where the input is written transposed."""
        turns = ((Reach.ROW, Reach.COLUMN_I), (Reach.COLUMN, Reach.ROW_J))
        return next((b if self is a else a for a, b in turns if self in (a, b)), Reach.WHOLE)


class Turns(NamedTuple):
    """Which factors of a product of two tables are transposed."""

    left: bool = False
    right: bool = False


class Term(NamedTuple):
    """One term of the sum that a cell is: some cells of the inputs (which input, row and column), times a number."""

    cells: tuple[tuple[int, int, int], ...]
    times: Exact = ONE


class Slip(NamedTuple):
    """What somebody does instead of a rule: its name, what then comes out of the same inputs, and one line that says so.

    With `afterwards` the slip shows one step later: every step that takes this one is changed by it once it is worked.
    """

    name: str
    make: Callable[..., Matrix]
    hint: str
    afterwards: Callable[[Matrix], Matrix] | None = None


@dataclass_transform(frozen_default=True)
class Rule(ABC):
    """Values in, value out; see the module. A frozen dataclass in all but the time that making one takes at start-up."""

    _fields: ClassVar[tuple[str, ...]] = ()
    called: ClassVar[str] = ""  # the name that people call it by as a function of a row

    def __init_subclass__(cls) -> None:
        cls._fields = (*cls._fields, *cls.__annotations__)

    def __init__(self, *values: object, **named: object) -> None:
        given = dict(zip(self._fields, values, strict=False)) | named
        missing = [name for name in self._fields if name not in given and not hasattr(type(self), name)]
        if missing or len(values) > len(self._fields) or not given.keys() <= set(self._fields):
            raise TypeError(f"{type(self).__name__} takes {', '.join(self._fields) or 'nothing'}")
        self.__dict__.update(given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is what it is: {name} cannot be set")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in self._fields)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._fields)})"

    @abstractmethod
    def __call__(self, *inputs: Matrix) -> Matrix:
        """The value of the step, exactly."""

    @abstractmethod
    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        """How cell (i, j) was made, without its value: `1·0 + (-1)·1 + 2·1`."""

    def terms(self, i: int, j: int, *inputs: Matrix) -> list[Term]:
        """The terms that cell (i, j) is the sum of: one dropped, doubled or turned is a slip that can be told."""
        return []

    @property
    def reach(self) -> tuple[Reach, ...]:
        """For each input the part that a cell is made from; what is not listed is read whole."""
        return ()

    @property
    def makes_numbers_of_numbers(self) -> bool:
        """Whether single numbers can only give a single number: no table comes from nothing."""
        return True

    @property
    def product(self) -> Turns | None:
        """Which factors are turned, where the rule is the product of its two inputs and nothing else."""
        return None

    def cost(self, *inputs: Matrix) -> int:
        """About how long the rule takes on these values, in tenths of a microsecond."""
        return table_cost(PLAIN_CELL, *inputs)

    def slips(self, *needs: str) -> Iterator[Slip]:
        """What people do instead; `needs` are the names of the inputs, for the hints."""
        return iter(())

    def rounded_inside(self, decimals: int) -> "Iterator[Callable[..., Matrix]]":
        """What comes out where people round on the way: a root, powers of e, each term of a sum. Right as far as it goes."""
        yield lambda *inputs: summed_terms(self, decimals, inputs)


def summed_terms(rule: Rule, decimals: int, inputs: tuple[Matrix, ...]) -> Matrix:
    """A rule's value as the sum of its terms, each rounded to so many decimals; refused where it is no sum."""
    whole = rule(*inputs)

    def cell(i: int, j: int) -> Exact:
        terms = rule.terms(i, j, *inputs)
        if len(terms) < 2:
            raise ArithmeticError("not a sum of terms")
        return total_of(finite(rounded(product_of(term, inputs), decimals)) for term in terms)

    rows, columns = whole.shape
    return Matrix(tuple(tuple(cell(i, j) for j in range(columns)) for i in range(rows)), whole.rank)


def product_of(term: Term, inputs: tuple[Matrix, ...]) -> Exact:
    """What one term comes to."""
    value = term.times
    for which, i, j in term.cells:
        value = value * finite(inputs[which][i, j])
    return value


def table_cost(cell: int, *inputs: Matrix) -> int:
    """The cost of going through every cell of some tables once, at so much a cell."""
    cells = sum(rows * columns for rows, columns in (value.shape for value in inputs))
    return cells * cell + (sum(terms_in(value) for value in inputs) - cells) * TERM


def terms_in(value: Matrix) -> int:
    """How many terms the cells of a table have, all together."""
    return sum(len(cell.terms) if isinstance(cell, Expression) else 1 for row in value.rows for cell in row)


class Instead(Rule):
    """A rule that does something else than the step's own: what a slip, or another order of work, makes of it."""

    make: Callable[..., Matrix]

    def __call__(self, *inputs: Matrix) -> Matrix:
        return self.make(*inputs)

    def explain(self, i: int, j: int, show: Show, *inputs: Matrix) -> str:
        return show(self(*inputs)[i, j])
