"""Whole numbers taken apart: primes with their powers, and the square that can be pulled out of a root."""

import math
from functools import lru_cache

FACTOR_LIMIT = 10_000  # trial division stops here: larger primes stay inside their logarithm or root


def squarefree(n: int) -> tuple[int, int]:
    """n = a²·b with b free of squares, as far as trial division goes."""
    outside, inside = 1, 1
    for prime, power in prime_powers(n):
        whole = math.isqrt(prime)
        if whole * whole == prime:  # a large factor that trial division left whole
            outside *= whole**power
            continue
        outside *= prime ** (power // 2)
        inside *= prime ** (power % 2)
    return outside, inside


@lru_cache(maxsize=4096)
def prime_powers(n: int) -> tuple[tuple[int, int], ...]:
    """The primes of n with their powers; what is left above the limit counts as one."""
    found: list[tuple[int, int]] = []
    prime = 2
    while prime * prime <= n and prime <= FACTOR_LIMIT:
        power = 0
        while n % prime == 0:
            n, power = n // prime, power + 1
        if power:
            found.append((prime, power))
        prime += 1 if prime == 2 else 2
    return (*found, (n, 1)) if n > 1 else tuple(found)
