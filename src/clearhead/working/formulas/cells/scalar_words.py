"""One cell of a formula in words: the sum as a person writes it on the board."""

from collections.abc import Callable

from clearhead.exact.notation import bracketed
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


def words_of(scalar: Scalar, show: Callable[[Leaf | Num | Worked], str]) -> str:
    """The cell as a person writes it out: `1·3 + 2·(-4)`."""

    def inner(part: Scalar) -> str:
        return words_of(part, show)

    match scalar:
        case Leaf() | Num() | Worked():
            return show(scalar)
        case WeighedTerm(weight, x):
            return f"{bracketed(inner(weight))}·{bracketed(inner(x))}"
        case Sum(parts, minus):
            pieces = [inner(part) for part in parts]
            first = f"-{in_sum(pieces[0], True)}" if 0 in minus else pieces[0]
            return first + "".join(
                f" {'-' if n in minus else '+'} {in_sum(piece, n in minus)}" for n, piece in enumerate(pieces[1:], start=1)
            )
        case Mul(parts):
            return "·".join(bracketed(inner(part)) for part in parts)
        case Over(above, below):
            return f"{bracketed(inner(above))} / {bracketed(inner(below))}"
        case Pow(base, exponent):
            raised = str(exponent) if exponent.denominator == 1 and exponent > 0 else f"({exponent})"
            return f"{bracketed(inner(base))}^{raised}"
        case Fn("exp", x):
            return f"e^({inner(x)})"
        case Fn("sqrt", x):
            return f"√{bracketed(inner(x))}"
        case Fn("ln", x):
            return f"ln {bracketed(inner(x))}"
        case Fn(name, x):
            return f"|{inner(x)}|" if name == "abs" else f"{name}({inner(x)})"
        case Largest(parts):
            return f"max({'; '.join(inner(part) for part in parts)})"
        case Above(a, b, strictly):
            return f"[{inner(a)} {'>' if strictly else '≥'} {inner(b)}]"
        case Where(condition, then, otherwise):
            return f"{inner(then)} if {inner(condition)} else {inner(otherwise)}"
        case Once(x):
            return inner(x)
        case Said(_, words, numbers):
            return words.format(*(inner(part) for part in numbers))


def in_sum(piece: str, taken_off: bool) -> str:
    """A term after the first: a sign of its own needs brackets, and so does a sum that is taken off."""
    if piece.startswith(("-", "−")):
        return f"({piece})"
    return piece if not taken_off or (" + " not in piece and " - " not in piece) else bracketed_sum(piece)


def bracketed_sum(piece: str) -> str:
    depth = 0
    for at, sign in enumerate(piece):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and piece[at : at + 3] in (" + ", " - "):
            return f"({piece})"
    return piece
