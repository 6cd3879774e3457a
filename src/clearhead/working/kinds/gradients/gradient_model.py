"""What a model of the gradient kind is, and how the lines and steps that all of them share are made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix
from clearhead.exact.notation import bracketed, named, plain
from clearhead.working.problem import Problem
from clearhead.working.rules.descent import Descent
from clearhead.working.rules.rule import Rule
from clearhead.working.steps import Step, Working


@dataclass(frozen=True, kw_only=True, slots=True)
class DerivedModel:
    """A model laid out: its givens, the derivation and the numbers, and what descent moves."""

    given: Mapping[str, Matrix]
    lines: list[Step]
    steps: list[Step]
    wanted: tuple[str, ...]  # the quantities that the problem asks the gradient of
    parameters: tuple[str, ...]  # those that one step of descent changes
    observe: Callable[[Working], list[str]] = lambda working: []


@dataclass(frozen=True, kw_only=True, slots=True)
class GradientModel:
    """Which givens and options a model takes, and how it is laid out."""

    given: tuple[str, ...]
    options: tuple[str, ...] = ()
    derive: Callable[[Problem], DerivedModel]


def line(position: int, text: str, left: str, right: str, why: str) -> Step:
    """One line of a derivation: the whole equation as text, and its two sides in LaTeX."""
    return Step(name=f"derivation{position}", formula=text, latex=right, symbol=left, why=why)


def derivation(*lines: tuple[str, str, str, str]) -> list[Step]:
    """Lines in order: text, left and right side in LaTeX, and why."""
    return [line(position, *each) for position, each in enumerate(lines, start=1)]


def partial(name: str) -> str:
    """∂J/∂name in LaTeX."""
    return rf"\frac{{\partial J}}{{\partial {named(name)}}}"


def gradient_step(name: str, formula: str, latex: str, why: str, needs: tuple[str, ...], rule: Rule) -> Step:
    """The step d_<name>."""
    return Step(name=f"d_{name}", formula=formula, latex=latex, symbol=partial(name), why=why, needs=needs, rule=rule)


def descent_line(position: int, parameters: tuple[str, ...]) -> Step:
    """How one step of descent moves the parameters, in symbols."""
    first, *others = parameters
    letter = "θ" if first == "theta" else first
    likewise = f", likewise {', '.join(others)}" if others else ""
    return line(
        position,
        f"new {letter} = {letter} - η ∂J/∂{letter}{likewise}",
        new(first),
        rf"{named(first)} - \eta {partial(first)}",
        "One step of descent goes against the gradient, by the learning rate η.",
    )


def new(name: str) -> str:
    return rf"{named(name)}^{{\mathrm{{new}}}}"


def descent_steps(parameters: tuple[str, ...], rate: Fraction) -> list[Step]:
    """new_<name> for every parameter."""
    size = bracketed(plain(rate))
    return [
        Step(
            name=f"new_{name}",
            formula=f"{name} - {size}·d_{name}",
            latex=rf"{named(name)} - {size} \cdot {partial(name)}",
            symbol=new(name),
            why=f"One step against the gradient, by the learning rate {plain(rate)}.",
            needs=(name, f"d_{name}"),
            rule=Descent(rate),
        )
        for name in parameters
    ]


def require_distribution(y: Matrix) -> None:
    """y must be shares: not negative, adding up to 1."""
    cells = [cell for cell in y.rows[0] if isinstance(cell, Fraction)]
    if any(cell < 0 for cell in cells) or sum(cells) != 1:
        raise InputError(f"given.y must hold shares from 0 on that add up to 1, such as [0, 1, 0], but adds up to {sum(cells)}")


def require_rank(name: str, value: Matrix, rank: int) -> None:
    """A given must be one number (rank 0) or a list of them (rank 1)."""
    if value.rank != rank:
        raise InputError(
            f"given.{name} must be {'one number' if rank == 0 else 'a list of numbers such as [1, 2]'} for this model"
        )


def surely_wrong(working: Working, probability: str, cell_name: str) -> list[str]:
    """Said where rounding took a probability to 0, so that the loss is infinite."""
    loss = working.values["loss"].cell
    if not isinstance(loss, float):
        return []
    return [
        f"{cell_name} in {probability} is 0 as rounded, and -ln 0 is infinite: so is the loss. The gradient does not need the "
        "loss and stays as it is; keep more decimals to see the loss."
    ]
