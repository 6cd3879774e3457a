"""Linear layers and embeddings. A linear layer costs in · out multiply-adds a row; an embedding only looks up."""

from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Numbers, Outcome, Weights, set_to, show, whole
from clearhead.layers.source.fixes import FlattenFirst
from clearhead.layers.values.axis_sizes import product, show_size
from clearhead.layers.values.receptive_field import ALL, OPEN, Field
from clearhead.layers.values.refusals import Refusal, WrongInput
from clearhead.layers.values.tensors import Tensor, made


def check(a: Arguments) -> None:
    if min(whole(a, "in_features"), whole(a, "out_features")) < 0:
        raise Refusal(f"features must not be negative: {a['in_features']}, {a['out_features']}")


def run(a: Arguments, x: Tensor) -> Outcome:
    """The last axis changes from in_features to out_features; all other axes stay."""
    wanted, wide = whole(a, "in_features"), whole(a, "out_features")
    if not x.shape:
        raise Refusal(f"in_features={wanted}, but what comes in has no axis: it is one number")
    last = x.shape[-1]
    if last != wanted:
        raise mismatch(x, wanted, last)
    rows = product(x.shape[:-1])
    sentence = f"the last axis: {wanted} → {wide}"
    return Outcome(made((*x.shape[:-1], wide), x, seen(x), tidy=True), sentence, rows * wanted * wide)


def mismatch(x: Tensor, wanted: int, last: int) -> Refusal:
    """Why it breaks, and the edits that may mend it: a Flatten that is missing, or the number."""
    flat = product(x.shape[1:])
    if len(x.shape) > 2 and flat == wanted:
        sizes = "·".join(show_size(size) for size in x.shape[1:])
        why = f"in_features={wanted}, but the last axis of {x} is {show_size(last)}; flattened it would be {sizes} = {flat}"
        return Refusal(why, FlattenFirst(), set_to("in_features", last))
    why = f"in_features={wanted}, but {show_size(last)} numbers come in (the last axis of {x})"
    return Refusal(why, set_to("in_features", last))


def seen(x: Tensor) -> Field:
    """A linear layer over everything sees everything; over the features of one position, that position."""
    if x.field.kind in ("flat", "all") or (x.field.kind == "input" and len(x.shape) <= 2):
        return ALL
    return OPEN


def weigh(a: Arguments) -> Weights:
    inputs, outputs = whole(a, "in_features"), whole(a, "out_features")
    count = outputs * (inputs + bool(a["bias"]))
    return Weights(count, f"{outputs} × ({inputs} + 1) = {count}" if a["bias"] else f"{outputs} × {inputs} = {count}")


def shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    inputs, outputs = whole(a, "in_features"), whole(a, "out_features")
    return {"weight": (outputs, inputs), "bias": (outputs,) if a["bias"] else None}


def check_embedding(a: Arguments) -> None:
    rows, spare = whole(a, "num_embeddings"), a["padding_idx"]
    if min(rows, whole(a, "embedding_dim")) < 0:
        raise Refusal(f"sizes must not be negative: {rows}, {a['embedding_dim']}")
    if isinstance(spare, int) and spare and not -rows <= spare < rows:
        raise Refusal(f"padding_idx={spare} must be one of the {rows} rows")


def run_embedding(a: Arguments, x: Tensor) -> Outcome:
    """Each whole number is looked up: an axis of embedding_dim is added behind."""
    if x.whole is False:
        if x.raw:
            raise WrongInput(whole=True, origin=x.origin)
        raise Refusal(f"an embedding looks up whole numbers (token ids), and {show(x)} holds decimals")
    if whole(a, "num_embeddings") == 0:
        raise Refusal("num_embeddings must be at least 1, and is 0")
    wide = whole(a, "embedding_dim")
    return Outcome(made((*x.shape, wide), x, x.field, tidy=True), f"each number becomes {wide}")


def weigh_embedding(a: Arguments) -> Weights:
    rows, wide = whole(a, "num_embeddings"), whole(a, "embedding_dim")
    return Weights(rows * wide, f"{rows} × {wide} = {rows * wide}")


def run_bag(a: Arguments, x: Tensor, offsets: Any = None, **rest: Any) -> Outcome:
    """The rows that are looked up, taken together for each bag."""
    if x.whole is False:
        if x.raw:
            raise WrongInput(whole=True, origin=x.origin)
        raise Refusal(f"an embedding looks up whole numbers (token ids), and {show(x)} holds decimals")
    wide = whole(a, "embedding_dim")
    if len(x.shape) == 2:
        return Outcome(made((x.shape[0], wide), x, OPEN, tidy=True), f"each bag becomes {wide}")
    if isinstance(offsets, Tensor):
        return Outcome(made((offsets.shape[0], wide), x, OPEN, tidy=True), f"each bag becomes {wide}")
    raise Refusal(f"bags are rows of a matrix, or a vector with offsets, and {x} came")


LAWS = {
    "Linear": Law(
        "in_features, out_features, bias=True, device=None, dtype=None", run, weigh, check, alike=True, shapes=shapes
    ),
    "Embedding": Law(
        "num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
        "sparse=False, _weight=None, _freeze=False, device=None, dtype=None",
        run_embedding,
        weigh_embedding,
        check_embedding,
        numbers=Numbers.MAKES_DECIMALS,
        alike=True,
        shapes=lambda a: {"weight": (a["num_embeddings"], a["embedding_dim"])},
    ),
    "EmbeddingBag": Law(
        "num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, mode='mean', sparse=False, "
        "_weight=None, include_last_offset=False, padding_idx=None, device=None, dtype=None",
        run_bag,
        weigh_embedding,
        inputs=("input", "offsets", "per_sample_weights"),
        numbers=Numbers.MAKES_DECIMALS,
        shapes=lambda a: {"weight": (a["num_embeddings"], a["embedding_dim"])},
    ),
}
