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
    value_of,
)

FUNCTIONS = {
    "exp": "EXP",
    "ln": "LN",
    "sqrt": "SQRT",
    "abs": "ABS",
    "tanh": "TANH",
    "sin": "SIN",
    "cos": "COS",
    "erf": "ERF",
    "floor": "INT",
}
NOTHING_LEFT = "-1E+300"  # a spreadsheet has no −∞; e to this power is 0


LARGEST_POWER = 300.0  # e to more than twice that is no number in a spreadsheet


def live(scalar: Scalar, place: Callable[[Leaf], str], read: Callable[[Leaf], Cell]) -> str:
    """A formula without its equals sign; `place` says where a cell stands, `read` what stands there now."""

    def inner(part: Scalar) -> str:
        return live(part, place, read)

    match scalar:
        case Over(Fn("exp", own), Sum(parts, minus)) if not minus and is_steep(parts, read):
            powers = [inner(part.x) for part in parts if isinstance(part, Fn)]
            top = f"MAX({','.join(powers)})"
            return f"EXP({inner(own)}-{top})/({'+'.join(f'EXP({power}-{top})' for power in powers)})"
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
        case Fn("ln", x) if value_of(x, read) == 0:  # −∞ as the sheet has it; LN(0) would be an error
            return f"IF({inner(x)}<=0,{NOTHING_LEFT},LN({inner(x)}))"
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


def is_steep(parts: tuple[Scalar, ...], read: Callable[[Leaf], Cell]) -> bool:
    """Whether powers of e are added of which one is too large to be written: their largest is taken off first."""
    powers = [part.x for part in parts if isinstance(part, Fn) and part.name == "exp"]
    return len(powers) == len(parts) and any(as_float(value_of(x, read)) > LARGEST_POWER for x in powers)


def number(value: Cell) -> str:
    """A number as every spreadsheet reads it: signs in brackets, fractions as quotients."""
    if isinstance(value, float):
        return f"({NOTHING_LEFT})" if value < 0 else "1E+300"
    if isinstance(value, Fraction):
        short = str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        return short if value >= 0 and value.denominator == 1 else f"({short})"
    return repr(as_float(value)).upper()
