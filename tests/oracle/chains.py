"""A scalar recurrent net to many digits: every state and every slope, by mpmath, from the formulas alone."""

from collections.abc import Callable
from fractions import Fraction

from mpmath import mp, mpf

DIGITS = 80

VALUES: dict[str, Callable[[mpf], mpf]] = {
    "tanh": mp.tanh,
    "sigmoid": lambda z: 1 / (1 + mp.exp(-z)),
    "relu": lambda z: z if z > 0 else mpf(0),
    "identity": lambda z: z,
}
SLOPES: dict[str, Callable[[mpf, mpf], mpf]] = {
    "tanh": lambda h, z: 1 - h * h,
    "sigmoid": lambda h, z: h * (1 - h),
    "relu": lambda h, z: mpf(int(z > 0)),
    "identity": lambda h, z: mpf(1),
}


def number(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def chain(x: list[Fraction], y: Fraction, w: Fraction, a: Fraction, g: str) -> dict[str, mpf]:
    """z1, h1, …, loss, d_h…, d_z…, d_w and d_a, by name."""
    with mp.workdps(DIGITS):
        own, inputs = number(w), [number(each) for each in x]
        found: dict[str, mpf] = {"h0": mpf(0)}
        for t, each in enumerate(inputs, start=1):
            found[f"z{t}"] = own * found[f"h{t - 1}"] + number(a) * each
            found[f"h{t}"] = VALUES[g](found[f"z{t}"])
        last = len(inputs)
        off = found[f"h{last}"] - number(y)
        found |= {"loss": off * off / 2, f"d_h{last}": off}
        for t in range(last, 0, -1):
            found[f"d_z{t}"] = found[f"d_h{t}"] * SLOPES[g](found[f"h{t}"], found[f"z{t}"])
            found[f"d_h{t - 1}"] = own * found[f"d_z{t}"]
        found["d_w"] = mp.fsum(found[f"d_z{t}"] * found[f"h{t - 1}"] for t in range(1, last + 1))
        found["d_a"] = mp.fsum(found[f"d_z{t}"] * each for t, each in enumerate(inputs, start=1))
        return found
