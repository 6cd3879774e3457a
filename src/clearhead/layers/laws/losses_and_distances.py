"""Losses and distances: what is left of two or more tensors. A loss is never the net, but a forward may use one."""

from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, whole
from clearhead.layers.values.axis_sizes import show_size
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, row_major


def run_loss(a: Arguments, x: Tensor, **rest: Any) -> Outcome:
    """One number, unless it is asked for each example."""
    if a.get("reduction", "mean") == "none":
        raise NotKnown("the shape of a loss for each example is not followed")
    return Outcome(Tensor((), False, (), OPEN), "one number")


def run_cosine(a: Arguments, x: Tensor, other: Tensor) -> Outcome:
    place = whole(a, "dim") % max(len(x.shape), 1)
    shape = x.shape[:place] + x.shape[place + 1 :]
    return Outcome(Tensor(shape, False, row_major(shape), OPEN))


def run_distance(a: Arguments, x: Tensor, other: Tensor) -> Outcome:
    shape = (*x.shape[:-1], 1) if a["keepdim"] else x.shape[:-1]
    return Outcome(Tensor(shape, False, row_major(shape), OPEN))


def run_bilinear(a: Arguments, x: Tensor, other: Tensor) -> Outcome:
    """Each output is a sum over all pairs of one input's features and the other's."""
    for name, tensor in (("in1_features", x), ("in2_features", other)):
        if tensor.shape[-1] != whole(a, name):
            raise Refusal(f"{name}={a[name]}, but {show_size(tensor.shape[-1])} numbers come in (the last axis of {tensor})")
    if x.shape[:-1] != other.shape[:-1]:
        raise Refusal(f"all axes but the last must agree: {x} and {other}")
    shape = (*x.shape[:-1], whole(a, "out_features"))
    return Outcome(Tensor(shape, False, row_major(shape), OPEN))


def weigh_bilinear(a: Arguments) -> Weights:
    one, two, out = (whole(a, name) for name in ("in1_features", "in2_features", "out_features"))
    count = out * (one * two + bool(a["bias"]))
    return Weights(count, f"{out} × ({one}·{two}{' + 1' if a['bias'] else ''}) = {count}")


def bilinear_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    out = whole(a, "out_features")
    return {"weight": (out, whole(a, "in1_features"), whole(a, "in2_features")), "bias": (out,) if a["bias"] else None}


OLD = "size_average=None, reduce=None, reduction='mean'"
COUNTED = "weight=None, size_average=None, ignore_index=-100, reduce=None, reduction='mean'"
TARGETS = ("input", "target", "extra", "more")
LOSSES = {
    "L1Loss": OLD,
    "MSELoss": OLD,
    "BCELoss": f"weight=None, {OLD}",
    "BCEWithLogitsLoss": f"weight=None, {OLD}, pos_weight=None",
    "CrossEntropyLoss": f"{COUNTED}, label_smoothing=0.0",
    "NLLLoss": COUNTED,
    "NLLLoss2d": COUNTED,
    "SoftMarginLoss": OLD,
    "KLDivLoss": f"{OLD}, log_target=False",
    "SmoothL1Loss": f"{OLD}, beta=1.0",
    "HuberLoss": "reduction='mean', delta=1.0",
    "HingeEmbeddingLoss": f"margin=1.0, {OLD}",
    "MultiLabelMarginLoss": OLD,
    "MultiLabelSoftMarginLoss": f"weight=None, {OLD}",
    "CosineEmbeddingLoss": f"margin=0.0, {OLD}",
    "MarginRankingLoss": f"margin=0.0, {OLD}",
    "CTCLoss": "blank=0, reduction='mean', zero_infinity=False",
    "TripletMarginLoss": f"margin=1.0, p=2.0, eps=1e-06, swap=False, {OLD}",
    "TripletMarginWithDistanceLoss": "distance_function=None, margin=1.0, swap=False, reduction='mean'",
    "MultiMarginLoss": f"p=1, margin=1.0, weight=None, {OLD}",
    "PoissonNLLLoss": "log_input=True, full=False, size_average=None, eps=1e-08, reduce=None, reduction='mean'",
    "GaussianNLLLoss": "full=False, eps=1e-06, reduction='mean'",
}
LAWS = {kind: Law(signature, run_loss, inputs=TARGETS) for kind, signature in LOSSES.items()} | {
    "CosineSimilarity": Law("dim=1, eps=1e-08", run_cosine, inputs=("x1", "x2"), needed=2),
    "PairwiseDistance": Law("p=2.0, eps=1e-06, keepdim=False", run_distance, inputs=("x1", "x2"), needed=2),
    "Bilinear": Law(
        "in1_features, in2_features, out_features, bias=True, device=None, dtype=None",
        run_bilinear,
        weigh_bilinear,
        inputs=("input1", "input2"),
        needed=2,
        shapes=bilinear_shapes,
    ),
}
