"""Numbers kept whole, so that a chain of thousands of steps stays as short as its steps; see `Kept`."""

from collections.abc import Iterator
from fractions import Fraction

from clearhead.exact.expressions import ONE, ZERO, Exact, Expression, Inverse, Kept, Monomial


def kept_whole(cell: Exact) -> Exact:
    """The same number as one term that nothing looks into; see `Kept`."""
    if opened(cell) is not cell:
        return cell
    kept = Kept(cell, tuple(dict.fromkeys(kept_inside(cell))))
    return Expression({Monomial(1, ZERO, frozenset({(kept, 1)})): ONE})


def opened(cell: Exact) -> Exact:
    """What a number that is kept whole stands for; any other is itself."""
    if isinstance(cell, Expression) and len(cell.terms) == 1:
        [(monomial, coefficient)] = cell.terms.items()
        if coefficient == 1 and len(monomial.factors) == 1 and monomial.root == 1 and not monomial.exponent:
            [(atom, power)] = monomial.factors
            if isinstance(atom, Kept) and power == 1:
                return atom.argument
    return cell


def kept_inside(cell: Exact) -> Iterator[Kept]:
    """The numbers kept whole that a cell is made of, not looking into those."""
    if isinstance(cell, Fraction):
        return
    for monomial in cell.terms:
        if monomial.exponent:
            yield from kept_inside(monomial.exponent)
        for atom, _ in monomial.factors:
            if isinstance(atom, Kept):
                yield atom
            else:
                yield from kept_inside(atom.total if isinstance(atom, Inverse) else atom.argument)
