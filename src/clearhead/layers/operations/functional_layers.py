"""Functions of torch.nn.functional that take their weights as arguments, resize maps, or give a loss."""

from typing import Any

from clearhead.layers.laws import LAWS
from clearhead.layers.laws.law import Outcome, axis_of
from clearhead.layers.laws.pads import padded
from clearhead.layers.laws.resizes import fold, resized, shuffled, unfold, unshuffled
from clearhead.layers.operations.sums_and_products import common
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.refusals import NotKnown, Refusal
from clearhead.layers.values.tensors import Tensor, new_strides, row_major
from clearhead.layers.values.word_lists import words


def convolve(axes: int, transposed: bool) -> Any:
    """`F.conv2d(x, weight, …)`: the law of the layer, with the sizes that the weight says."""

    def plain(
        x: Tensor, weight: Tensor, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Outcome:
        out, inner, *kernel = weight.shape
        given = {
            "in_channels": inner * groups,
            "out_channels": out,
            "kernel_size": tuple(kernel),
            "stride": stride,
            "padding": padding,
        }
        rest = {"dilation": dilation, "groups": groups, "bias": bias is not None, "padding_mode": "zeros"}
        return LAWS[f"Conv{axes}d"].run(given | rest, x)

    def back(
        x: Tensor,
        weight: Tensor,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
    ) -> Outcome:
        inner, out, *kernel = weight.shape
        given = {
            "in_channels": inner,
            "out_channels": out * groups,
            "kernel_size": tuple(kernel),
            "stride": stride,
            "padding": padding,
        }
        rest = {
            "output_padding": output_padding,
            "dilation": dilation,
            "groups": groups,
            "bias": bias is not None,
            "padding_mode": "zeros",
        }
        return LAWS[f"ConvTranspose{axes}d"].run(given | rest, x)

    return back if transposed else plain


def linear(x: Tensor, weight: Tensor, bias: Any = None) -> Outcome:
    wide, inner = weight.shape if len(weight.shape) == 2 else (1, weight.shape[0])
    return LAWS["Linear"].run({"in_features": inner, "out_features": wide, "bias": bias is not None}, x)


def embedding(x: Tensor, weight: Tensor, *rest: Any, **options: Any) -> Outcome:
    rows, wide = weight.shape
    return LAWS["Embedding"].run({"num_embeddings": rows, "embedding_dim": wide}, x)


def bilinear(one: Tensor, other: Tensor, weight: Tensor, bias: Any = None) -> Outcome:
    out, first, second = weight.shape
    return LAWS["Bilinear"].run({"in1_features": first, "in2_features": second, "out_features": out, "bias": True}, one, other)


def normed(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Norms by their functions: the shape stays."""
    return Outcome(Tensor(x.shape, False, row_major(x.shape), x.field if x.field.kind == "all" else OPEN))


def normalize(x: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, **rest: Any) -> Outcome:
    for each in dim if isinstance(dim, (tuple, list)) else (dim,):
        axis_of(x, each)
    return Outcome(Tensor(x.shape, False, new_strides(x), x.field if x.field.kind == "all" else OPEN))


def pad(x: Tensor, pad: Any, mode: str = "constant", value: Any = 0) -> Outcome:
    if not all(isinstance(each, int) for each in pad):
        raise NotKnown("the padding is not known")
    return padded(x, tuple(pad), mode)


def interpolate(x: Tensor, size: Any = None, scale_factor: Any = None, *rest: Any, **options: Any) -> Outcome:
    return resized(x, size, scale_factor)


def loss(prediction: Tensor, *rest: Any, **options: Any) -> Outcome:
    """A loss is one number, unless it is asked for each example."""
    if options.get("reduction", "mean") == "none" or options.get("reduce") is False:
        raise NotKnown("the shape of a loss for each example is not followed")
    return Outcome(Tensor((), False, (), OPEN), "one number")


def sampled(x: Tensor, grid: Tensor, *rest: Any, **options: Any) -> Outcome:
    """`grid_sample`: the channels of the map at the places of the grid."""
    if len(x.shape) != len(grid.shape) or x.shape[0] != grid.shape[0]:
        raise Refusal(f"the map {x} and the grid {grid} need the same batch and the same number of axes")
    shape = (*x.shape[:2], *grid.shape[1:-1])
    return Outcome(Tensor(shape, False, row_major(shape), OPEN))


def affine_grid(theta: Tensor, size: Any, align_corners: Any = None) -> Outcome:
    sizes = tuple(size)
    shape = (sizes[0], *sizes[2:], len(sizes) - 2)
    return Outcome(Tensor(shape, False, row_major(shape), OPEN))


def pair_distance(one: Tensor, other: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Outcome:
    shape = common(one.shape, other.shape, "and")
    left = (*shape[:-1], 1) if keepdim else shape[:-1]
    return Outcome(Tensor(left, False, row_major(left), OPEN))


def unpool(axes: int) -> Any:
    def run(
        x: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Outcome:
        given = {"kernel_size": kernel_size, "stride": stride, "padding": padding}
        return LAWS[f"MaxUnpool{axes}d"].run(given, x, indices, output_size=output_size)

    return run


LOSSES = words(
    "cross_entropy nll_loss mse_loss binary_cross_entropy binary_cross_entropy_with_logits l1_loss smooth_l1_loss kl_div "
    "huber_loss cosine_embedding_loss triplet_margin_loss margin_ranking_loss hinge_embedding_loss multilabel_margin_loss "
    "soft_margin_loss gaussian_nll_loss poisson_nll_loss ctc_loss multi_margin_loss"
)
FUNCTIONAL: dict[str, Any] = {
    **{f"conv{n}d": convolve(n, False) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": convolve(n, True) for n in (1, 2, 3)},
    **{f"max_unpool{n}d": unpool(n) for n in (1, 2, 3)},
    "linear": linear,
    "embedding": embedding,
    "bilinear": bilinear,
    **dict.fromkeys(("batch_norm", "instance_norm", "group_norm", "local_response_norm", "rms_norm"), normed),
    "normalize": normalize,
    "pad": pad,
    "interpolate": interpolate,
    "upsample": interpolate,
    "upsample_bilinear": interpolate,
    "upsample_nearest": interpolate,
    "pixel_shuffle": shuffled,
    "pixel_unshuffle": unshuffled,
    "unfold": unfold,
    "fold": fold,
    "grid_sample": sampled,
    "affine_grid": affine_grid,
    "pairwise_distance": pair_distance,
    **dict.fromkeys(LOSSES, loss),
}
