"""Activations and dropout: they work number by number, or along one axis, and keep the shape. No multiply-adds counted."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, Twin, Weights, axis_of, set_to, show, whole
from clearhead.layers.values.axis_sizes import show_size
from clearhead.layers.values.receptive_field import ALL, OPEN
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, is_in_order, made, row_major, same


def run(a: Arguments, x: Tensor) -> Outcome:
    return Outcome(same(x, bool(a.get("inplace"))))


def hand_on(a: Arguments, x: Tensor) -> Outcome:
    """Identity gives back what it gets."""
    return Outcome(x)


def check_share(a: Arguments) -> None:
    if isinstance(a["p"], (int, float)) and not 0 <= a["p"] <= 1:
        raise Refusal(f"p must be between 0 and 1, and is {a['p']}")


def run_dropout(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """Dropout of whole channels needs an axis of channels, as torch counts it."""
    least, most = {1: (2, 3), 2: (2, None), 3: (1, None)}[axes]
    idle = axes > 1 and a["p"] == 0
    if (len(x.shape) < least and not idle) or (most is not None and len(x.shape) > most):
        wanted = f"at least {least}" if most is None else f"{least} or {most}"
        raise Refusal(f"Dropout{axes}d takes tensors with {wanted} axes and gets {len(x.shape)}: {x}")
    return Outcome(same(x))


def run_softmax(a: Arguments, x: Tensor) -> Outcome:
    """Shares along one axis; each of them depends on all of that axis."""
    if a["dim"] is not None:
        axis_of(x, whole(a, "dim"))
    field = x.field if x.field.kind == "all" or (a["dim"] == 1 and x.field.kind == "axes") else OPEN
    if x.field.kind in ("flat", "input") and len(x.shape) <= 2:
        field = ALL
    return Outcome(replace(x, field=field, strides=row_major(x.shape) if is_in_order(x) else None))


def run_softmax2d(a: Arguments, x: Tensor) -> Outcome:
    if len(x.shape) not in (3, 4):
        raise Refusal(f"Softmax2d takes tensors with 3 or 4 axes and gets {len(x.shape)}: {x}")
    return Outcome(same(x))


def run_glu(a: Arguments, x: Tensor) -> Outcome:
    """One half gates the other: the axis is halved."""
    place = axis_of(x, whole(a, "dim"))
    if not x.shape:
        raise Refusal("GLU needs an axis to halve, and what comes in is one number")
    size = x.shape[place]
    if size % 2:
        raise Refusal(f"the axis that is halved must be even, and axis {place} of {x} is {show_size(size)}")
    shape = (*x.shape[:place], size // 2, *x.shape[place + 1 :])
    field = x.field if x.field.kind in ("all", "input") or (place == 1 and x.field.kind == "axes") else OPEN
    return Outcome(made(shape, x, field), f"{show_size(size)}/2 = {show_size(size // 2)}")


def check_prelu(a: Arguments) -> None:
    if whole(a, "num_parameters") < 0:
        raise Refusal(f"num_parameters must not be negative, and is {a['num_parameters']}")


def run_prelu(a: Arguments, x: Tensor) -> Outcome:
    """One slope for all, or one for each channel (axis 1)."""
    slopes, channels = whole(a, "num_parameters"), x.shape[1] if len(x.shape) > 1 else 1
    if slopes not in (1, channels):
        why = f"num_parameters={slopes} must be 1 or the {show_size(channels)} channels of {x}"
        raise Refusal(why, set_to("num_parameters", channels))
    return Outcome(same(x))


def weigh_prelu(a: Arguments) -> Weights:
    return Weights(whole(a, "num_parameters"), f"{a['num_parameters']} slopes")


def run_gelu(a: Arguments, x: Tensor) -> Outcome:
    if a["approximate"] not in ("none", "tanh"):
        raise Refusal(f"approximate must be 'none' or 'tanh', and is {show(a['approximate'])}")
    return Outcome(same(x))


def check_hardtanh(a: Arguments) -> None:
    low, high = a["min_val"], a["max_val"]
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and high <= low:
        raise Refusal(f"max_val={high} must be greater than min_val={low}")


PLAIN = {
    "ReLU": "inplace=False",
    "ReLU6": "inplace=False",
    "LeakyReLU": "negative_slope=0.01, inplace=False",
    "RReLU": "lower=0.125, upper=0.3333333333333333, inplace=False",
    "ELU": "alpha=1.0, inplace=False",
    "SELU": "inplace=False",
    "CELU": "alpha=1.0, inplace=False",
    "SiLU": "inplace=False",
    "Mish": "inplace=False",
    "Hardswish": "inplace=False",
    "Hardsigmoid": "inplace=False",
    "Sigmoid": "",
    "LogSigmoid": "",
    "Tanh": "",
    "Tanhshrink": "",
    "Softsign": "",
    "Softplus": "beta=1.0, threshold=20.0",
    "Softshrink": "lambd=0.5",
    "Hardshrink": "lambd=0.5",
    "Threshold": "threshold, value, inplace=False",
}
KEEP_WHOLE = ("ReLU", "ReLU6", "Hardtanh", "Threshold", "Identity")
MAKE_DECIMALS = ("Sigmoid", "Tanh", "Tanhshrink", "Softsign")
DROP, FUNCTION_DROP = "p=0.5, inplace=False", "p=0.5, training=True, inplace=False"
FUNCTIONS = {
    "LeakyReLU": "leaky_relu",
    "LogSigmoid": "logsigmoid",
    "AlphaDropout": "alpha_dropout",
    "LogSoftmax": "",
    "Softmax": "",
}


def plain(kind: str, signature: str, run: Callable[..., Outcome] = run, **more: Any) -> Law:
    """A law that goes number by number; its twin bears the same name in small letters."""
    numbers = (
        Numbers.KEEPS if kind in KEEP_WHOLE else Numbers.MAKES_DECIMALS if kind in MAKE_DECIMALS else Numbers.REFUSES_WHOLE
    )
    name = FUNCTIONS.get(kind, kind.lower())
    return Law(signature, run, numbers=numbers, alike=True, twin=Twin(name, signature) if name else None, **more)


def dropout(kind: str, run: Callable[..., Outcome]) -> Law:
    name = FUNCTIONS.get(kind, kind.lower())
    return Law(DROP, run, check=check_share, alike=True, drops=True, twin=Twin(name, FUNCTION_DROP))


LAWS = (
    {kind: plain(kind, signature) for kind, signature in PLAIN.items()}
    | {kind: dropout(kind, run) for kind in ("Dropout", "AlphaDropout")}
    | {f"Dropout{n}d": dropout(f"Dropout{n}d", partial(run_dropout, n)) for n in (1, 2, 3)}
    | {"FeatureAlphaDropout": dropout("feature_alpha_dropout", partial(run_dropout, 2))}
    | {kind: plain(kind, "dim=None", run_softmax) for kind in ("Softmax", "LogSoftmax", "Softmin")}
    | {
        "Identity": Law("*args, **kwargs", hand_on, numbers=Numbers.KEEPS, alike=True),
        "Softmax2d": Law("", run_softmax2d),
        "GLU": plain("GLU", "dim=-1", run_glu),
        "PReLU": Law(
            "num_parameters=1, init=0.25, device=None, dtype=None",
            run_prelu,
            weigh_prelu,
            check_prelu,
            shapes=lambda a: {"weight": (a["num_parameters"],)},
        ),
        "GELU": plain("GELU", "approximate='none'", run_gelu),
        "Hardtanh": plain(
            "Hardtanh", "min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None", check=check_hardtanh
        ),
    }
)
