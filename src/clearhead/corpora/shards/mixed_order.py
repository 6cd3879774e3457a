"""A random order of very many things that takes no memory: each place is mixed into another by arithmetic.

A Feistel network over the next even number of bits turns the numbers below a power of four round one to one; what falls
outside is turned again until it falls inside. Place, seed and epoch alone say what comes there, so any process at any time can
go on from anywhere.
"""

import hashlib
from functools import lru_cache

ROUNDS = 4


@lru_cache(maxsize=64)
def keys_of(seed: int, epoch: int) -> tuple[int, ...]:
    """The keys of the rounds."""
    digest = hashlib.sha256(f"order/{seed}/{epoch}".encode()).digest()
    return tuple(int.from_bytes(digest[8 * each : 8 * each + 8], "big") for each in range(ROUNDS))


def mixed(place: int, total: int, seed: int, epoch: int) -> int:
    """What comes at a place in the order of an epoch.

    >>> sorted(mixed(place, 10, seed=0, epoch=0) for place in range(10))
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    """
    half = max(1, ((total - 1).bit_length() + 1) // 2)
    mask, keys = (1 << half) - 1, keys_of(seed, epoch)
    number = place
    while True:
        left, right = number >> half, number & mask
        for key in keys:
            left, right = right, left ^ (scrambled(right, key) & mask)
        number = left << half | right
        if number < total:
            return number


def scrambled(number: int, key: int) -> int:
    """Bits well stirred, as the finaliser of splitmix64 does it."""
    x = (number + key) & 0xFFFFFFFFFFFFFFFF
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    x = (x ^ x >> 27) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return x ^ x >> 31
