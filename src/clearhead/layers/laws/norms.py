"""Batch, layer, group and instance norm: shapes stay; each checks the axes it works on. Multiply-adds are not counted."""

from dataclasses import replace
from functools import partial
from math import gcd

from clearhead.layers.laws.law import Arguments, Law, Outcome, Twin, Weights, listed, require_axes, set_to, show, whole
from clearhead.layers.source.fixes import SetArgument
from clearhead.layers.values.axis_sizes import product, show_size
from clearhead.layers.values.receptive_field import ALL
from clearhead.layers.values.refusals import Refusal
from clearhead.layers.values.tensors import Tensor, is_in_order, row_major

BATCH_AXES = {1: (2, 3), 2: (4,), 3: (5,)}


def kept(x: Tensor, *, tidy: bool = False, whole_map: bool = False) -> Tensor:
    """The same shape with new numbers; a norm over the whole map lets every output see all of it."""
    strides = row_major(x.shape) if tidy or is_in_order(x) else None
    return replace(x, strides=strides, field=ALL if whole_map else x.field)


def check_features(a: Arguments) -> None:
    if whole(a, "num_features") < 0:
        raise Refusal(f"num_features must not be negative, and is {a['num_features']}")


def run_batch(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """Each channel (axis 1) is normalised over the batch and all positions."""
    require_axes(x, f"BatchNorm{axes}d", *BATCH_AXES[axes])
    wanted, channels = whole(a, "num_features"), x.shape[1]
    if channels != wanted and (a["affine"] or a["track_running_stats"]):
        why = f"num_features={wanted}, but axis 1 of {x} has {show_size(channels)}"
        raise Refusal(why, set_to("num_features", channels))
    if product((x.shape[0], *x.shape[2:])) == 1:
        raise Refusal(f"one value a channel cannot be normalised while training: {x}")
    if channels == 0:
        raise Refusal(f"there must be at least one channel: {x}")
    return Outcome(kept(x))


def weigh_features(a: Arguments) -> Weights:
    copies = 1 + bool(a["bias"])
    count = copies * whole(a, "num_features") if a["affine"] else 0
    return Weights(count, f"{copies} × {a['num_features']} = {count}" if count else "")


def feature_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    each = (whole(a, "num_features"),) if a["affine"] else None
    return {"weight": each, "bias": each if a["bias"] else None}


def run_instance(axes: int, a: Arguments, x: Tensor) -> Outcome:
    """Each channel of each example is normalised over its positions."""
    require_axes(x, f"InstanceNorm{axes}d", axes + 1, axes + 2)
    wanted, channels = whole(a, "num_features"), x.shape[-axes - 1]
    if channels != wanted and (a["affine"] or a["track_running_stats"]):
        why = f"num_features={wanted}, but {show_size(channels)} channels come in: {x}"
        raise Refusal(why, set_to("num_features", channels))
    if product(x.shape[-axes:]) == 1:
        raise Refusal(f"one position a channel cannot be normalised: {x}")
    if channels == 0 and a["affine"]:
        raise Refusal(f"there must be at least one channel: {x}")
    return Outcome(kept(x, whole_map=True))


def normalized(a: Arguments) -> tuple[int, ...]:
    return listed(a, "normalized_shape")


def check_layer(a: Arguments) -> None:
    if any(size < 0 for size in normalized(a)):
        raise Refusal(f"normalized_shape must not be negative, and is {show(a['normalized_shape'])}")


def run_layer(a: Arguments, x: Tensor) -> Outcome:
    """The last axes must be exactly normalized_shape."""
    wanted = normalized(a)
    if not wanted:
        raise Refusal("normalized_shape needs at least one number")
    if x.shape[-len(wanted) :] != wanted:
        last = x.shape[-len(wanted) :]
        fix = SetArgument("normalized_shape", str(last[0]) if len(last) == 1 else str(tuple(last)))
        fits = len(last) == len(wanted)
        why = f"normalized_shape={show(a['normalized_shape'])} must be the last axes of what comes in: {x}"
        raise Refusal(why, *((fix,) if fits else ()))
    return Outcome(kept(x, tidy=True, whole_map=len(wanted) > 1 or x.field.kind in ("axes", "flat")))


def weigh_layer(a: Arguments) -> Weights:
    size = product(normalized(a))
    copies = (1 + bool(a["bias"])) if a["elementwise_affine"] else 0
    shown = "·".join(str(n) for n in normalized(a))
    return Weights(copies * size, f"{copies} × {shown} = {copies * size}" if copies else "")


def check_group(a: Arguments) -> None:
    groups, channels = whole(a, "num_groups"), whole(a, "num_channels")
    if groups == 0 or channels % groups:
        fix = set_to("num_groups", gcd(groups, channels) or 1)
        raise Refusal(f"num_channels={channels} must be divisible by num_groups={groups}", fix)
    if channels < 0:
        raise Refusal(f"num_channels must not be negative, and is {channels}")


def run_group(a: Arguments, x: Tensor) -> Outcome:
    """The channels (axis 1) are normalised in groups, over all positions."""
    groups, wanted = whole(a, "num_groups"), whole(a, "num_channels")
    if len(x.shape) < 2:
        raise Refusal(f"GroupNorm takes tensors with at least 2 axes and gets {len(x.shape)}: {x}")
    channels = x.shape[1]
    if a["affine"] and channels != wanted:
        fits = channels % groups == 0
        why = f"num_channels={wanted}, but axis 1 of {x} has {show_size(channels)}"
        raise Refusal(why, *((set_to("num_channels", channels),) if fits else ()))
    if channels % groups or groups < 1:
        raise Refusal(f"the {show_size(channels)} channels of {x} must be divisible by num_groups={groups}")
    if x.shape[0] * channels // groups * product(x.shape[2:]) == 1:
        raise Refusal(f"one value a group cannot be normalised: {x}")
    return Outcome(kept(x, whole_map=True))


def weigh_group(a: Arguments) -> Weights:
    copies = 1 + bool(a["bias"])
    count = copies * whole(a, "num_channels") if a["affine"] else 0
    return Weights(count, f"{copies} × {a['num_channels']} = {count}" if count else "")


def layer_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    each = normalized(a) if a["elementwise_affine"] else None
    return {"weight": each, "bias": each if a["bias"] else None}


def group_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    each = (whole(a, "num_channels"),) if a["affine"] else None
    return {"weight": each, "bias": each if a["bias"] else None}


def check_rms(a: Arguments) -> None:
    normalized(a)


def weigh_rms(a: Arguments) -> Weights:
    size = product(normalized(a)) if a["elementwise_affine"] else 0
    return Weights(size, f"{'·'.join(str(n) for n in normalized(a))} = {size}" if size else "")


def rms_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    return {"weight": normalized(a) if a["elementwise_affine"] else None}


def run_local(a: Arguments, x: Tensor) -> Outcome:
    """Each number by its neighbours in the other channels."""
    if len(x.shape) < 3:
        raise Refusal(f"LocalResponseNorm takes tensors with at least 3 axes and gets {len(x.shape)}: {x}")
    return Outcome(kept(x))


def run_any_batch(a: Arguments, x: Tensor) -> Outcome:
    axes = {2: 1, 3: 1, 4: 2, 5: 3}.get(len(x.shape))
    if axes is None:
        raise Refusal(f"SyncBatchNorm takes tensors with 2 to 5 axes and gets {len(x.shape)}: {x}")
    return run_batch(axes, a, x)


def lazy_features(a: Arguments, x: Tensor) -> dict[str, int]:
    """The channels that the first input has."""
    return {"num_features": x.shape[1]}


def run_lazy(kind: str, axes: int, a: Arguments, x: Tensor) -> Outcome:
    run = run_batch if kind == "BatchNorm" else run_instance
    return run(axes, {"num_features": x.shape[1] if len(x.shape) > 1 else 0, **a}, x)


FEATURES = "num_features, eps=1e-05, momentum=0.1, affine={}, track_running_stats={}, device=None, dtype=None, bias=True"
BATCH_SIGNATURE, INSTANCE_SIGNATURE = FEATURES.format(True, True), FEATURES.format(False, False)
LAWS = (
    {
        f"BatchNorm{n}d": Law(BATCH_SIGNATURE, partial(run_batch, n), weigh_features, check_features, shapes=feature_shapes)
        for n in (1, 2, 3)
    }
    | {
        f"InstanceNorm{n}d": Law(
            INSTANCE_SIGNATURE, partial(run_instance, n), weigh_features, check_features, shapes=feature_shapes
        )
        for n in (1, 2, 3)
    }
    | {
        "LayerNorm": Law(
            "normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, dtype=None",
            run_layer,
            weigh_layer,
            check_layer,
            shapes=layer_shapes,
            alike=True,
            twin=Twin("layer_norm", "normalized_shape, weight=None, bias=None, eps=1e-05, elementwise_affine=False"),
        ),
        "GroupNorm": Law(
            "num_groups, num_channels, eps=1e-05, affine=True, device=None, dtype=None, bias=True",
            run_group,
            weigh_group,
            check_group,
            shapes=group_shapes,
        ),
    }
    | {
        "SyncBatchNorm": Law(
            BATCH_SIGNATURE.replace("device", "process_group=None, device"),
            run_any_batch,
            weigh_features,
            check_features,
            shapes=feature_shapes,
        ),
        "RMSNorm": Law(
            "normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None",
            run_layer,
            weigh_rms,
            check_rms,
            alike=True,
            shapes=rms_shapes,
        ),
        "LocalResponseNorm": Law("size, alpha=0.0001, beta=0.75, k=1.0", run_local),
        "CrossMapLRN2d": Law("size, alpha=0.0001, beta=0.75, k=1", run_local),
    }
    | {
        f"Lazy{kind}{n}d": Law(
            (BATCH_SIGNATURE if kind == "BatchNorm" else INSTANCE_SIGNATURE).removeprefix("num_features, "),
            partial(run_lazy, kind, n),
            settle=lazy_features,
        )
        for kind in ("BatchNorm", "InstanceNorm")
        for n in (1, 2, 3)
    }
)
