"""Lazy layers: as the plain ones, with the sizes that the first input has."""

from functools import partial

from clearhead.layers.laws.convolutions import LAWS as CONVOLUTIONS
from clearhead.layers.laws.dense_layers import LAWS as DENSE
from clearhead.layers.laws.law import Arguments, Law, Outcome
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor


def last_axis(a: Arguments, x: Tensor) -> dict[str, int]:
    if not x.shape:
        raise Refusal("a linear layer needs an axis, and what comes in is one number")
    return {"in_features": x.shape[-1]}


def channels(axes: int, a: Arguments, x: Tensor) -> dict[str, int]:
    if len(x.shape) not in (axes + 1, axes + 2):
        raise Refusal(
            f"a convolution over {axes} axes takes tensors with {axes + 1} or {axes + 2} axes and gets {len(x.shape)}: {x}"
        )
    return {"in_channels": x.shape[-axes - 1]}


def run_linear(a: Arguments, x: Tensor) -> Outcome:
    return DENSE["Linear"].run({**a, **last_axis(a, x)}, x)


def run_convolution(kind: str, axes: int, a: Arguments, x: Tensor) -> Outcome:
    return CONVOLUTIONS[kind].run({**a, **channels(axes, a, x)}, x)


LAWS = {
    "LazyLinear": Law("out_features, bias=True, device=None, dtype=None", run_linear, alike=True, settle=last_axis),
} | {
    f"Lazy{kind}{n}d": Law(
        CONVOLUTIONS[f"{kind}{n}d"].signature.removeprefix("in_channels, "),
        partial(run_convolution, f"{kind}{n}d", n),
        settle=partial(channels, n),
    )
    for kind in ("Conv", "ConvTranspose")
    for n in (1, 2, 3)
}
