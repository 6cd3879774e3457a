"""What a question of the geometry kind is, and the checks that several of them share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, size
from clearhead.working.problem import Problem
from clearhead.working.steps import Labels, Step, Working


@dataclass(frozen=True, kw_only=True, slots=True)
class Laid:
    """A question laid out."""

    given: Mapping[str, Matrix]
    steps: list[Step]
    answer: tuple[str, ...]
    labels: Mapping[str, tuple[Labels, Labels]] = field(default_factory=dict)
    observe: Callable[[Working], list[str]] = lambda working: []


@dataclass(frozen=True, kw_only=True, slots=True)
class GeometryQuestion:
    """Which givens and options a question takes, and how it is laid out."""

    given: tuple[str, ...]
    options: tuple[str, ...] = ()
    lay_out: Callable[[Problem], Laid]


def require_keys_and_values(keys: Matrix, values: Matrix) -> None:
    """Each key needs one value."""
    if keys.shape[0] != values.shape[0]:
        raise InputError(
            f"given.K is {size(keys)} and given.V is {size(values)}: each key, a row of K, needs one value, a row of V"
        )


def require_place(name: str, place: int, keys: Matrix) -> None:
    """A row of K that is asked for must be there."""
    if place > keys.shape[0]:
        raise InputError(f"given.{name} is {place}, but K has only {keys.shape[0]} rows")


def numbered(letter: str, count: int) -> Labels:
    """k1, k2, …: labels of rows."""
    return tuple(f"{letter}{i}" for i in range(1, count + 1))
