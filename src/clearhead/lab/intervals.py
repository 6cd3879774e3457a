"""How sure a sampled number is: intervals that hold the true value 95 times in 100."""

import math
from collections.abc import Sequence

from clearhead.lab.claim import Interval
from clearhead.wilson import Z, wilson

FEW = (12.706, 4.303, 3.182, 2.776, 2.571)  # of Student's t, for 1 to 5 degrees of freedom


def share(hits: int, of: int) -> Interval:
    """A share of what was tried, with Wilson's interval.

    >>> share(8, 10)
    Interval(value=0.8, low=0.49016..., high=0.94331...)
    """
    return Interval(hits / of, *wilson(hits, of))


def mean(samples: Sequence[float]) -> Interval:
    """The mean of independent samples, ± as many standard errors as Student's t asks for so few.

    >>> mean([1.0, 1.0, 1.0])
    Interval(value=1.0, low=1.0, high=1.0)
    """
    n, centre = len(samples), math.fsum(samples) / len(samples)
    variance = math.fsum((sample - centre) ** 2 for sample in samples) / max(1, n - 1)
    half = student(n - 1) * math.sqrt(variance / n)
    return Interval(centre, centre - half, centre + half)


def student(freedom: int) -> float:
    """The 97.5 % point of Student's t: from a table where there are few degrees of freedom, else by its expansion.

    >>> round(student(3), 3), round(student(9), 2), round(student(1000), 2)
    (3.182, 2.26, 1.96)
    """
    if freedom <= len(FEW):
        return FEW[max(freedom, 1) - 1]
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)


def spread(samples: Sequence[float]) -> Interval:
    """The standard deviation of independent samples; its interval comes from the spread of their squares (any distribution).

    >>> spread([1.0, -1.0] * 8).value
    1.0
    """
    centre = math.fsum(samples) / len(samples)
    squares = mean([(sample - centre) ** 2 for sample in samples])
    return Interval(math.sqrt(squares.value), math.sqrt(max(0.0, squares.low)), math.sqrt(squares.high))


def slope(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The least-squares slope of y over x.

    >>> slope([0, 1, 2], [1, 3, 5])
    2.0
    """
    x_mean, y_mean = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    above = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return above / math.fsum((x - x_mean) ** 2 for x in xs)


def power(xs: Sequence[float], ys: Sequence[float]) -> float:
    """The b of y ∝ xᵇ: the slope of log y over log x.

    >>> round(power([1, 2, 4], [3, 12, 48]), 9)
    2.0
    """
    return slope([math.log(x) for x in xs], [math.log(y) for y in ys])
