"""Rigorous bounds for exact cells, and what they decide: order, rounding, the nearest float.

Bounds come first in floats, then in ever more decimal digits. Where they cannot decide (the value may lie exactly on the
border), the expression is multiplied out and tested for equality; so a tie is known to be one, and nothing is guessed.
"""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import cast

from clearhead.exact.balls import FLOATS, Ball, BallArithmetic, Undecided, decimals
from clearhead.exact.expressions import (
    ONE,
    ZERO,
    Cell,
    Exact,
    Expression,
    Inverse,
    Kept,
    Monomial,
    Special,
    collected,
    inverse,
    product_terms,
)
from clearhead.exact.special_functions import enclose_special

FIRST_DIGITS = 40
FLOAT_DIGITS = 15  # floats are not asked for more
DEEPEST_DIGITS = 2000  # beyond what is asked for: two values that agree so far are taken as equal
AS_GOOD_AS_NOTHING = Decimal((0, (1,), -DEEPEST_DIGITS // 2))
MULTIPLY_OUT_LIMIT = 5_000  # terms


def ladder(wanted: int, floats: bool = True) -> Iterator[BallArithmetic]:
    """Floats, then three times more digits at each rung, until well past the digits that are wanted."""
    if floats and wanted <= FLOAT_DIGITS:
        yield FLOATS
    digits = max(FIRST_DIGITS, wanted + 25)
    yield decimals(digits)
    while digits < wanted + DEEPEST_DIGITS:
        digits *= 3
        yield decimals(digits)


def enclose(cell: Exact, arithmetic: BallArithmetic) -> Ball:
    """Bounds of a cell; call it inside `arithmetic.active()`."""
    if type(cell) is Fraction:
        return arithmetic.rational(cell)
    assert isinstance(cell, Expression)
    key = arithmetic.digits
    found = cell.enclosed.get(key)
    if found is None:
        balls = [m.enclosed.get(key) or enclose_monomial(m, arithmetic) for m in cell.terms]
        alone = len(balls) == 1 and next(iter(cell.terms.values())) == 1
        found = cell.enclosed[key] = balls[0] if alone else arithmetic.total(cell.terms.values(), cast(list[Ball], balls))
    return cast(Ball, found)


def enclose_monomial(monomial: Monomial, arithmetic: BallArithmetic) -> Ball:
    """Bounds kept with the monomial, since the cells of a row share it."""
    ball = enclose_over(monomial, ZERO, arithmetic)
    monomial.enclosed[arithmetic.digits] = ball
    return ball


def enclose_over(monomial: Monomial, shift: Exact, arithmetic: BallArithmetic) -> Ball:
    """Bounds of √root · e^(exponent − shift) · Π atom^power.

    Exponents are subtracted exactly, so e^(10¹²) over e^(10¹² − 1) neither overflows nor blurs.
    """
    exponent: Exact = monomial.exponent - shift if shift else monomial.exponent
    ball = arithmetic.one
    for atom, power in monomial.factors:
        if isinstance(atom, Inverse):
            largest, base = enclose_inverse(atom, arithmetic)
            exponent = exponent - (largest if power == 1 else largest * power) if largest else exponent
            ball = times(ball, base, power, arithmetic)
            continue
        if isinstance(atom, Kept):
            part = enclose_kept(atom, arithmetic)
        elif isinstance(atom, Special):
            part = enclose_special(atom.name, enclose(atom.argument, arithmetic), arithmetic)
        else:
            part = enclose_log(atom.argument, arithmetic)
        ball = times(ball, arithmetic.invert(part) if power < 0 else part, abs(power), arithmetic)
    if monomial.root != 1:
        ball = times(ball, arithmetic.root(monomial.root), 1, arithmetic)
    if exponent:
        ball = times(ball, arithmetic.exp(enclose(exponent, arithmetic)), 1, arithmetic)
    return ball


def times(ball: Ball, factor: Ball, power: int, arithmetic: BallArithmetic) -> Ball:
    """A ball times a power of another; 1 times it is it, without another rounding."""
    for _ in range(power):
        ball = factor if ball is arithmetic.one else arithmetic.multiply(ball, factor)
    return ball


def enclose_kept(kept: Kept, arithmetic: BallArithmetic) -> Ball:
    """Bounds of a number kept whole: what it is made of comes first, in a loop, since a chain may be thousands deep."""
    key = arithmetic.digits
    waiting = [kept]
    while waiting:
        top = waiting[-1]
        if key in top.undecided:
            for each in waiting:  # all of them wait for this one
                each.undecided.add(key)
            raise Undecided
        before = [each for each in top.inside if not is_enclosed(each, key)]
        if before:
            waiting += before
            continue
        try:
            enclose(top.argument, arithmetic)
        except Undecided:
            top.undecided.add(key)
            continue
        waiting.pop()
    return enclose(kept.argument, arithmetic)


def is_enclosed(kept: Kept, key: int) -> bool:
    return isinstance(kept.argument, Fraction) or key in kept.argument.enclosed


def enclose_log(argument: Exact, arithmetic: BallArithmetic) -> Ball:
    """Bounds of ln x; of a sum as M + ln(sum / e^M), so that nothing overflows."""
    if isinstance(argument, Fraction):
        return arithmetic.log(arithmetic.rational(argument))
    largest, part = enclose_scaled(argument, arithmetic)
    rest = arithmetic.log(part)
    return arithmetic.total((ONE, ONE), (enclose(largest, arithmetic), rest)) if largest else rest


def enclose_scaled(total: Expression, arithmetic: BallArithmetic) -> tuple[Exact, Ball]:
    """M, the largest exponent of a sum, and bounds of sum / e^M."""
    key = -1 - arithmetic.digits
    found = total.enclosed.get(key)
    if found is None:
        largest: Exact = max((m.exponent for m in total.terms), key=lambda exponent: enclose(exponent, arithmetic).middle)
        ball = arithmetic.total(total.terms.values(), [enclose_over(m, largest, arithmetic) for m in total.terms])
        found = total.enclosed[key] = (largest, ball)
    return cast(tuple[Exact, Ball], found)


def enclose_inverse(atom: Inverse, arithmetic: BallArithmetic) -> tuple[Exact, Ball]:
    """M and bounds of e^M / sum: the cells of a row share it."""
    found = atom.enclosed.get(arithmetic.digits)
    if found is None:
        largest, ball = enclose_scaled(atom.total, arithmetic)
        found = atom.enclosed[arithmetic.digits] = (largest, arithmetic.invert(ball))
    return cast(tuple[Exact, Ball], found)


def compare(cell: Cell, border: Fraction) -> int:
    """−1, 0 or 1 as a cell lies below, on or above a fraction.

    >>> compare(Fraction(1, 3), Fraction(333, 1000))
    1
    """
    if isinstance(cell, float):
        return 1 if cell > 0 else -1
    if isinstance(cell, Fraction):
        return (cell > border) - (cell < border)
    sign = 0 if border else plain_sign(cell)
    if sign:
        return sign
    tested, near = False, False
    for arithmetic in ladder(border.denominator.bit_length() // 3):
        with arithmetic.active():
            try:
                ball, edge = enclose(cell, arithmetic), arithmetic.rational(border)
            except Undecided:
                continue
            gap, around = ball.middle - edge.middle, ball.radius + edge.radius
            if abs(gap) > 2 * around:
                return 1 if gap > 0 else -1
            near = arithmetic.digits > 0 and around < AS_GOOD_AS_NOTHING
        if arithmetic.digits and not tested:
            tested = True
            order = order_multiplied_out(cell, border)
            if order is not None:
                return order
    if not near:
        raise ArithmeticError("two values are too large, or too close to one another, to be told apart")
    return 0


def plain_sign(cell: Expression) -> int:
    """1 or −1 where the signs of the coefficients alone tell, else 0: e^x and √n are positive however small."""
    if not all(is_positive(monomial) for monomial in cell.terms):
        return 0
    signs = {coefficient > 0 for coefficient in cell.terms.values()}
    return 0 if len(signs) > 1 else 1 if signs.pop() else -1


def is_positive(monomial: Monomial) -> bool:
    return all(isinstance(atom, Inverse) and plain_sign(atom.total) > 0 for atom, _ in monomial.factors)


def order_multiplied_out(cell: Expression, border: Fraction) -> int | None:
    """The same as `compare`, from the difference times every sum it stands over; None where that tells nothing new.

    1 − e^(−10⁶) agrees with 1 to 434,294 digits, but e^(10⁶) / (e^(10⁶) + 1) − 1 is −1 over something positive.
    """
    rest, sign, multiplied = cell - border, 1, False
    while isinstance(rest, Expression):
        atom = next((atom for m in rest.terms for atom in m.inverses()), None)
        if atom is None:
            return sign * compare(rest, ZERO) if multiplied else None
        if len(rest.terms) * len(atom.total.terms) > MULTIPLY_OUT_LIMIT:
            return None
        sign *= compare(atom.total, ZERO)
        rest, multiplied = multiplied_out(rest, atom), True
    return sign * ((rest > 0) - (rest < 0))


def gathered(cell: Exact) -> Exact:
    """The same number over one product of sums, where it was a sum of quotients: e^x/(e^x + 1) − 1 is −1/(e^x + 1)."""
    if isinstance(cell, Fraction):
        return cell
    atoms = dict.fromkeys(atom for m in cell.terms for atom in m.inverses())
    above: Exact = cell
    below: Exact = ONE
    for atom in atoms:
        if isinstance(above, Fraction) or len(above.terms) * len(atom.total.terms) > MULTIPLY_OUT_LIMIT:
            return cell if isinstance(above, Expression) else above * below
        above, below = multiplied_out(above, atom), below * inverse(atom.total)
    return above * below


def multiplied_out(cell: Expression, below: Inverse) -> Exact:
    """The expression times the sum under one inverse."""
    terms: dict[Monomial, Fraction] = {}
    for monomial, coefficient in cell.terms.items():
        if any(atom == below for atom in monomial.inverses()):
            pieces = {monomial.without(below): coefficient}
        else:
            pieces = product_terms(Expression({monomial: coefficient}), below.total)
        for m, c in pieces.items():
            terms[m] = terms.get(m, ZERO) + c
    return collected(terms)
