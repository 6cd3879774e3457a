"""Convolutions and transposed convolutions in one, two and three dimensions.

A multiply-add is one product with a weight, added up: each output number costs kernel · channels / groups of them.
Biases are not counted.
"""

from functools import partial
from math import gcd
from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, listed, require_axes, set_to, show, spread, times, whole
from clearhead.layers.source.fixes import SetArgument
from clearhead.layers.values.axis_sizes import BATCH, product, show_shape, show_size
from clearhead.layers.values.receptive_field import slide
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, made

PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


def check(axes: int, a: Arguments) -> None:
    groups, channels = whole(a, "groups"), {name: whole(a, name) for name in ("in_channels", "out_channels")}
    if groups <= 0:
        raise Refusal(f"groups must be at least 1, and is {groups}", set_to("groups", 1))
    for name, count in channels.items():
        if count % groups:
            divisor = gcd(gcd(*channels.values()), groups)
            raise Refusal(f"{name}={count} must be divisible by groups={groups}", set_to("groups", divisor))
    padding, mode = a["padding"], a["padding_mode"]
    if "output_padding" in a and mode != "zeros":
        raise Refusal(f"a transposed convolution pads with zeros only; padding_mode is {show(mode)}")
    if isinstance(padding, str) and "output_padding" not in a:
        if padding not in ("same", "valid"):
            raise Refusal(f"padding must be whole numbers, 'same' or 'valid', and is {show(padding)}")
        if padding == "same" and any(step != 1 for step in listed(a, "stride")):
            raise Refusal(f"padding='same' works with stride 1 only; stride is {show(a['stride'])}", *instead_of_same(axes, a))
    if mode not in PADDING_MODES:
        raise Refusal(f"padding_mode must be one of {', '.join(PADDING_MODES)}, and is {show(mode)}")
    if any(size < 0 for size in (*listed(a, "kernel_size"), *channels.values())):
        raise Refusal("channels and kernel sizes must not be negative")


def instead_of_same(axes: int, a: Arguments) -> tuple[SetArgument, ...]:
    """The padding that 'same' stands for, in numbers, where it is the same on both sides."""
    around = [d * (k - 1) for k, d in zip(spread(a, "kernel_size", axes), spread(a, "dilation", axes), strict=True)]
    if any(total % 2 for total in around):
        return ()
    halves = tuple(total // 2 for total in around)
    return (SetArgument("padding", str(halves[0] if len(set(halves)) == 1 else halves)),)


def require_channels(x: Tensor, axes: int, a: Arguments, kind: str) -> tuple[int, ...]:
    """Refuse what does not fit before any window slides; the sizes along the axes that are slid over."""
    require_axes(x, kind, axes + 1, axes + 2)
    wanted, channels, sizes = whole(a, "in_channels"), x.shape[-axes - 1], x.shape[-axes:]
    if channels == BATCH and len(x.shape) == axes + 1:
        example = "x".join(show_size(size) for size in (wanted, *sizes))
        raise Refusal(
            f"in_channels={wanted}, but one example, {show_shape(sizes)}, has no axis of channels; try --input {example}"
        )
    if channels != wanted:
        unbatched = " (without a batch axis, the first axis is the channels)" if len(x.shape) == axes + 1 else ""
        fits = channels % whole(a, "groups") == 0
        why = f"in_channels={wanted}, but {show_size(channels)} channels come in: {x}{unbatched}"
        raise Refusal(why, *((set_to("in_channels", channels),) if fits else ()))
    if whole(a, "out_channels") < 1 or 0 in sizes:
        raise Refusal(f"there must be at least one channel and one position: {a['out_channels']} channels out of {x}")
    if len(listed(a, "kernel_size")) not in (axes, axes if isinstance(a["kernel_size"], (tuple, list)) else 1):
        raise Refusal(f"kernel_size needs a number for each of {axes} axes, and is {show(a['kernel_size'])}")
    for name, least in (("kernel_size", 1), ("stride", 1), ("dilation", 1)):
        if min(spread(a, name, axes)) < least:
            raise Refusal(f"{name} must be at least {least}, and is {show(a[name])}", SetArgument(name, str(least)))
    return sizes


def run(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """`size' = ⌊(size + 2·padding − dilation·(kernel − 1) − 1)/stride⌋ + 1`, along each axis."""
    sizes = require_channels(x, axes, a, f"Conv{axes}d")
    kernel, stride, dilation = (spread(a, name, axes) for name in ("kernel_size", "stride", "dilation"))
    same = a["padding"] == "same"
    around = paddings(axes, a, kernel, dilation)
    require_room(a, sizes, around)
    after, lines = [], []
    for size, k, s, d, (left, right) in zip(sizes, kernel, stride, dilation, around, strict=True):
        room = size + left + right - d * (k - 1) - 1
        if room < 0:
            padded = f"{show_size(size)} + {left + right} of padding" if left + right else show_size(size)
            why = f"the kernel reaches over {d * (k - 1) + 1} positions, and there are {padded}: {x}"
            raise Refusal(
                why,
                SetArgument(
                    "kernel_size", str(min((n + sum(p) - 1) // e + 1 for n, p, e in zip(sizes, around, dilation, strict=False)))
                ),
            )
        after.append(room // s + 1)
        lines.append(explain(size, k, s, d, left, right, after[-1], same))
    output = (*x.shape[: -axes - 1], whole(a, "out_channels"), *after)
    starts = [left for left, _ in around]
    field = slide(x.field, list(zip(kernel, stride, starts, dilation, strict=True)))
    inputs = whole(a, "in_channels") // whole(a, "groups")
    return Outcome(made(output, x, field), once(lines), product(output) * product(kernel) * inputs)


def paddings(axes: int, a: Arguments, kernel: tuple[int, ...], dilation: tuple[int, ...]) -> list[tuple[int, int]]:
    """Padding before and after, along each axis; 'same' puts the odd one behind."""
    if a["padding"] == "valid":
        return [(0, 0)] * axes
    if a["padding"] == "same":
        totals = [d * (k - 1) for k, d in zip(kernel, dilation, strict=True)]
        return [(total // 2, total - total // 2) for total in totals]
    each = spread(a, "padding", axes)
    if a["padding_mode"] != "zeros" and len(listed(a, "padding")) not in (axes, 1 if isinstance(a["padding"], int) else axes):
        raise NotKnown(f"padding={show(a['padding'])} with padding_mode={show(a['padding_mode'])} pads some axes only")
    if min(each) < 0:
        raise Refusal(f"padding must not be negative, and is {show(a['padding'])}", SetArgument("padding", "0"))
    return [(p, p) for p in each]


def require_room(a: Arguments, sizes: tuple[int, ...], around: list[tuple[int, int]]) -> None:
    """Refuse padding that mirrors or wraps around more than there is."""
    most = {"reflect": -1, "circular": 0}.get(a["padding_mode"])
    for size, pads in zip(sizes, around, strict=True):
        if most is not None and max(pads) > size + most:
            raise Refusal(
                f"padding_mode={show(a['padding_mode'])} can pad at most {size + most} around {size}; it is {max(pads)}"
            )


def explain(size: int, k: int, s: int, d: int, left: int, right: int, after: int, same: bool) -> str:
    """One line of arithmetic, as a student writes it."""
    if same:
        return f"padding 'same' keeps {show_size(size)}"
    pads = f" + 2·{left}" if left else ""
    reach = f"{d}·({k} − 1) − 1" if d > 1 else str(k)
    inside = f"({show_size(size)}{pads} − {reach})/{s}"
    exact = (size + left + right - d * (k - 1) - 1) % s == 0
    return f"{inside if exact else f'⌊{inside}⌋'} + 1 = {show_size(after)}"


def once(lines: list[str]) -> str:
    """The lines of several axes; one where all are equal."""
    return lines[0] if len(set(lines)) == 1 else ", ".join(lines)


def weigh(axes: int, a: Arguments) -> Weights:
    """Each filter has a weight for every position of its kernel in every channel it sees, and a bias."""
    kernel = listed(a, "kernel_size") if isinstance(a["kernel_size"], (tuple, list)) else spread(a, "kernel_size", axes)
    inputs, filters = whole(a, "in_channels") // whole(a, "groups"), whole(a, "out_channels")
    one = times((*kernel, inputs))
    count = filters * (product(kernel) * inputs + bool(a["bias"]))
    return Weights(count, f"{filters} × ({one} + 1) = {count}" if a["bias"] else f"{filters} × {one} = {count}")


def run_transposed(axes: int, a: Arguments, x: Tensor, output_size: Any = None) -> Outcome:
    """`size' = (size − 1)·stride − 2·padding + dilation·(kernel − 1) + output_padding + 1`, along each axis."""
    sizes = require_channels(x, axes, a, f"ConvTranspose{axes}d")
    kernel, stride, padding, dilation = (spread(a, name, axes) for name in ("kernel_size", "stride", "padding", "dilation"))
    extra = spread(a, "output_padding", axes)
    if output_size is not None:
        extra = asked_size(output_size, sizes, kernel, stride, padding, dilation)
    if min(padding) < 0 or min(extra) < 0:
        raise Refusal(f"padding and output_padding must not be negative: {show(a['padding'])}, {show(a['output_padding'])}")
    after, lines = [], []
    for size, k, s, p, d, e in zip(sizes, kernel, stride, padding, dilation, extra, strict=True):
        if e >= max(s, d):
            why = f"output_padding={e} must be smaller than stride={s} or dilation={d}"
            raise Refusal(why, set_to("output_padding", max(s, d) - 1))
        after.append((size - 1) * s - 2 * p + d * (k - 1) + e + 1)
        ends = (f" − 2·{p}" if p else "") + (f" + {d}·({k} − 1) + 1" if d > 1 else f" + {k}") + (f" + {e}" if e else "")
        lines.append(f"({show_size(size)} − 1)·{s}{ends} = {show_size(after[-1])}")
        if after[-1] == 0:  # torch's kernels disagree: some give an empty map, some refuse
            raise NotKnown(f"an empty map ({lines[-1]}) is not followed: torch takes or refuses it by the kernel it chooses")
        if after[-1] < 0:
            raise Refusal(f"less than nothing is left after the padding is cut off: {lines[-1]}")
    output = (*x.shape[: -axes - 1], whole(a, "out_channels"), *after)
    field = slide(x.field, list(zip(kernel, stride, padding, dilation, strict=True)), transposed=True)
    filters = whole(a, "out_channels") // whole(a, "groups")
    return Outcome(made(output, x, field), once(lines), product(x.shape) * product(kernel) * filters)


def asked_size(wanted: Any, sizes: tuple[int, ...], *windows: tuple[int, ...]) -> tuple[int, ...]:
    """The padding behind that gives the size asked for with `output_size`."""
    asked = tuple(wanted)[-len(sizes) :]
    plain = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, k, s, p, d in zip(sizes, *windows, strict=True)]
    extra = tuple(one - other for one, other in zip(asked, plain, strict=True))
    for rest, stride, size in zip(extra, windows[1], asked, strict=True):
        if not 0 <= rest < stride:
            raise Refusal(
                f"output_size {show_size(size)} cannot be reached: from {show_shape(tuple(plain))} on, less than a stride more"
            )
    return extra


def weigh_transposed(axes: int, a: Arguments) -> Weights:
    kernel = listed(a, "kernel_size") if isinstance(a["kernel_size"], (tuple, list)) else spread(a, "kernel_size", axes)
    inputs, outputs = whole(a, "in_channels"), whole(a, "out_channels")
    sizes = (inputs, outputs // whole(a, "groups"), *kernel)
    count = product(sizes) + (outputs if a["bias"] else 0)
    return Weights(count, f"{times(sizes)}{f' + {outputs}' if a['bias'] else ''} = {count}")


def shapes(axes: int, a: Arguments) -> dict[str, tuple[int, ...] | None]:
    """The weight, a filter a row, and the bias."""
    kernel = listed(a, "kernel_size") if isinstance(a["kernel_size"], (tuple, list)) else spread(a, "kernel_size", axes)
    inputs, filters, groups = whole(a, "in_channels"), whole(a, "out_channels"), whole(a, "groups")
    first = (inputs, filters // groups) if "output_padding" in a else (filters, inputs // groups)
    return {"weight": (*first, *kernel), "bias": (filters,) if a["bias"] else None}


PLAIN = (
    "in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode='zeros', "
    "device=None, dtype=None"
)
TRANSPOSED = (
    "in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, "
    "padding_mode='zeros', device=None, dtype=None"
)
LAWS = {
    f"Conv{n}d": Law(PLAIN, partial(run, n), partial(weigh, n), partial(check, n), shapes=partial(shapes, n)) for n in (1, 2, 3)
} | {
    f"ConvTranspose{n}d": Law(
        TRANSPOSED,
        partial(run_transposed, n),
        partial(weigh_transposed, n),
        partial(check, n),
        inputs=("input", "output_size"),
        shapes=partial(shapes, n),
    )
    for n in (1, 2, 3)
}
