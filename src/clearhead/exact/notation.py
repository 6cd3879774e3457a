"""Exact numbers as people write them: plain text and LaTeX from one walk over the terms."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from unicodedata import normalize

from clearhead.exact.expressions import ZERO, Atom, Cell, Exact, Inverse, Kept, Log, Monomial, Special
from clearhead.exact.kept_numbers import opened
from clearhead.exact.powers import lone_logarithm


@dataclass(frozen=True, slots=True)
class Notation:
    """How one language writes a fraction, a power of e, a root, a logarithm and infinity."""

    fraction: Callable[[str, str], str]  # of whole numbers
    over: Callable[[str, str], str]  # of sums
    power: Callable[[str, str], str]  # base, exponent
    root: Callable[[str], str]
    log: Callable[[str], str]
    special: Callable[[str, str], str]  # sin, cos, erf, π
    infinity: str
    times: str = ""
    dot: str = "·"  # between numbers


def bracketed(written: str) -> str:
    """Brackets where a sum, a quotient or a sign would be misread."""
    depth, plain = 0, not written.startswith("-")
    for sign in written:
        depth += (sign == "(") - (sign == ")")
        plain = plain and (depth > 0 or sign not in " +/·")
    return written if plain else f"({written})"


def is_one_thing(written: str) -> bool:
    """A number, a letter or what stands in brackets: an exponent that needs none of its own. e^100√2 would be (e^100)√2.

    >>> is_one_thing("3"), is_one_thing("100√2"), is_one_thing("√2")
    (True, False, True)
    """
    return re.fullmatch(r"\d+(\.\d+)?|[a-zσ]|√\d+|\([^()]*\)", written) is not None


def on_one_line(exponent: str) -> str:
    r"""Fractions in an exponent are written with a stroke: e^{3/2}.

    >>> on_one_line(r"-\frac{3}{2}")
    '-3/2'
    """
    return re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", exponent)


TEXT = Notation(
    fraction=lambda above, below: f"{above}/{below}",
    over=lambda above, below: f"{bracketed(above)} / {bracketed(below)}",
    power=lambda base, exponent: f"{base}^{exponent if is_one_thing(exponent) else f'({exponent})'}",
    root=lambda x: f"√{bracketed(x)}",
    log=lambda x: f"ln {bracketed(x)}",
    special=lambda name, x: f"{name}({x})" if x else name,
    infinity="inf",
    times="·",
)
LATEX = Notation(
    fraction=lambda above, below: rf"\frac{{{above}}}{{{below}}}",
    over=lambda above, below: rf"\frac{{{above}}}{{{below}}}",
    power=lambda base, exponent: f"{base}^{{{on_one_line(exponent)}}}",
    root=lambda x: rf"\sqrt{{{x}}}",
    log=lambda x: rf"\ln\left({x}\right)",
    special=lambda name, x: rf"\mathrm{{{name}}}\left({x}\right)" if x else r"\pi",
    infinity=r"\infty",
    dot=r" \cdot ",
)


def text(cell: Cell) -> str:
    """A cell in plain text.

    >>> text(Fraction(-1, 2))
    '-1/2'
    """
    return write(cell, TEXT)


def latex(cell: Cell) -> str:
    """A cell in LaTeX."""
    return write(cell, LATEX)


def write(cell: Cell, notation: Notation) -> str:
    """A cell in a notation, its terms in the order they came."""
    if isinstance(cell, float):
        return notation.infinity if cell > 0 else f"-{notation.infinity}"
    if isinstance(cell, Fraction):
        return signed(cell, write_size(abs(cell), notation))
    cell = opened(cell)
    if isinstance(cell, Fraction):
        return write(cell, notation)
    groups: dict[Inverse | None, list[tuple[Monomial, Fraction]]] = {}
    for monomial, coefficient in cell.terms.items():
        groups.setdefault(next(monomial.inverses(), None), []).append((monomial, coefficient))
    pieces: list[str] = []
    for inverse, terms in groups.items():
        if inverse is None:
            pieces += [write_term(m, c, notation) for m, c in terms]
        else:
            pieces.append(write_quotient(inverse, terms, notation))
    return joined(pieces)


def write_quotient(inverse: Inverse, terms: list[tuple[Monomial, Fraction]], notation: Notation) -> str:
    """Terms over one sum, with whole coefficients above and below: ½·e³/(e³+2) is e³/(2e³+4)."""
    scale = math.lcm(*(c.denominator for _, c in terms))
    minus = all(c < 0 for _, c in terms)
    power = min(dict(m.factors)[inverse] for m, _ in terms)
    for _ in range(power):
        terms = [(m.without(inverse), c) for m, c in terms]
    above = joined([write_term(m, c * (-scale if minus else scale), notation) for m, c in terms])
    total = [write_term(m, c * (scale if power == 1 else 1), notation) for m, c in inverse.total.terms.items()]
    below = joined(total)
    if power > 1:
        below = ("" if scale == 1 else f"{scale}{notation.times}") + notation.power(f"({below})", str(power))
    return ("-" if minus else "") + notation.over(above, below)


def write_term(monomial: Monomial, coefficient: Fraction, notation: Notation) -> str:
    factors = []
    if monomial.root != 1:
        factors.append(notation.root(str(monomial.root)))
    if monomial.exponent:
        factors.append(write_power(monomial.exponent, notation))
    below: list[str] = []
    for atom, power in sorted(monomial.factors, key=lambda pair: write_atom(pair[0], notation)):
        name = write_atom(atom, notation)
        target = below if power < 0 or isinstance(atom, Inverse) else factors
        target.append(name if abs(power) == 1 else notation.power(f"({name})", str(abs(power))))
    size = abs(coefficient)
    above = notation.times.join(factors) if all(not f.startswith("ln") for f in factors) else "·".join(factors)
    if not factors:
        above = str(size.numerator)
    elif size.numerator != 1:
        # 2 ln 3, 2·5^(1/3), 2·(x + 1), but 2e^3
        space = " " if above.startswith(("l", "\\ln")) else notation.dot if above[0].isdigit() or above[0] == "(" else ""
        above = f"{size.numerator}{space}{above}"
    if size.denominator != 1:
        below.insert(0, str(size.denominator))
    if not below:
        return signed(coefficient, above)
    simple = len(below) == 1 and below[0].isdigit() and "ln" not in above
    under = notation.times.join(below) or below[0]
    return signed(coefficient, notation.fraction(above, under) if simple else notation.over(above, under))


def write_power(exponent: Exact, notation: Notation) -> str:
    """e^x, where e is e^1, √y is e^(½ ln y) and 5^(3/5) is e^(3/5 ln 5)."""
    if exponent == 1:
        return "e"
    powers = [] if isinstance(exponent, Fraction) else [(lone_logarithm(m), c) for m, c in exponent.terms.items()]
    inside, coefficient = powers[0] if powers else (None, ZERO)
    if len(powers) == 1 and inside is not None and coefficient == Fraction(1, 2):
        return notation.root(write(inside, notation))
    if powers and all(isinstance(base, Fraction) for base, _ in powers):
        written = ((write(base, notation), write(c, notation)) for base, c in powers if base is not None)
        return notation.dot.join(notation.power(bracketed(base), power) for base, power in written)
    return notation.power("e", write(exponent, notation))


def write_atom(atom: Atom, notation: Notation) -> str:
    if isinstance(atom, Log):
        return notation.log(write(atom.argument, notation))
    if isinstance(atom, Special):
        return notation.special(atom.name, "" if atom.name == "π" else write(atom.argument, notation))
    return f"({write(atom.argument if isinstance(atom, Kept) else atom.total, notation)})"


def write_size(size: Fraction, notation: Notation) -> str:
    return str(size.numerator) if size.denominator == 1 else notation.fraction(str(size.numerator), str(size.denominator))


def signed(coefficient: Fraction, written: str) -> str:
    return f"-{written}" if coefficient < 0 else written


def joined(pieces: list[str]) -> str:
    """Terms with their signs between them: a + b - c."""
    return pieces[0] + "".join(f" - {p[1:]}" if p.startswith("-") else f" + {p}" for p in pieces[1:])


def plain(value: Fraction) -> str:
    """A short number as people write it: a decimal where it ends within twelve places, else a fraction.

    >>> plain(Fraction(-1, 8)), plain(Fraction(1, 3)), plain(Fraction(2))
    ('-0.125', '1/3', '2')
    """
    places = next((n for n in range(13) if 10**n % value.denominator == 0), None)
    if places is None:
        return str(value)
    digits = str(abs(value.numerator) * (10**places // value.denominator)).rjust(places + 1, "0")
    return signed(value, digits[: len(digits) - places] + ("." + digits[len(digits) - places :] if places else ""))


GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Sigma Phi Psi Omega"
)
GREEK = frozenset(GREEK_NAMES.split())
SHORT_INDEX = 2  # letters that may be names; more are a word
ACCENTS = frozenset(["hat", "bar", "tilde", "dot"])  # y_hat
MARKS = {"\u0302": "hat", "\u0304": "bar", "\u0303": "tilde", "\u0307": "dot"}  # ŷ, and C̃, which has no letter of its own


def named(name: str) -> str:
    r"""A step's or given's name in LaTeX: W_Q1 is W_{Q1}, y_hat and ŷ wear their hat, words stand upright.

    >>> named("W_Q1"), named("y_hat"), named("C̃_t"), named("loss"), named("beta1")
    ('W_{Q1}', '\\hat{y}', '\\tilde{C}_{t}', '\\mathrm{loss}', '\\beta_{1}')
    """
    base, _, index = name.partition("_")
    accent, _, rest = index.partition("_")
    if accent in ACCENTS:
        symbol, index = rf"\{accent}{{{lettered(base)}}}", rest
    elif index:
        symbol = lettered(base)
    else:
        letters = name.rstrip("0123456789")
        symbol, index = lettered(letters), name[len(letters) :]
    below = rf"\mathrm{{{index}}}" if len(index) > SHORT_INDEX and index.isalpha() else index  # h_prev, but W_QK
    return f"{symbol}_{{{below}}}" if index else symbol


def lettered(word: str) -> str:
    """A word as one symbol: a Greek letter, a letter with its accent, or upright."""
    if word in GREEK:
        return rf"\{word}"
    plain_word, accent = split_accent(word)
    if accent:
        return rf"\{accent}{{{lettered(plain_word)}}}"
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def split_accent(word: str) -> tuple[str, str]:
    """A letter that wears an accent, and the accent; the word itself and nothing where it wears none."""
    if word.isascii():
        return word, ""
    apart = normalize("NFD", word)
    return (apart[0], MARKS[apart[1]]) if len(apart) == 2 and apart[1] in MARKS else (word, "")
