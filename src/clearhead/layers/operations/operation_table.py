"""The operations on tensors that are known, by the names that torch gives them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from clearhead.layers.laws.law import Outcome
from clearhead.layers.laws.nonlinearities import run_softmax
from clearhead.layers.laws.reshapes import flatten, unflatten, view
from clearhead.layers.operations.axis_changes import expand, permute, repeat, shape_of, squeeze, transpose, unsqueeze
from clearhead.layers.operations.joins import cat, chunk, split, stack
from clearhead.layers.operations.reductions import extreme, mean, reduce, where_extreme
from clearhead.layers.operations.sums_and_products import attend, broadcast, matmul
from clearhead.layers.values.tensors import Tensor, new_strides, row_major


def softmax(x: Tensor, dim: Any = None, *rest: Any, **options: Any) -> Outcome:
    return run_softmax({"dim": dim}, x)


def keep(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    return Outcome(x)


def each(x: Tensor, *rest: Any, **options: Any) -> Outcome:
    """Number by number."""
    return Outcome(replace(x, strides=new_strides(x), raw=False))


def tidy(x: Tensor) -> Outcome:
    return Outcome(replace(x, strides=row_major(x.shape)))


def decimals(x: Tensor) -> Outcome:
    return Outcome(replace(x, whole=False, raw=False))


def wholes(x: Tensor) -> Outcome:
    return Outcome(replace(x, whole=True, raw=False))


OPERATIONS: dict[str, Callable[..., Outcome]] = {
    "flatten": lambda x, start_dim=0, end_dim=-1: flatten(x, start_dim, end_dim),
    "unflatten": lambda x, dim, sizes: unflatten(x, dim, shape_of((sizes,))),
    "view": lambda x, *sizes: view(x, shape_of(sizes), "view"),
    "reshape": lambda x, *sizes: view(x, shape_of(sizes), "reshape"),
    "permute": permute,
    "transpose": transpose,
    "swapaxes": transpose,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "expand": expand,
    "expand_as": lambda x, other: expand(x, *other.shape),
    "view_as": lambda x, other: view(x, other.shape, "view"),
    "repeat": repeat,
    "chunk": chunk,
    "split": split,
    "mean": mean,
    "sum": reduce,
    "amax": reduce,
    "amin": reduce,
    "std": mean,
    "var": mean,
    "max": extreme,
    "min": extreme,
    "argmax": where_extreme,
    "argmin": where_extreme,
    "cat": cat,
    "concat": cat,
    "concatenate": cat,
    "stack": stack,
    "matmul": matmul,
    "bmm": matmul,
    "mm": matmul,
    "add": lambda a, b: broadcast(a, b, "+"),
    "sub": lambda a, b: broadcast(a, b, "−"),
    "mul": lambda a, b: broadcast(a, b, "*"),
    "div": lambda a, b: broadcast(a, b, "/"),
    "softmax": softmax,
    "log_softmax": softmax,
    "scaled_dot_product_attention": attend,
    "contiguous": tidy,
    "float": decimals,
    "long": wholes,
    "int": wholes,
    **dict.fromkeys(("clone", "detach", "cpu", "cuda", "requires_grad_"), keep),
    **dict.fromkeys(("abs", "clamp", "neg", "square"), each),
}
