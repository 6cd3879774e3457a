"""Interpolated Kneser–Ney over pairs of words, one probability at a time, with dictionaries and loops."""

from collections import Counter, defaultdict


def probability(pairs: list[tuple[int, int]], vocab: int, start: int, before: int, word: int) -> float:
    """P(word | before) by the formula, nothing kept from one call to the next."""
    counts = Counter(pairs)
    once, twice = (sum(1 for n in counts.values() if n == times) for times in (1, 2))
    discount = once / (once + 2 * twice) if once else 0.5
    pasts = defaultdict(set)
    for past, following in counts:
        pasts[following].add(past)
    seen = sum(1 for following in pasts if pasts[following])
    lower = {}
    for candidate in range(vocab):
        if candidate != start:
            lower[candidate] = max(len(pasts[candidate]) - discount, 0) + discount * seen / (vocab - 1)
    backed_off = lower.get(word, 0.0) / sum(lower.values())
    of_before = sum(n for (past, _), n in counts.items() if past == before)
    if of_before == 0:
        return backed_off
    kinds = sum(1 for past, _ in counts if past == before)
    return max(counts[before, word] - discount, 0) / of_before + discount * kinds / of_before * backed_off
