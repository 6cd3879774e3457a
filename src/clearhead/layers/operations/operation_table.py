"""The operations on tensors that are known, by the names that torch gives them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome, axis_of
from clearhead.layers.laws.nonlinearities import run_softmax
from clearhead.layers.laws.reshapes import flatten, unflatten, view
from clearhead.layers.operations.axis_changes import expand, permute, repeat, shape_of, squeeze, transpose, unsqueeze
from clearhead.layers.operations.functional_layers import FUNCTIONAL
from clearhead.layers.operations.joins import cat, chunk, split, stack
from clearhead.layers.operations.reductions import extreme, mean, reduce, where_extreme
from clearhead.layers.operations.selections import (
    diag,
    diagonal,
    drawn,
    gather,
    in_order,
    index_select,
    like,
    mesh,
    moved,
    narrow,
    one_hot,
    one_of,
    order_of,
    random_like,
    refuse_counting,
    repeat_each,
    scatter,
    select,
    top,
    triangle,
    unbind,
    windows,
)
from clearhead.layers.operations.sums_and_products import (
    attend,
    broadcast,
    choose_between,
    common,
    compare_tensors,
    distance,
    flat_product,
    masked,
    matmul,
    outer,
    similarity,
    three,
    times_plus,
)
from clearhead.layers.operations.sums_of_products import einsum
from clearhead.layers.values.receptive_field import OPEN
from clearhead.layers.values.tensors import Tensor, new_strides, row_major
from clearhead.layers.values.word_lists import words


def softmax(x: Tensor, dim: Any = None, *rest: Any, **options: Any) -> Outcome:
    return run_softmax({"dim": dim}, x)


def keep(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(x)


def each(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Number by number."""
    return Outcome(replace(x, strides=new_strides(x), raw=False))


def tidy(x: Tensor, *rest: Any) -> Outcome:
    return Outcome(replace(x, strides=row_major(x.shape)))


def decimals(x: Tensor, *rest: Any) -> Outcome:
    return Outcome(replace(x, whole=False, raw=False))


def wholes(x: Tensor, *rest: Any) -> Outcome:
    return Outcome(replace(x, whole=True, raw=False))


def whole_each(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Number by number, true or false or counted."""
    return Outcome(replace(x, strides=new_strides(x), raw=False, whole=True, origin="*mask"))


def decimal_each(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Number by number, as decimals: exp, log, sin."""
    return Outcome(replace(x, strides=new_strides(x), raw=False, whole=False))


def pair(sign: str) -> Callable[..., Outcome]:
    return lambda a, b=1, *rest, **options: broadcast(a, options.get("other", b), sign)


def compared(a: Any, b: Any, *rest: Any, **options: Any) -> Outcome:
    return Outcome(compare_tensors(a, b))


def mean_and_spread(x: Tensor, dim: Any = None, *rest: Any, **options: Any) -> Outcome:
    found = mean(x, dim, bool(options.get("keepdim", False))).output
    return Outcome((found, found))


def moved_axes(x: Tensor, source: Any, destination: Any) -> Outcome:
    """`movedim`: some axes to other places, the rest in order."""
    sources = [axis_of(x, each) for each in (source if isinstance(source, (tuple, list)) else (source,))]
    places = [axis_of(x, each) for each in (destination if isinstance(destination, (tuple, list)) else (destination,))]
    order: list[int | None] = [None] * len(x.shape)
    for place, axis in zip(places, sources, strict=True):
        order[place] = axis
    rest = iter(axis for axis in range(len(x.shape)) if axis not in sources)
    return permute(x, *(next(rest) if axis is None else axis for axis in order))


def stacked(axis: int) -> Callable[..., Outcome]:
    """`hstack`, `vstack`: joined along an axis, vectors made rows first where they must be."""

    def run(tensors: Any) -> Outcome:
        several = list(tensors)
        if axis == 0:
            several = [unsqueeze(each, 0).output if len(each.shape) < 2 else each for each in several]
        return cat(several, 0 if len(several[0].shape) == 1 else axis)

    return run


def broadcast_all(*tensors: Any) -> Outcome:
    several = list(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else list(tensors)
    shape: tuple[int, ...] = ()
    for each in several:
        shape = common(shape, each.shape, "and")
    return Outcome(tuple(expand(each, *shape).output for each in several))


def norm(x: Tensor, p: Any = 2, dim: Any = None, keepdim: bool = False, **rest: Any) -> Outcome:
    return reduce(x, dim, keepdim)


def along(x: Tensor, dim: Any = None, *rest: Any, **options: Any) -> Outcome:
    """Running sums: the shape stays."""
    return Outcome(replace(x, raw=False, strides=row_major(x.shape), field=x.field if x.field.kind == "all" else OPEN))


def shares(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(replace(x, raw=False, whole=False, strides=new_strides(x)))


DECIMAL = words(
    "exp log log2 log10 log1p expm1 sqrt rsqrt sin cos tan asin acos atan sinh cosh asinh acosh atanh erf erfc erfinv "
    "sigmoid tanh reciprocal logit lgamma digamma deg2rad rad2deg angle softplus logsigmoid normal cauchy exponential"
)
KEPT = words(
    "abs neg sign floor ceil round trunc clamp clip clamp_min clamp_max square relu nan_to_num positive bernoulli "
    "threshold hardtanh frac sgn renorm fill zero uniform dropout masked_scatter conj fix bitwise_not logical_or_ "
    "index_fill index_copy index_add put squeeze_ relu6"
)
MASKS = words("isnan isinf isfinite logical_not isneginf isposinf signbit isreal")
COMPARED = words("eq ne lt le gt ge greater less greater_equal less_equal not_equal logical_and logical_or logical_xor isclose")
OPERATIONS: dict[str, Callable[..., Outcome]] = {
    **dict.fromkeys(DECIMAL, decimal_each),
    **dict.fromkeys(KEPT, each),
    **dict.fromkeys(MASKS, whole_each),
    **dict.fromkeys(COMPARED, compared),
    **FUNCTIONAL,
    "flatten": lambda x, start_dim=0, end_dim=-1: flatten(x, start_dim, end_dim),
    "ravel": lambda x: flatten(x, 0, -1),
    "unflatten": lambda x, dim, sizes: unflatten(x, dim, shape_of((sizes,))),
    "view": lambda x, *sizes, **named: view(x, shape_of(sizes or (named["size"],)), "view"),
    "reshape": lambda x, *sizes, **named: view(x, shape_of(sizes or (named["shape"],)), "reshape"),
    "permute": lambda x, *order, **named: permute(x, *(order or (named["dims"],))),
    "transpose": transpose,
    "swapaxes": transpose,
    "swapdims": transpose,
    "movedim": moved_axes,
    "moveaxis": moved_axes,
    "t": lambda x: transpose(x, 0, 1),
    "adjoint": lambda x: transpose(x, -2, -1),
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "expand": lambda x, *sizes, **named: expand(x, *(sizes or (named["size"],))),
    "expand_as": lambda x, other: expand(x, *other.shape),
    "broadcast_to": lambda x, *sizes: expand(x, *sizes),
    "view_as": lambda x, other: view(x, other.shape, "view"),
    "reshape_as": lambda x, other: view(x, other.shape, "reshape"),
    "repeat": repeat,
    "tile": lambda x, *times: repeat(x, *((1,) * (len(x.shape) - len(shape_of(times)))), *shape_of(times)),
    "repeat_interleave": repeat_each,
    "chunk": chunk,
    "split": split,
    "split_with_sizes": split,
    "tensor_split": lambda x, parts, dim=0: chunk(x, parts, dim),
    "unbind": unbind,
    "windows": windows,
    "select": select,
    "narrow": narrow,
    "gather": gather,
    "take_along_dim": lambda x, index, dim=None: gather(x, dim, index),
    "index_select": index_select,
    "one_hot": one_hot,
    "topk": top,
    "sort": in_order,
    "argsort": order_of,
    "median": one_of,
    "mode": one_of,
    "kthvalue": lambda x, k, dim=-1, keepdim=False: one_of(x, dim, keepdim),
    "flip": moved,
    "fliplr": moved,
    "flipud": moved,
    "roll": moved,
    "tril": triangle,
    "triu": triangle,
    "diag": diag,
    "diagonal": diagonal,
    "scatter": scatter,
    "scatter_add": scatter,
    "multinomial": drawn,
    "mean": mean,
    "nanmean": mean,
    "sum": reduce,
    "prod": reduce,
    "amax": reduce,
    "amin": reduce,
    "logsumexp": reduce,
    "count_nonzero": reduce,
    "norm": norm,
    "vector_norm": norm,
    "any": lambda x, dim=None, keepdim=False: reduce(x, dim, keepdim),
    "all": lambda x, dim=None, keepdim=False: reduce(x, dim, keepdim),
    "std": lambda x, dim=None, *rest, keepdim=False, **options: mean(
        x, None if isinstance(dim, bool) else dim, keepdim or rest[1:2] == (True,)
    ),
    "var": lambda x, dim=None, *rest, keepdim=False, **options: mean(
        x, None if isinstance(dim, bool) else dim, keepdim or rest[1:2] == (True,)
    ),
    "var_mean": mean_and_spread,
    "std_mean": mean_and_spread,
    "max": extreme,
    "min": extreme,
    "argmax": where_extreme,
    "argmin": where_extreme,
    **dict.fromkeys(("cumsum", "cumprod"), along),
    "cat": cat,
    "concat": cat,
    "concatenate": cat,
    "stack": stack,
    "hstack": stacked(1),
    "vstack": stacked(0),
    "dstack": lambda tensors: cat(tensors, 2),
    "matmul": matmul,
    "bmm": flat_product,
    "mm": flat_product,
    "mv": matmul,
    "dot": matmul,
    "inner": matmul,
    "outer": outer,
    "ger": outer,
    "addmm": times_plus,
    "baddbmm": times_plus,
    "einsum": einsum,
    "cdist": distance,
    "cosine_similarity": similarity,
    "add": pair("+"),
    "sub": pair("−"),
    "rsub": pair("−"),
    "mul": pair("*"),
    "div": pair("/"),
    "floor_divide": pair("//"),
    **dict.fromkeys(("remainder", "fmod"), pair("%")),
    "pow": pair("**"),
    **dict.fromkeys(
        ("maximum", "minimum", "fmax", "fmin", "atan2", "hypot", "logaddexp", "bitwise_and", "bitwise_or"), pair("and")
    ),
    **dict.fromkeys(("addcmul", "addcdiv", "lerp"), three),
    "where": choose_between,
    "masked_fill": masked,
    "softmax": softmax,
    "log_softmax": softmax,
    "gumbel_softmax": shares,
    "scaled_dot_product_attention": attend,
    "meshgrid": mesh,
    "broadcast_tensors": broadcast_all,
    **dict.fromkeys(("zeros_like", "ones_like", "empty_like", "full_like", "randint_like"), like),
    **dict.fromkeys(("randn_like", "rand_like"), random_like),
    **dict.fromkeys(("nonzero", "unique", "masked_select", "unique_consecutive", "bincount", "argwhere"), refuse_counting),
    "contiguous": tidy,
    **dict.fromkeys(("float", "double", "half", "bfloat16"), decimals),
    **dict.fromkeys(("long", "int", "bool", "short", "byte"), wholes),
    **dict.fromkeys(
        ("clone", "detach", "cpu", "cuda", "requires_grad_", "numpy", "alias", "to_dense", "resolve_conj", "data"), keep
    ),
}
