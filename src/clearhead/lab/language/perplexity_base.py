"""Perplexity in base 2, e or any other: the base cancels, as long as power and logarithm share it."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext

import torch

from clearhead.lab.claim import Finding, Trial
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
BASES = (0.5, 1.5, 2.0, math.e, 10.0, 256.0)  # a base below 1 turns logarithm and power round, and cancels too
TOKENS, VOCAB = 1000, 50


def perplexity(shares: Sequence[float], base: float) -> float:
    """b^(−mean log_b p)."""
    mean = math.fsum(math.log(share) / math.log(base) for share in shares) / len(shares)
    return math.pow(base, -mean)


def experiment(trial: Trial, perplexity: Callable[[Sequence[float], float], float] = perplexity) -> Finding:
    logits = 2 * torch.randn(TOKENS, VOCAB, dtype=torch.float64)
    shares = logits.softmax(-1)[:, 0].tolist()
    found = [perplexity(shares, base) for base in BASES]
    uniform = [perplexity([1 / VOCAB] * 10, base) for base in BASES]
    apart = max(abs(each / found[2] - 1) for each in found)
    root = without_logarithm(shares)
    mean_ln = math.fsum(math.log(share) for share in shares) / len(shares)
    mixed = 2**-mean_ln  # the slip: natural logarithm, power of 2
    return Finding(
        {
            "bases": list(BASES),
            "perplexity": found,
            "at most apart, as a share": apart,
            "without any logarithm: the 1,000th root of 1 / Πp, in 50 digits": root,
            "tokens until that product is 0 in float64": tokens_until_zero(shares),
            "of a uniform guess among 50": uniform,
            "ln with powers of 2, the common slip": mixed,
        },
        {
            "the base cancels, to 1e-12": apart < 1e-12,
            "it is the root of the product, which has no base": max(abs(each / root - 1) for each in found) < 1e-12,
            "a uniform guess among 50 has perplexity 50 in every base": max(abs(each - VOCAB) for each in uniform) < 1e-9,
        },
        graphs(
            [
                Graph(
                    "Perplexity by base",
                    Axis("base", logarithmic=True),
                    Axis("perplexity", logarithmic=True),
                    [
                        Trace("power and logarithm of one base", list(zip(BASES, found, strict=True))),
                        Trace("that base's power of the mean ln", [(base, base**-mean_ln) for base in BASES if base <= 10]),
                    ],
                )
            ]
        ),
    )


def without_logarithm(shares: Sequence[float]) -> float:
    """(Πp)^(−1/n), as perplexity is defined, in 50 digits and exponents that do not run out."""
    with localcontext(prec=50):
        product = math.prod(map(Decimal, shares))
        return float(product ** (Decimal(-1) / len(shares)))


def tokens_until_zero(shares: Sequence[float]) -> int:
    """Why nobody computes it so: after this many tokens the product has run out of exponents."""
    product = 1.0
    for count, share in enumerate(shares, 1):
        product *= share
        if product == 0:
            return count
    return len(shares) + 1
