"""One step of an optimiser as formulas: plain descent, momentum, RMSprop and Adam."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from clearhead.exact.notation import bracketed, plain
from clearhead.working.formulas.text.tree import number_text

NUMBERS: dict[str, dict[str, Fraction]] = {
    "sgd": {"rate": Fraction(1, 10)},
    "momentum": {"rate": Fraction(1, 10), "beta": Fraction(9, 10)},
    "rmsprop": {"rate": Fraction(1, 10), "beta": Fraction(9, 10), "eps": Fraction(1, 10**8)},
    "adam": {
        "rate": Fraction(1, 1000),
        "beta1": Fraction(9, 10),
        "beta2": Fraction(999, 1000),
        "eps": Fraction(1, 10**8),
        "t": Fraction(1),
    },
}
"""What each rule takes, and what it takes for it where the file says nothing."""


@dataclass(frozen=True, slots=True)
class Update:
    """One step of an optimiser: its name, its formula as typed, why, and which older value people take instead."""

    name: str
    formula: str
    why: str
    old: tuple[tuple[str, str], ...] = ()


def updates_of(rule: str, name: str, numbers: Mapping[str, Fraction], given: Mapping[str, object]) -> list[Update]:
    """The steps that change one parameter; an earlier state may be given as m0_<name> and v0_<name>, else it is 0."""
    made = {key: numbers.get(key, value) for key, value in NUMBERS[rule].items()}
    return STEPS[rule](name, made, given)


def weighted(old: str, beta: Fraction, new: str, given: Mapping[str, object], full: bool = False) -> str:
    """β·old + (1 − β)·new; without an older state only the second part."""
    share = new if full else f"{plain(1 - beta)}·{new}"
    return f"{plain(beta)}·{old} + {share}" if old in given else share


def sgd(name: str, n: Mapping[str, Fraction], given: Mapping[str, object]) -> list[Update]:
    rate = bracketed(plain(n["rate"]))
    return [
        Update(
            f"new_{name}",
            f"{name} - {rate}·d_{name}",
            f"One step against the gradient, by the learning rate {plain(n['rate'])}.",
        )
    ]


def momentum(name: str, n: Mapping[str, Fraction], given: Mapping[str, object]) -> list[Update]:
    speed = weighted(f"v0_{name}", n["beta"], f"d_{name}", given, full=True)
    return [
        Update(f"v_{name}", speed, f"The speed: {plain(n['beta'])} of what it was (0 at the start), and the gradient."),
        Update(f"new_{name}", f"{name} - {plain(n['rate'])}·v_{name}", "One step against the speed, by the learning rate.",
               old_of(f"v_{name}", f"v0_{name}", given)),
    ]  # fmt: skip


def rmsprop(name: str, n: Mapping[str, Fraction], given: Mapping[str, object]) -> list[Update]:
    size = weighted(f"v0_{name}", n["beta"], f"d_{name}^2", given)
    step = f"{name} - {plain(n['rate'])}·d_{name} / (sqrt(v_{name}) + {number_text(n['eps'])})"
    return [
        Update(f"v_{name}", size, "The mean size of the gradient so far, squared cell by cell (0 at the start)."),
        Update(f"new_{name}", step, "One step against the gradient, each cell measured by its usual size.",
               old_of(f"v_{name}", f"v0_{name}", given)),
    ]  # fmt: skip


def adam(name: str, n: Mapping[str, Fraction], given: Mapping[str, object]) -> list[Update]:
    t = int(n["t"])
    first = weighted(f"m0_{name}", n["beta1"], f"d_{name}", given)
    second = weighted(f"v0_{name}", n["beta2"], f"d_{name}^2", given)
    lift = "At the start both means lean towards 0; divided by 1 - β^t they do not."
    step = f"{name} - {plain(n['rate'])}·mhat_{name} / (sqrt(vhat_{name}) + {number_text(n['eps'])})"
    return [
        Update(f"m_{name}", first, "The mean of the gradients so far (0 at the start)."),
        Update(f"v_{name}", second, "The mean of their squares, cell by cell (0 at the start)."),
        Update(f"mhat_{name}", f"m_{name} / {plain(1 - n['beta1'] ** t)}", lift, old_of(f"m_{name}", f"m0_{name}", given)),
        Update(f"vhat_{name}", f"v_{name} / {plain(1 - n['beta2'] ** t)}", lift, old_of(f"v_{name}", f"v0_{name}", given)),
        Update(f"new_{name}", step, "One step against the mean gradient, each cell measured by its usual size.",
               ((f"mhat_{name}", f"m_{name}"), (f"vhat_{name}", f"v_{name}"))),
    ]  # fmt: skip


def old_of(new: str, old: str, given: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    return ((new, old),) if old in given else ()


STEPS = {"sgd": sgd, "momentum": momentum, "rmsprop": rmsprop, "adam": adam}
