"""Max, average and adaptive pooling in one, two and three dimensions. Pooling has no weights and no multiply-adds."""

from functools import partial
from typing import Any

from clearhead.layers.laws.convolutions import once
from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, Twin, require_axes, set_to, show, spread
from clearhead.layers.values.axis_sizes import show_size
from clearhead.layers.values.receptive_field import OPEN, slide
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, made

PLAIN_MEANS = ("AdaptiveAvgPool2d", "AdaptiveAvgPool3d")


def run(axes: int, kind: str, a: Arguments, x: Tensor) -> Outcome:
    """`size' = ⌊(size + 2·padding − dilation·(kernel − 1) − 1)/stride⌋ + 1`; ceil_mode rounds up instead."""
    require_axes(x, kind, axes + 1, axes + 2)
    if 0 in x.shape:
        raise Refusal(f"there must be at least one position to pool: {x}")
    kernel, padding = spread(a, "kernel_size", axes), spread(a, "padding", axes)
    stride = kernel if a["stride"] is None else spread(a, "stride", axes)
    dilation = spread(a, "dilation", axes) if "dilation" in a else (1,) * axes
    for name, values in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if min(values) < 1:
            raise Refusal(f"{name} must be at least 1, and is {show(a[name])}", set_to(name, 1))
    if a.get("divisor_override") == 0 and a.get("divisor_override") is not None:
        raise Refusal("divisor_override must not be 0")
    after, lines = [], []
    for size, k, s, p, d in zip(x.shape[-axes:], kernel, stride, padding, dilation, strict=True):
        after.append(pooled(size, k, s, p, d, bool(a["ceil_mode"]), axes, kind, x))
        lines.append(explain(size, k, s, p, d, bool(a["ceil_mode"]), after[-1]))
    output = x.shape[:-axes] + tuple(after)
    result = made(output, x, slide(x.field, list(zip(kernel, stride, padding, dilation, strict=True))))
    indices = Tensor(output, whole=True, strides=result.strides, field=result.field)
    return Outcome((result, indices) if a.get("return_indices") else result, once(lines))


def pooled(size: int, k: int, s: int, p: int, d: int, ceil: bool, axes: int, kind: str, x: Tensor) -> int:
    """The size along one axis; refuses where torch does."""
    reach = d * (k - 1) + 1
    half = k // 2  # of the kernel as it is written; dilation does not widen it
    if p < 0 or p > half:
        why = f"padding must be between 0 and half of the kernel, {half}, and is {p}"
        raise Refusal(why, set_to("padding", max(0, min(p, half))))
    if kind == "AvgPool3d" and size < k:
        raise Refusal(f"the kernel is {k} long, and there are {show_size(size)} positions: {x}", set_to("kernel_size", size))
    after = (size + 2 * p - reach + (s - 1 if ceil else 0)) // s + 1
    if ceil and (after - 1) * s >= size + p:
        after -= 1
    if after < 1:
        padded = f"{show_size(size)} + 2·{p} of padding" if p else show_size(size)
        fits = (min(x.shape[-axes:]) - 1) // d + 1
        why = f"the kernel reaches over {reach} positions, and there are {padded}: {x}"
        raise Refusal(why, set_to("kernel_size", fits))
    return after


def explain(size: int, k: int, s: int, p: int, d: int, ceil: bool, after: int) -> str:
    pads = f" + 2·{p}" if p else ""
    reach = f"{d}·({k} − 1) − 1" if d > 1 else str(k)
    inside = f"({show_size(size)}{pads} − {reach})/{s}"
    room = size + 2 * p - d * (k - 1) - 1
    if room % s == 0:
        return f"{inside} + 1 = {show_size(after)}"
    if ceil and room // s + 2 == after:
        return f"⌈{inside}⌉ + 1 = {show_size(after)}"
    note = " (rounded down: a last window may not start in the padding)" if ceil else ""
    return f"⌊{inside}⌋ + 1 = {show_size(after)}{note}"


def run_adaptive(axes: int, kind: str, a: Arguments, x: Tensor) -> Outcome:
    """The output size is what the argument says; None keeps the size that comes in."""
    wanted = a["output_size"]
    chosen = adaptive_sizes(axes, wanted)
    least = axes + isinstance(wanted, (tuple, list))
    after = tuple(s if w is None else w for w, s in zip(chosen, x.shape[-axes:], strict=True)) if len(x.shape) >= least else ()
    if kind not in PLAIN_MEANS or set(after) != {1}:  # for one position torch takes a mean, whatever the axes before
        require_axes(x, kind, axes + 1, axes + 2)
        if 0 in x.shape:
            raise Refusal(f"there must be at least one position to pool: {x}")
    if min(after) < 0:
        raise Refusal(f"output_size must not be negative, and is {show(wanted)}")
    pairs = list(zip(x.shape[-axes:], after, strict=True))
    even = all(n and s and s % n == 0 for s, n in pairs)
    field = slide(x.field, [(s // n, s // n, 0, 1) for s, n in pairs]) if even else OPEN
    result = made(x.shape[:-axes] + after, x, field)
    indices = Tensor(result.shape, whole=True, strides=result.strides, field=result.field)
    sentence = f"output_size says {'×'.join(show_size(n) for n in after)}"
    return Outcome((result, indices) if a.get("return_indices") else result, sentence)


def adaptive_sizes(axes: int, wanted: Any) -> tuple[int | None, ...]:
    several = tuple(wanted) if isinstance(wanted, (tuple, list)) else (wanted,) * axes
    none_allowed = isinstance(wanted, (tuple, list)) and axes > 1
    fits = all((w is None and none_allowed) or (isinstance(w, int) and not isinstance(w, bool)) for w in several)
    if len(several) != axes or not fits:
        raise Refusal(f"output_size must be a whole number, or one (or None) for each of {axes} axes, and is {show(wanted)}")
    return several


MAX = "kernel_size, stride=None, padding=0, dilation=1, return_indices=False, ceil_mode=False"
AVERAGE = "kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True"
FUNCTION_MAX = "kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False"
FUNCTION_AVERAGE = f"{AVERAGE}, divisor_override=None"
ADAPTIVE, ADAPTIVE_MAX = "output_size", "output_size, return_indices=False"


def family(n: int) -> dict[str, Law]:
    """The four kinds over n axes; the largest of whole numbers is whole, but for one axis torch has it only for decimals."""
    average = AVERAGE if n == 1 else FUNCTION_AVERAGE
    flat = Numbers.REFUSES_WHOLE if n == 1 else Numbers.KEEPS
    return {
        f"MaxPool{n}d": Law(MAX, partial(run, n, f"MaxPool{n}d"), numbers=flat, twin=Twin(f"max_pool{n}d", FUNCTION_MAX)),
        f"AvgPool{n}d": Law(
            average, partial(run, n, f"AvgPool{n}d"), numbers=Numbers.KEEPS, twin=Twin(f"avg_pool{n}d", FUNCTION_AVERAGE)
        ),
        f"AdaptiveAvgPool{n}d": Law(
            ADAPTIVE, partial(run_adaptive, n, f"AdaptiveAvgPool{n}d"), twin=Twin(f"adaptive_avg_pool{n}d", ADAPTIVE)
        ),
        f"AdaptiveMaxPool{n}d": Law(
            ADAPTIVE_MAX, partial(run_adaptive, n, f"AdaptiveMaxPool{n}d"), twin=Twin(f"adaptive_max_pool{n}d", ADAPTIVE_MAX)
        ),
    }


def run_power(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """The power mean over windows: sizes as for a plain pool without padding."""
    return run(axes, f"LPPool{axes}d", {**a, "padding": 0}, x)


def run_fraction(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """The output size is asked for, or is a share of what comes in."""
    require_axes(x, f"FractionalMaxPool{axes}d", axes + 1, axes + 2)
    if a["output_size"] is not None:
        after = spread(a, "output_size", axes)
    else:
        ratio = a["output_ratio"] if isinstance(a["output_ratio"], (tuple, list)) else (a["output_ratio"],) * axes
        after = tuple(int(n * r) for n, r in zip(x.shape[-axes:], ratio, strict=True))
    result = made(x.shape[:-axes] + after, x, OPEN)
    indices = Tensor(result.shape, whole=True, strides=result.strides, field=OPEN)
    return Outcome((result, indices) if a["return_indices"] else result, f"output size {'×'.join(show_size(n) for n in after)}")


LAWS = family(1) | family(2) | family(3)
LAWS |= {f"LPPool{n}d": Law("norm_type, kernel_size, stride=None, ceil_mode=False", partial(run_power, n)) for n in (1, 2, 3)}
LAWS |= {
    f"FractionalMaxPool{n}d": Law(
        "kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None", partial(run_fraction, n)
    )
    for n in (2, 3)
}
