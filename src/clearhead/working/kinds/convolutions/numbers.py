"""Convolution and pooling of actual numbers: every cell of the result with the window it comes from."""

from collections.abc import Callable, Mapping
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, size
from clearhead.exact.notation import bracketed, named, plain
from clearhead.working.fields import read_cell, read_matrix
from clearhead.working.problem import Problem
from clearhead.working.rules.sliding_windows import Convolved, Pooled, Window
from clearhead.working.steps import Plan, Step

POOLING_WORDS = {"max": "largest", "average": "average"}


def read_tables_of_numbers(raw: Any) -> tuple[Matrix, ...]:
    """A table, or a list of tables of one size: one a channel."""
    deep = isinstance(raw, list) and raw and isinstance(raw[0], list) and raw[0] and isinstance(raw[0][0], list)
    tables = tuple(read_matrix(table) for table in (raw if deep else [raw]))
    other = next((table for table in tables if table.shape != tables[0].shape), None)
    if other is not None:
        raise InputError(f"every channel must be as large as the first: {size(tables[0])} and {size(other)}")
    return tables


NUMBERS = {"image": read_tables_of_numbers, "filter": read_tables_of_numbers, "shift": read_cell}


def numbers_plan(
    problem: Problem, options: Mapping[str, Any], window_of: Callable[[Mapping[str, Any], str, str], Window]
) -> Plan:
    """The cells that come out, channel by channel for a pooling."""
    image: tuple[Matrix, ...] = problem.given["image"]
    op = options.get("op", "convolution")
    require_one_layer(problem, op)
    pooling = op != "convolution"
    if pooling:
        if "kernel" not in problem.options:
            raise InputError("options.kernel is missing; give a number or [height, width]")
        window = window_of(options, op, "options")
        givens = numbered("image", image)
        steps = [pooled_step(window, op, name, str(n) if len(image) > 1 else "") for n, name in enumerate(givens, start=1)]
    else:
        filters: tuple[Matrix, ...] = problem.require("filter")[0]
        if len(filters) != len(image):
            raise InputError(f"given.image has {len(image)} channels and given.filter {len(filters)}; they need equally many")
        window = window_of({**options, "kernel": filters[0].shape, "filters": 1, "bias": False}, op, "options")
        givens = numbered("image", image) | numbered("filter", filters)
        steps = [convolved_step(window, tuple(givens), len(image), problem.given.get("shift", read_cell(0)))]
    require_room(window, image[0])
    return Plan(
        kind="convolution",
        title=problem.title,
        given=givens,
        steps=tuple(steps),
        answer=tuple(step.name for step in steps),
        marks=problem.marks,
    )


def require_one_layer(problem: Problem, op: str) -> None:
    """Numbers go through one layer, and say how large they are themselves."""
    if "input" in problem.given:
        raise InputError("given has both input and image; the image says its own size")
    if "layers" in problem.options:
        raise InputError("options.layers counts sizes; with given.image one layer is worked, and the next takes its output")
    extra = next((key for key in ("filter", "shift") if key in problem.given), None)
    if op != "convolution" and extra:
        raise InputError(f'given.{extra} has no place where op = "{op}"; a pooling has no filter')
    stray = next((key for key in ("filters", "bias") if key in problem.options), None)
    stray = stray or ("kernel" if op == "convolution" and "kernel" in problem.options else None)
    if stray:
        raise InputError(f"options.{stray} has no place beside given.image: given.filter says it (its bias is given.shift)")


def require_room(window: Window, image: Matrix) -> None:
    """The window must fit somewhere."""
    for side, length in zip(window.sides, image.shape, strict=True):
        if side.places(length) < 1:
            raise InputError(
                f"the window reaches over {side.extent}, but the image is {size(image)}; pad it, or take a smaller one"
            )


def numbered(name: str, tables: tuple[Matrix, ...]) -> dict[str, Matrix]:
    """One table by its name, several with their numbers."""
    return {name if len(tables) == 1 else f"{name}{n}": table for n, table in enumerate(tables, start=1)}


def convolved_step(window: Window, names: tuple[str, ...], channels: int, shift: Any) -> Step:
    """Each cell: the filter laid on the image, products added up."""
    pairs = list(zip(names[:channels], names[channels:], strict=True))
    bias = f" + {bracketed(plain(shift))}" if shift else ""
    return Step(
        name="output",
        formula=" + ".join(f"{image} ∗ {filter_}" for image, filter_ in pairs) + bias,
        latex=" + ".join(rf"{named(image)} * {named(filter_)}" for image, filter_ in pairs) + bias,
        symbol=named("output"),
        why="The filter is laid on each place of the image (not turned over, as everywhere in learning), and the products of "
        "what lies on each other are added" + (", over all channels." if channels > 1 else "."),
        needs=names,
        rule=Convolved(window, shift),
    )


def pooled_step(window: Window, op: str, name: str, suffix: str) -> Step:
    """Each cell: the largest or the average of a window."""
    height, width = (side.kernel for side in window.sides)
    return Step(
        name=f"output{suffix}",
        formula=f"the {POOLING_WORDS[op]} of each {height}×{width} window of {name}",
        latex=rf"\mathrm{{{op if op == 'max' else 'mean'}}}_{{{height} \times {width}}}({named(name)})",
        symbol=named(f"output{suffix}"),
        why=f"The window slides over the image, and keeps the {POOLING_WORDS[op]} of what it sees.",
        needs=(name,),
        rule=Pooled(window, op),
    )
