"""Multi-head attention and the encoder layer built on it.

Multiply-adds: the four projections, and the two products QKᵀ and weights · V, each n_q · n_k · width.
"""

from math import gcd
from typing import Any

from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, set_to, show, whole
from clearhead.layers.values.axis_sizes import BATCH, product, show_shape, show_size
from clearhead.layers.values.receptive_field import ALL
from clearhead.layers.values.refusals import Refusal, WrongInput
from clearhead.layers.values.tensors import Tensor, made, row_major


def check_heads(width_name: str, heads_name: str, a: Arguments) -> None:
    width, heads = whole(a, width_name), whole(a, heads_name)
    if width < 1 or heads < 1:
        raise Refusal(f"{width_name} and {heads_name} must be at least 1, and are {width} and {heads}")
    if width % heads:
        near = max(n for n in range(1, heads + 1) if width % n == 0) if heads < 10_000 else gcd(width, heads)
        raise Refusal(f"{width_name}={width} must be divisible by {heads_name}={heads}", set_to(heads_name, near))


def check(a: Arguments) -> None:
    check_heads("embed_dim", "num_heads", a)
    for name in ("kdim", "vdim"):
        if a[name] is not None and whole(a, name) < 0:
            raise Refusal(f"{name} must not be negative, and is {a[name]}")


def run(a: Arguments, query: Tensor, key: Tensor, value: Tensor, **options: Any) -> Outcome:
    """The output has the shape of the query; the weights have a row for each query and a column for each key."""
    width, first = whole(a, "embed_dim"), bool(a["batch_first"])
    axes = len(query.shape)
    if axes not in (2, 3) or {len(key.shape), len(value.shape)} != {axes}:
        raise Refusal(f"query, key and value need 2 axes each, or 3 with a batch, and are {query}, {key} and {value}")
    if axes == 3 and not first and query.fresh and query.shape[0] == BATCH:
        raise WrongInput(place=1)
    require_widths(a, query, key, value)
    step, batch = (1, 0) if axes == 3 and first else (0, 1)
    if key.shape[:-1] != value.shape[:-1]:
        raise Refusal(f"each key needs one value: keys are {key}, values {value}")
    if axes == 3 and key.shape[batch] != query.shape[batch]:
        raise Refusal(f"queries and keys need the same batch: queries are {query}, keys {key}")
    batch_size = query.shape[batch] if axes == 3 else None
    require_masks(options, batch_size, whole(a, "num_heads"), query.shape[step], key.shape[step])
    extra = bool(a["add_bias_kv"]) + bool(a["add_zero_attn"])
    n_q, n_k = query.shape[step], key.shape[step] + extra
    examples = query.shape[batch] if axes == 3 else 1
    strides = (width, examples * width, 1) if axes == 3 and first else row_major(query.shape)
    output = Tensor(query.shape, strides=strides, field=ALL)
    cost = product(query.shape[:-1]) * width * width * 2
    cost += product(key.shape) * width + product(value.shape) * width + 2 * examples * n_q * n_k * width
    sentence = f"the shape of the query; {show_size(n_q)}×{show_size(n_k)} weights a head"
    weights: Tensor | None = None
    if options.get("need_weights", True):
        heads = () if options.get("average_attn_weights", True) else (whole(a, "num_heads"),)
        shape = (*((examples,) if axes == 3 else ()), *heads, n_q, n_k)
        weights = Tensor(shape, strides=row_major(shape), field=ALL)
    return Outcome((output, weights), sentence, cost)


def require_masks(options: dict[str, Any], batch: int | None, heads: int, n_q: int, n_k: int) -> None:
    """Refuse masks whose shapes do not fit; what is not known of them is passed over."""
    for name, mask in options.items():
        if not isinstance(mask, Tensor):
            continue
        padding = name.endswith("key_padding_mask")
        fits = [(n_k,) if batch is None else (batch, n_k)] if padding else [(n_q, n_k), ((batch or 1) * heads, n_q, n_k)]
        if mask.shape not in fits:
            wanted = " or ".join(show_shape(shape) for shape in fits)
            raise Refusal(f"{name} must be {wanted}, and is {mask}")


def require_widths(a: Arguments, query: Tensor, key: Tensor, value: Tensor) -> None:
    width = whole(a, "embed_dim")
    if query.shape[-1] != width:
        why = f"embed_dim={width}, but the queries are {show_size(query.shape[-1])} wide: {query}"
        fits = query.shape[-1] % whole(a, "num_heads") == 0
        raise Refusal(why, *((set_to("embed_dim", query.shape[-1]),) if fits else ()))
    for name, tensor, word in (("kdim", key, "keys"), ("vdim", value, "values")):
        wanted = width if a[name] is None else whole(a, name)
        if tensor.shape[-1] != wanted:
            why = f"{name}={wanted}, but the {word} are {show_size(tensor.shape[-1])} wide: {tensor}"
            raise Refusal(why, set_to(name, tensor.shape[-1]))


def weigh(a: Arguments) -> Weights:
    width = whole(a, "embed_dim")
    keys, values = (width if a[name] is None else whole(a, name) for name in ("kdim", "vdim"))
    count = width * (width + keys + values + width)
    parts = [f"4·{width}·{width}" if keys == values == width else f"{width}·({width} + {keys} + {values} + {width})"]
    if a["bias"]:
        count += 4 * width
        parts.append(f"4·{width}")
    if a["add_bias_kv"]:
        count += 2 * width
        parts.append(f"2·{width}")
    return Weights(count, f"{' + '.join(parts)} = {count}")


def attention_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    """The projections of query, key and value (together where they are equally wide), and of the output."""
    width = a["embed_dim"]
    keys, values = (width if a[name] is None else a[name] for name in ("kdim", "vdim"))
    found: dict[str, tuple[int, ...] | None] = {}
    if keys == values == width:
        found["in_proj_weight"] = (3 * width, width)
    else:
        found |= {"q_proj_weight": (width, width), "k_proj_weight": (width, keys), "v_proj_weight": (width, values)}
    found["out_proj.weight"] = (width, width)
    if a["bias"]:
        found |= {"in_proj_bias": (3 * width,), "out_proj.bias": (width,)}
    if a["add_bias_kv"]:
        found |= {"bias_k": (1, 1, width), "bias_v": (1, 1, width)}
    return found


def encoder_shapes(a: Arguments) -> dict[str, tuple[int, ...] | None]:
    width, inner, bias = whole(a, "d_model"), whole(a, "dim_feedforward"), bool(a["bias"])
    each = {"embed_dim": width, "bias": bias, "kdim": None, "vdim": None, "add_bias_kv": False}
    found = {f"self_attn.{name}": shape for name, shape in attention_shapes(each).items()}
    found |= {
        "linear1.weight": (inner, width),
        "linear2.weight": (width, inner),
        "norm1.weight": (width,),
        "norm2.weight": (width,),
    }
    if bias:
        found |= {"linear1.bias": (inner,), "linear2.bias": (width,), "norm1.bias": (width,), "norm2.bias": (width,)}
    return found


def check_encoder(a: Arguments) -> None:
    check_heads("d_model", "nhead", a)
    if whole(a, "dim_feedforward") < 0:
        raise Refusal(f"dim_feedforward must not be negative, and is {a['dim_feedforward']}")
    if isinstance(a["activation"], str) and a["activation"] not in ("relu", "gelu"):
        raise Refusal(f"activation must be 'relu' or 'gelu', and is {show(a['activation'])}")


def run_encoder(a: Arguments, x: Tensor, **options: Any) -> Outcome:
    """Attention over the steps, then two linear layers at each step; the shape stays."""
    width, inner, first = whole(a, "d_model"), whole(a, "dim_feedforward"), bool(a["batch_first"])
    axes = len(x.shape)
    if axes not in (2, 3):
        raise Refusal(f"TransformerEncoderLayer takes tensors with 2 or 3 axes and gets {axes}: {x}")
    if axes == 3 and not first and x.fresh and x.shape[0] == BATCH:
        raise WrongInput(place=1)
    if x.shape[-1] != width:
        why = f"d_model={width}, but {show_size(x.shape[-1])} numbers come in at each step (the last axis of {x})"
        fits = x.shape[-1] % whole(a, "nhead") == 0
        raise Refusal(why, *((set_to("d_model", x.shape[-1]),) if fits else ()))
    steps = x.shape[1 if axes == 3 and first else 0]
    batch = x.shape[0 if first else 1] if axes == 3 else None
    require_masks(options, batch, whole(a, "nhead"), steps, steps)
    rows = product(x.shape[:-1])
    cost = rows * (4 * width * width + 2 * steps * width + 2 * width * inner)
    return Outcome(made(x.shape, x, ALL, tidy=not a["norm_first"]), f"the shape stays; {inner} wide inside", cost)


def weigh_encoder(a: Arguments) -> Weights:
    width, inner = whole(a, "d_model"), whole(a, "dim_feedforward")
    count = 4 * width * width + 2 * width * inner + 2 * width
    text = f"4·{width}·{width} + 2·{width}·{inner}"
    if a["bias"]:
        count += 4 * width + inner + width + 2 * width
        return Weights(count, f"{text} + {inner} + 9·{width} = {count}")
    return Weights(count, f"{text} + 2·{width} = {count}")


LAWS = {
    "MultiheadAttention": Law(
        "embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None, "
        "batch_first=False, device=None, dtype=None",
        run,
        weigh,
        check,
        inputs=(
            "query",
            "key",
            "value",
            "key_padding_mask",
            "need_weights",
            "attn_mask",
            "average_attn_weights",
            "is_causal",
        ),
        needed=3,
        shapes=attention_shapes,
    ),
    "TransformerEncoderLayer": Law(
        "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', layer_norm_eps=1e-05, batch_first=False, "
        "norm_first=False, bias=True, device=None, dtype=None",
        run_encoder,
        weigh_encoder,
        check_encoder,
        shapes=encoder_shapes,
        inputs=("src", "src_mask", "src_key_padding_mask", "is_causal"),
    ),
}
