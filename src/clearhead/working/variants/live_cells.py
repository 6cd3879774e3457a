"""One written-out cell as the live formula of a spreadsheet."""

from collections.abc import Callable
from fractions import Fraction

from clearhead.exact.decimals import as_float
from clearhead.exact.expressions import Cell
from clearhead.working.formulas.cells.scalars import (
    Above,
    Fn,
    Largest,
    Leaf,
    Mul,
    Num,
    Once,
    Over,
    Pow,
    Said,
    Scalar,
    Sum,
    WeighedTerm,
    Where,
    Worked,
)

FUNCTIONS = {"exp": "EXP", "ln": "LN", "sqrt": "SQRT", "abs": "ABS", "tanh": "TANH", "sin": "SIN", "cos": "COS", "erf": "ERF"}
NOTHING_LEFT = "-1E+300"  # a spreadsheet has no −∞; e to this power is 0


def live(scalar: Scalar, place: Callable[[Leaf], str]) -> str:
    """A formula without its equals sign; `place` says where a cell stands."""

    def inner(part: Scalar) -> str:
        return live(part, place)

    match scalar:
        case Leaf():
            return place(scalar)
        case Num(value) | Worked(value):
            return number(value)
        case Sum(parts, minus):
            signs = ("-" if n in minus else "+" for n in range(len(parts)))
            return (
                "(" + "".join(f"{sign}{inner(part)}" for sign, part in zip(signs, parts, strict=True)).removeprefix("+") + ")"
            )
        case Mul(parts):
            return "*".join(inner(part) for part in parts)
        case Over(above, below):
            return f"({inner(above)})/({inner(below)})"
        case Pow(base, exponent):
            return f"POWER({inner(base)},{number(exponent)})"
        case Fn(name, x):
            return f"{FUNCTIONS[name]}({inner(x)})"
        case Largest(parts):
            return f"MAX({','.join(inner(part) for part in parts)})"
        case Above(a, b, strictly):
            return f"IF({inner(a)}{'>' if strictly else '>='}{inner(b)},1,0)"
        case Where(condition, then, otherwise):
            return f"IF({inner(condition)}=1,{inner(then)},{inner(otherwise)})"
        case WeighedTerm(weight, x):
            return f"IF({inner(weight)}=0,0,{inner(weight)}*{inner(x)})"
        case Said(inside) | Once(inside):
            return inner(inside)


def number(value: Cell) -> str:
    """A number as every spreadsheet reads it: signs in brackets, fractions as quotients."""
    if isinstance(value, float):
        return f"({NOTHING_LEFT})" if value < 0 else "1E+300"
    if isinstance(value, Fraction):
        short = str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        return short if value >= 0 and value.denominator == 1 else f"({short})"
    return repr(as_float(value)).upper()
