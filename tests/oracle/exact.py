"""Numbers to hundreds of digits by mpmath, with generous guard digits; knows nothing of how clearhead keeps them.

A recipe is a nested tuple that says how a number is made: ("+", a, b), ("exp", a), ("root", Fraction), a Fraction itself.
"""

import math
from fractions import Fraction
from typing import Any

import mpmath

Recipe = Any


def value(recipe: Recipe, digits: int) -> mpmath.mpf:
    """The number a recipe makes, good to at least `digits` significant digits after any cancellation tests here make."""
    with mpmath.workdps(digits):
        return +evaluated(recipe)


def evaluated(recipe: Recipe) -> mpmath.mpf:
    if isinstance(recipe, Fraction):
        return mpmath.mpf(recipe.numerator) / recipe.denominator
    name, *parts = recipe
    numbers = [evaluated(part) for part in parts]
    if name == "+":
        return mpmath.fsum(numbers)
    if name == "*":
        return mpmath.fprod(numbers)
    if name == "/":
        return numbers[0] / numbers[1]
    if name == "exp":
        return mpmath.exp(numbers[0])
    if name == "log":
        return mpmath.log(numbers[0])
    if name == "root":
        return mpmath.sqrt(numbers[0])
    raise ValueError(name)


def decimal_digits(recipe: Recipe, decimals: int, guard: int = 60) -> str:
    """The number to so many decimals, half away from zero; refuses where even the guard digits cannot tell."""
    with mpmath.workdps(decimals + guard + 60):
        number = evaluated(recipe)
        scaled = abs(number) * mpmath.mpf(10) ** decimals
        whole = int(mpmath.floor(scaled + mpmath.mpf(1) / 2))
        edge = abs(scaled + mpmath.mpf(1) / 2 - mpmath.nint(scaled + mpmath.mpf(1) / 2))
        if edge < mpmath.mpf(10) ** -guard and not isinstance(recipe, Fraction):
            raise ArithmeticError("too close to a tie for this oracle")
    text = str(whole).rjust(decimals + 1, "0")
    point = len(text) - decimals
    sign = "-" if number < 0 and whole else ""
    return sign + text[:point] + ("." + text[point:] if decimals else "")


def fraction_digits(x: Fraction, decimals: int) -> str:
    """A fraction to so many decimals by long division on paper: one digit at a time, then the next one decides."""
    whole, rest = divmod(abs(x.numerator), x.denominator)
    digits = []
    for _ in range(decimals):
        digit, rest = divmod(rest * 10, x.denominator)
        digits.append(digit)
    number = [int(d) for d in str(whole)] + digits
    if rest * 2 >= x.denominator:
        place = len(number) - 1
        while place >= 0 and number[place] == 9:
            number[place] = 0
            place -= 1
        if place >= 0:
            number[place] += 1
        else:
            number.insert(0, 1)
    text = "".join(map(str, number))
    point = len(text) - decimals
    sign = "-" if x < 0 and any(number) else ""
    return sign + text[:point] + ("." + text[point:] if decimals else "")


def nearest_float(recipe: Recipe) -> float:
    """The correctly rounded float, subnormals and overflow included."""
    with mpmath.workdps(400):
        found = evaluated(recipe)
    mantissa, power = int(found.man), int(found.exp)
    above, below = (mantissa << power, 1) if power > 0 else (mantissa, 1 << -power)
    try:
        size = above / below  # Python divides whole numbers with one rounding
    except OverflowError:
        size = math.inf
    return -size if found < 0 else size
