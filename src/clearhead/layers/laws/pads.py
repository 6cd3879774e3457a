"""Padding around maps: zeros, a constant, mirrored, repeated at the edge, or around in a circle."""

from functools import partial

from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, listed
from clearhead.layers.values.axis_sizes import show_size
from clearhead.layers.values.receptive_field import slide
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, row_major

MODES = {
    "Zero": "constant",
    "Constant": "constant",
    "Reflection": "reflect",
    "Replication": "replicate",
    "Circular": "circular",
}


def padded(x: Tensor, pads: tuple[int, ...], mode: str = "constant") -> Outcome:
    """`size' = size + left + right`, for the last axes, the last axis first."""
    if len(pads) % 2 or len(pads) // 2 > len(x.shape):
        raise Refusal(f"padding needs a pair of numbers for each axis that is padded, and is {pads} for {x}")
    shape, windows, lines = list(x.shape), list[tuple[int, int, int, int]](), list[str]()
    for pair in range(len(pads) // 2):
        left, right = pads[2 * pair], pads[2 * pair + 1]
        axis = len(x.shape) - 1 - pair
        size = x.shape[axis]
        most = {"reflect": size - 1, "circular": size}.get(mode)
        if most is not None and max(left, right) > most:
            raise Refusal(
                f"mode {mode!r} can pad at most {show_size(most)} around {show_size(size)}, and pads {max(left, right)}"
            )
        shape[axis] = size + left + right
        if shape[axis] < 0:
            raise Refusal(f"more is cut off than there is along axis {axis} of {x}: {left} + {right}")
        windows.insert(0, (1, 1, left, 1))
        lines.append(f"{show_size(size)} + {left} + {right} = {show_size(shape[axis])}".replace("+ -", "− "))
    field = slide(x.field, windows) if len(windows) == len(x.shape) - 2 else x.field
    return Outcome(
        Tensor(tuple(shape), x.whole, row_major(tuple(shape)), field),
        lines[0] if len(set(lines)) == 1 else ", ".join(reversed(lines)),
    )


def run(axes: int, mode: str, a: Arguments, x: Tensor) -> Outcome:
    given = listed(a, "padding")
    pads = given * (2 * axes) if len(given) == 1 else given
    if len(pads) != 2 * axes:
        raise Refusal(f"padding needs one number or {2 * axes}, and is {given}")
    if mode != "constant" and len(x.shape) not in (axes + 1, axes + 2):
        raise Refusal(f"padding over {axes} axes takes tensors with {axes + 1} or {axes + 2} axes and gets {len(x.shape)}: {x}")
    return padded(x, pads, mode)


LAWS = {
    f"{kind}Pad{n}d": Law("padding, value" if kind == "Constant" else "padding", partial(run, n, mode), numbers=Numbers.KEEPS)
    for kind, mode in MODES.items()
    for n in (1, 2, 3)
}
