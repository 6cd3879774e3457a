"""How sure a counted share is: Wilson's interval, which does not shrink to a point where all or nothing was right."""

import math

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations


def wilson(right: int, total: int) -> tuple[float, float]:
    """Where the true share lies with 95 % certainty, when `right` of `total` were right.

    >>> [round(end, 3) for end in wilson(75, 75)], [round(end, 3) for end in wilson(8, 10)]
    ([0.951, 1.0], [0.49, 0.943])
    """
    share, middle = right / total, (right + Z**2 / 2) / (total + Z**2)
    half = Z * math.sqrt(share * (1 - share) / total + Z**2 / (4 * total**2)) / (1 + Z**2 / total)
    return middle - half if right else 0.0, middle + half if right < total else 1.0
