"""Perplexity in base 2, e or any other: the base cancels, as long as power and logarithm share it."""

import math
from collections.abc import Callable, Sequence

import torch

from clearhead.lab.claim import Finding, Trial
from clearhead.pictures import Axis, Graph, Trace, graphs

QUICK = "as in full; it takes a moment"
BASES = (1.5, 2.0, math.e, 10.0, 256.0)
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
    apart = max(abs(each / found[1] - 1) for each in found)
    mean_ln = math.fsum(math.log(share) for share in shares) / len(shares)
    mixed = 2**-mean_ln  # the slip: natural logarithm, power of 2
    return Finding(
        {
            "bases": list(BASES),
            "perplexity": found,
            "at most apart, as a share": apart,
            "of a uniform guess among 50": uniform,
            "ln with powers of 2, the common slip": mixed,
        },
        {
            "the base cancels, to 1e-12": apart < 1e-12,
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
