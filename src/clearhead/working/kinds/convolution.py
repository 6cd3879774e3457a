"""Convolution and pooling: the size that comes out and the number of weights, for one layer or a chain of them."""

from collections.abc import Mapping
from typing import Any

from clearhead.errors import InputError
from clearhead.exact.matrices import Matrix, vector
from clearhead.exact.notation import named
from clearhead.working.fields import read_choice, read_flag, read_tables, read_whole, shown
from clearhead.working.kinds.convolutions.numbers import NUMBERS, numbers_plan
from clearhead.working.kinds.kind import Kind
from clearhead.working.problem import Problem
from clearhead.working.rules.sliding_windows import SIDES, Added, OutputSize, WeightCount, Window, WindowSide, whole
from clearhead.working.steps import Plan, Step, Working

TEMPLATE = """\
kind = "convolution"
title = "What comes out of a convolution"

[given]
input = [3, 32, 30]            # channels, height, width
# image = [[1, 2, 0], [0, 1, 3], [2, 1, 1]]   # or actual numbers: a table, or a list of tables, one a channel,
# filter = [[1, 0], [0, -1]]                  # and a filter as deep as the image (none for a pooling); shift = 1: a bias

[options]
op = "convolution"             # or "max" or "average": pooling, which has no filters and no weights
filters = 8                    # how many channels come out
kernel = [3, 5]                # height and width, or one number for both
stride = [1, 2]                # without it 1; a pooling without it steps by its kernel
padding = [1, 0]               # zeros on both ends of each side; "same": as many as keep the size; without it 0
dilation = 1                   # 2: every second cell under the window; without it 1
bias = true                    # one more weight a filter
# layers = [{op = "convolution", filters = 8, kernel = 5}, {op = "max", kernel = 2}]   # a chain, instead of all the above
"""
LONGEST_SIDE = 16_384
COLUMNS = ("channels", "height", "width")
OPS = ("convolution", "max", "average")


def read_input(raw: Any) -> Matrix:
    sizes = raw if isinstance(raw, list) else []
    read = read_whole(1, LONGEST_SIDE)
    if len(sizes) != 3:
        raise InputError(f"must be [channels, height, width] such as [1, 32, 32], but is {shown(raw)}")
    return vector([read(size) for size in sizes])


def read_pair(least: int) -> Any:
    """A number for both sides, or [height, width]."""
    read = read_whole(least, LONGEST_SIDE)

    def read_both(raw: Any) -> tuple[int, int]:
        if not isinstance(raw, list):
            return read(raw), read(raw)
        if len(raw) != 2:
            raise InputError(f"must be one number or [height, width], but has {len(raw)} numbers")
        return read(raw[0]), read(raw[1])

    return read_both


def read_padding(raw: Any) -> Any:
    """One number or [height, width]; "valid" is 0, "same" as many zeros as keep the size at stride 1."""
    if raw in ("same", "valid"):
        return raw if raw == "same" else (0, 0)
    if isinstance(raw, str):
        raise InputError(f'must be a number, [height, width], "same" or "valid", but is {shown(raw)}')
    return read_pair(0)(raw)


def same_padding(kernel: tuple[int, int], dilation: tuple[int, int], where: str) -> tuple[int, int]:
    """Half of what the window reaches beyond one cell, each way: n stays n at stride 1, and becomes ⌈n/s⌉ at stride s."""
    beyond = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
    if any(reach % 2 for reach in beyond):
        raise InputError(
            f'{where}.padding: "same" adds d(k - 1) zeros, {max(r for r in beyond if r % 2)} here, which both ends '
            "cannot share; take an odd kernel, or give the padding in numbers"
        )
    return beyond[0] // 2, beyond[1] // 2


LAYER = {
    "op": read_choice(*OPS),
    "filters": read_whole(1, LONGEST_SIDE),
    "kernel": read_pair(1),
    "stride": read_pair(1),
    "padding": read_padding,
    "dilation": read_pair(1),
    "bias": read_flag,
}


def plan(problem: Problem) -> Plan:
    if "image" in problem.given:
        return numbers_plan(problem, {"kernel": (1, 1), **problem.options}, window_of)
    [size] = problem.require("input")
    tables: tuple[Mapping[str, Any], ...] = problem.option("layers", ())
    if tables and LAYER.keys() & problem.options.keys():
        own = next(iter(LAYER.keys() & problem.options.keys()))
        raise InputError(f"options has both layers and {own}; give {own} inside layers only")
    chain = bool(tables)
    steps: list[Step] = []
    windows: list[Window] = []
    source = "input"
    for position, table in enumerate(tables or (problem.options,), start=1):
        suffix = str(position) if chain else ""
        where = f"options.layers[{position}]" if chain else "options"
        op = table.get("op", "convolution")
        window = window_of(table, op, where)
        require_fit(window, size, where)
        steps += [size_step(window, op, source, suffix), weights_step(window, op, source, suffix)]
        size, source = OutputSize(window)(size), f"size{suffix}"
        windows.append(window)
    if chain:
        steps.append(total_step(len(tables)))
    return Plan(
        kind="convolution",
        title=problem.title,
        given={"input": problem.given["input"]},
        steps=tuple(steps),
        answer=(source, "weights"),
        labels={"input": ((), COLUMNS)},
        observe=lambda working: observe(working, windows),
        marks=problem.marks,
    )


def window_of(table: Mapping[str, Any], op: str, where: str) -> Window:
    """What the options say, with their defaults."""
    if "kernel" not in table:
        raise InputError(f"{where}.kernel is missing; give a number or [height, width]")
    pooling = op != "convolution"
    for key in ("filters", "bias"):
        if pooling and key in table:
            raise InputError(f'{where}.{key}: op = "{op}" has no {key}; a pooling keeps the channels and learns nothing')
    if not pooling and "filters" not in table:
        raise InputError(f"{where}.filters is missing; a convolution needs to know how many channels come out")
    kernel = table["kernel"]
    stride = table.get("stride", kernel if pooling else (1, 1))
    padding, dilation = table.get("padding", (0, 0)), table.get("dilation", (1, 1))
    if padding == "same":
        padding = same_padding(kernel, dilation, where)
    sides = [WindowSide(*of_side) for of_side in zip(kernel, stride, padding, dilation, strict=True)]
    return Window((sides[0], sides[1]), table.get("filters"), table.get("bias", True) and not pooling)


def require_fit(window: Window, size: Matrix, where: str) -> None:
    for side, name, cell in zip(window.sides, SIDES, size.rows[0][1:], strict=True):
        length = whole(cell)
        if side.places(length) < 1:
            padded = f"{length} + 2·{side.padding}" if side.padding else str(length)
            raise InputError(
                f"{where}.kernel does not fit: it reaches over {side.extent} {name}, but there are {padded}; "
                "take a smaller kernel or dilation, or more padding"
            )


def size_step(window: Window, op: str, source: str, suffix: str) -> Step:
    count = window.filters
    made = f"{op.capitalize()} pooling keeps the channels" if count is None else f"Each filter makes one channel: {count}"
    return Step(
        name=f"size{suffix}",
        formula="channels, then ⌊(n + 2p - d(k - 1) - 1) / s⌋ + 1 each way",
        latex=r"\left(C,\ \left\lfloor \frac{n + 2p - d(k - 1) - 1}{s} \right\rfloor + 1\right)",
        symbol=named(f"size{suffix}"),
        why=f"{made}. Each way, down and across, it is the number of places where the window fits: "
        "length n, padding p, dilation d, kernel k, stride s.",
        needs=(source,),
        rule=OutputSize(window),
        columns=COLUMNS,
    )


def weights_step(window: Window, op: str, source: str, suffix: str) -> Step:
    bias, one_more = (" + 1", ", and one bias") if window.bias else ("", "")
    formula, latex = f"filters·(channels·kernel height·kernel width{bias})", rf"F\,(C\, k_h\, k_w{bias})"
    why = f"Each filter has one weight for each cell of its window in every channel{one_more}."
    if window.filters is None:
        formula, latex = "0", "0"
        why = f"The {'maximum' if op == 'max' else 'average'} of a window is fixed: there is nothing to learn."
    return Step(
        name=f"weights{suffix}",
        formula=formula,
        latex=latex,
        symbol=named(f"weights{suffix}"),
        why=why,
        needs=(source,),
        rule=WeightCount(window),
    )


def total_step(count: int) -> Step:
    names = tuple(f"weights{n}" for n in range(1, count + 1))
    return Step(
        name="weights",
        formula=" + ".join(names),
        latex=" + ".join(named(name) for name in names),
        symbol=named("weights"),
        why="The weights of all layers together.",
        needs=names,
        rule=Added(),
    )


def observe(working: Working, windows: list[Window]) -> list[str]:
    """What happens where the stride does not divide, what is never seen, and how long the result is when flattened."""
    said: list[str] = []
    chain = len(windows) > 1
    size = working.values["input"]
    for position, window in enumerate(windows, start=1):
        start = f"Layer {position}: " if chain else ""
        for side, name, cell in zip(window.sides, SIDES, size.rows[0][1:], strict=True):
            said += [start + sentence for sentence in leftovers(side, name, whole(cell))]
        said += [start + sentence for sentence in as_linear(window, size)]
        size = OutputSize(window)(size)
    channels, height, width = (whole(cell) for cell in size.rows[0])
    said.append(f"Flattened, the result has {channels}·{height}·{width} = {channels * height * width} numbers.")
    return said


def as_linear(window: Window, size: Matrix) -> list[str]:
    """A convolution whose kernel covers all of its input is a linear layer on the flattened input."""
    channels, height, width = (whole(cell) for cell in size.rows[0])
    covers = [(side.kernel, side.padding) for side in window.sides] == [(height, 0), (width, 0)]
    if window.filters is None or not covers:
        return []
    return [
        f"The kernel covers the whole input, so this is a linear layer from {channels}·{height}·{width} = "
        f"{channels * height * width} numbers to {window.filters}."
    ]


def leftovers(side: WindowSide, name: str, length: int) -> list[str]:
    said = []
    one = name.removesuffix("s")
    if rest := side.rest(length):
        span = length + 2 * side.padding - side.extent
        padded = " of the padded input" if side.padding else ""
        said.append(
            f"{name.capitalize()}: the stride {side.stride} does not divide {span}, so the division is rounded down, and the "
            f"last {f'{rest} {name}' if rest > 1 else one}{padded} {'lie' if rest > 1 else 'lies'} in no window."
        )
    if unseen := side.unseen(length):
        said.append(f"{unseen} of the {length} {name} of the input {'are' if unseen > 1 else 'is'} never seen.")
    return said


KIND = Kind(
    given={"input": read_input, **NUMBERS},
    options={**LAYER, "layers": read_tables(dict(LAYER))},
    template=TEMPLATE,
    plan=plan,
)
