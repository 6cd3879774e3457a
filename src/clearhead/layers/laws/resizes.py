"""Maps made larger or smaller without weights: upsampling, pixel shuffles, patches as columns and back, unpooling."""

from functools import partial
from math import floor
from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Outcome, require_axes, show, spread, whole
from clearhead.layers.values.axis_sizes import product, show_size
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, row_major


def made(shape: tuple[int, ...], x: Tensor, whole_numbers: bool | None = False) -> Tensor:
    return Tensor(shape, whole_numbers, row_major(shape), x.field if x.field.kind == "all" else OPEN)


def resized(x: Tensor, size: Any, scale: Any) -> Outcome:
    """`size' = ⌊size · scale⌋` along each axis behind the channels, or the size that is asked for."""
    axes = len(x.shape) - 2
    if axes not in (1, 2, 3):
        raise Refusal(f"a map to resize has 3 to 5 axes (batch, channels, positions), and {x} has {len(x.shape)}")
    if (size is None) == (scale is None):
        raise Refusal("one of size and scale_factor must be given, and not both")
    wanted = size if size is not None else scale
    several = tuple(wanted) if isinstance(wanted, (tuple, list)) else (wanted,) * axes
    if len(several) != axes or not all(isinstance(each, (int, float)) for each in several):
        raise NotKnown(f"the size asked for, {show(wanted)}, is not followed")
    if size is not None:
        after = tuple(int(each) for each in several)
        text = f"size says {'×'.join(show_size(each) for each in after)}"
    else:
        after = tuple(n * s if isinstance(s, int) else floor(n * s) for n, s in zip(x.shape[2:], several, strict=True))
        text = ", ".join(
            dict.fromkeys(f"{show_size(n)}·{s} = {show_size(m)}" for n, s, m in zip(x.shape[2:], several, after, strict=True))
        )
    return Outcome(made((*x.shape[:2], *after), x), text)


def run_upsample(a: Arguments, x: Tensor) -> Outcome:
    return resized(x, a["size"], a["scale_factor"])


def shuffled(x: Tensor, upscale_factor: int) -> Outcome:
    """r² channels become r × r positions."""
    r = upscale_factor
    *front, channels, height, width = x.shape
    if channels % (r * r):
        raise Refusal(f"the {show_size(channels)} channels of {x} must be divisible by {r}·{r}")
    text = (
        f"{show_size(channels)}/({r}·{r}) = {channels // (r * r)} channels; {show_size(height)}·{r} = {show_size(height * r)}"
    )
    return Outcome(made((*front, channels // (r * r), height * r, width * r), x, x.whole), text)


def unshuffled(x: Tensor, downscale_factor: int) -> Outcome:
    r = downscale_factor
    *front, channels, height, width = x.shape
    if height % r or width % r:
        raise Refusal(f"height and width of {x} must be divisible by {r}")
    return Outcome(
        made((*front, channels * r * r, height // r, width // r), x, x.whole),
        f"{channels}·{r}·{r} = {channels * r * r} channels",
    )


def unfold(x: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Outcome:
    """Patches as columns: channels · kernel numbers each."""
    require_axes(x, "Unfold", 3, 4)
    a = {"kernel_size": kernel_size, "dilation": dilation, "padding": padding, "stride": stride}
    kernel, around, step, apart = (spread(a, name, 2) for name in ("kernel_size", "padding", "stride", "dilation"))
    places = [
        (n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, p, s, d in zip(x.shape[-2:], kernel, around, step, apart, strict=True)
    ]
    if min(places) < 1:
        raise Refusal(f"patches of {show(kernel)} do not fit into {x}")
    shape = (*x.shape[:-3], x.shape[-3] * product(kernel), product(places))
    return Outcome(made(shape, x), f"{places[0]}·{places[1]} = {product(places)} patches of {shape[-2]}")


def fold(x: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Outcome:
    """Columns back into a map, summed where they lie over one another."""
    require_axes(x, "Fold", 2, 3)
    a = {"kernel_size": kernel_size, "output_size": output_size, "dilation": dilation, "padding": padding, "stride": stride}
    kernel, size, around, step, apart = (
        spread(a, name, 2) for name in ("kernel_size", "output_size", "padding", "stride", "dilation")
    )
    places = [(n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, p, s, d in zip(size, kernel, around, step, apart, strict=True)]
    if x.shape[-2] % product(kernel) or product(places) != x.shape[-1]:
        raise Refusal(
            f"{x} does not fold into {show(size)}: {product(places)} patches of a multiple of {product(kernel)} are needed"
        )
    return Outcome(made((*x.shape[:-2], x.shape[-2] // product(kernel), *size), x))


def run_unpool(axes: int, a: Arguments, x: Tensor, indices: Tensor, output_size: Any = None) -> Outcome:
    """`size' = (size − 1)·stride − 2·padding + kernel`, or the size that is asked for."""
    require_axes(x, f"MaxUnpool{axes}d", axes + 1, axes + 2)
    if indices.shape != x.shape:
        raise Refusal(f"each number needs its place: {x} and places {indices}")
    kernel, padding = spread(a, "kernel_size", axes), spread(a, "padding", axes)
    stride = kernel if a["stride"] is None else spread(a, "stride", axes)
    after = tuple((n - 1) * s - 2 * p + k for n, k, s, p in zip(x.shape[-axes:], kernel, stride, padding, strict=True))
    if output_size is not None:
        after = tuple(output_size)[-axes:]
    return Outcome(made((*x.shape[:-axes], *after), x), "×".join(show_size(n) for n in after))


def run_channel_shuffle(a: Arguments, x: Tensor) -> Outcome:
    if x.shape[1] % whole(a, "groups"):
        raise Refusal(f"the {show_size(x.shape[1])} channels of {x} must be divisible by groups={a['groups']}")
    return Outcome(made(x.shape, x, x.whole))


UPSAMPLE = "size=None, scale_factor=None, mode='nearest', align_corners=None, recompute_scale_factor=None"
LAWS = {
    "Upsample": Law(UPSAMPLE, run_upsample),
    "UpsamplingNearest2d": Law("size=None, scale_factor=None", run_upsample),
    "UpsamplingBilinear2d": Law("size=None, scale_factor=None", run_upsample),
    "PixelShuffle": Law("upscale_factor", lambda a, x: shuffled(x, whole(a, "upscale_factor", 1))),
    "PixelUnshuffle": Law("downscale_factor", lambda a, x: unshuffled(x, whole(a, "downscale_factor", 1))),
    "ChannelShuffle": Law("groups", run_channel_shuffle),
    "Unfold": Law(
        "kernel_size, dilation=1, padding=0, stride=1",
        lambda a, x: unfold(x, a["kernel_size"], a["dilation"], a["padding"], a["stride"]),
    ),
    "Fold": Law(
        "output_size, kernel_size, dilation=1, padding=0, stride=1",
        lambda a, x: fold(x, a["output_size"], a["kernel_size"], a["dilation"], a["padding"], a["stride"]),
    ),
} | {
    f"MaxUnpool{n}d": Law(
        "kernel_size, stride=None, padding=0", partial(run_unpool, n), inputs=("input", "indices", "output_size"), needed=2
    )
    for n in (1, 2, 3)
}
