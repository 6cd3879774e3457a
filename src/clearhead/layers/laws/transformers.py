"""Decoder layers, stacks of encoder and decoder layers, and the whole transformer.

Stacks hold copies of the layer they get, so they weigh as often as they repeat it.
"""

from typing import Any

from clearhead.layers.laws.attention_layers import LAWS as SINGLE
from clearhead.layers.laws.attention_layers import attention_shapes, check_encoder, encoder_shapes
from clearhead.layers.laws.law import Arguments, Law, Outcome, Weights, whole
from clearhead.layers.values.axis_sizes import BATCH, product, show_size
from clearhead.layers.values.receptive_field import ALL
from clearhead.layers.values.refusals import NotKnown, Refusal, WrongInput
from clearhead.layers.values.tensors import Tensor, made

Shapes = dict[str, tuple[int, ...] | None]
LAYER = (
    "d_model, nhead, dim_feedforward=2048, dropout=0.1, activation='relu', layer_norm_eps=1e-05, batch_first=False, "
    "norm_first=False, bias=True, device=None, dtype=None"
)
TARGET = (
    "tgt",
    "memory",
    "tgt_mask",
    "memory_mask",
    "tgt_key_padding_mask",
    "memory_key_padding_mask",
    "tgt_is_causal",
    "memory_is_causal",
)


def require_width(a: Arguments, **tensors: Tensor) -> None:
    width = whole(a, "d_model")
    for name, x in tensors.items():
        if len(x.shape) not in (2, 3):
            raise Refusal(f"{name} needs 2 axes, or 3 with a batch, and is {x}")
        if x.shape[-1] != width:
            raise Refusal(f"d_model={width}, but {name} is {show_size(x.shape[-1])} wide: {x}")


def run_decoder(a: Arguments, tgt: Tensor, memory: Tensor, **options: Any) -> Outcome:
    """Attention over the target's steps, attention to the memory, two linear layers; the target's shape stays."""
    require_width(a, tgt=tgt, memory=memory)
    batched, first = len(tgt.shape) == 3, bool(a["batch_first"])
    if batched and not first and tgt.fresh and tgt.shape[0] == BATCH:
        raise WrongInput(place=1)
    at = (0 if first else 1) if batched else None
    if at is not None and (len(memory.shape) != 3 or tgt.shape[at] != memory.shape[at]):
        raise Refusal(f"target and memory need the same batch: {tgt} and {memory}")
    width, inner = whole(a, "d_model"), whole(a, "dim_feedforward")
    step = 1 if batched and first else 0
    rows, steps, seen = product(tgt.shape[:-1]), tgt.shape[step], memory.shape[step]
    cost = rows * (6 * width * width + 2 * (steps + seen) * width + 2 * width * inner) + 2 * product(memory.shape) * width
    return Outcome(made(tgt.shape, tgt, ALL, tidy=True), f"the shape of the target; {inner} wide inside", cost)


def decoder_shapes(a: Arguments) -> Shapes:
    width, inner, bias = whole(a, "d_model"), whole(a, "dim_feedforward"), bool(a["bias"])
    each = {"embed_dim": width, "bias": bias, "kdim": None, "vdim": None, "add_bias_kv": False}
    found: Shapes = {}
    for part in ("self_attn", "multihead_attn"):
        found |= {f"{part}.{name}": shape for name, shape in attention_shapes(each).items()}
    found |= {"linear1.weight": (inner, width), "linear2.weight": (width, inner)}
    found |= {f"norm{n}.weight": (width,) for n in (1, 2, 3)}
    if bias:
        found |= {"linear1.bias": (inner,), "linear2.bias": (width,)} | {f"norm{n}.bias": (width,) for n in (1, 2, 3)}
    return found


def counted(shapes: Shapes, how: str) -> Weights:
    count = sum(product(shape) for shape in shapes.values() if shape is not None)
    return Weights(count, f"{how} = {count}")


def weigh_decoder(a: Arguments) -> Weights:
    return counted(decoder_shapes(a), f"2 attentions, 2 linear layers ({a['dim_feedforward']} inside), 3 norms")


def inner_law(layer: Any, kind: str) -> Law:
    if getattr(layer, "kind", "") != kind or getattr(layer, "unknown", ""):
        raise NotKnown(f"a stack of something other than nn.{kind} is not followed")
    return (SINGLE | LAWS)[kind]


def stack_shapes(name: str, kind: str, a: Arguments) -> Shapes:
    inner_law(a[name], kind)
    shapes = {key: part.tensor.shape for key, part in a[name].held.items() if part is not None}
    found: Shapes = {f"layers.{n}.{key}": shape for n in range(whole(a, "num_layers", 0)) for key, shape in shapes.items()}
    if a["norm"] is not None:
        if not hasattr(a["norm"], "held"):
            raise NotKnown("a norm of the source's own is not followed here")
        found |= {f"norm.{key}": part.tensor.shape for key, part in a["norm"].held.items() if part is not None}
    return found


def weigh_stack(name: str, kind: str, a: Arguments) -> Weights:
    each = a[name].weights.count if getattr(a[name], "weights", None) is not None else 0
    norm = " + the norm" if a["norm"] is not None else ""
    return counted(stack_shapes(name, kind, a), f"{a['num_layers']} × {each}{norm}")


def run_encoder_stack(
    a: Arguments, src: Tensor, mask: Any = None, src_key_padding_mask: Any = None, is_causal: Any = None
) -> Outcome:
    law = inner_law(a["encoder_layer"], "TransformerEncoderLayer")
    given = {"src_mask": mask, "src_key_padding_mask": src_key_padding_mask}
    return repeated(
        a, law.run(a["encoder_layer"].arguments, src, **{name: value for name, value in given.items() if value is not None})
    )


def run_decoder_stack(a: Arguments, tgt: Tensor, memory: Tensor, **options: Any) -> Outcome:
    law = inner_law(a["decoder_layer"], "TransformerDecoderLayer")
    return repeated(a, law.run(a["decoder_layer"].arguments, tgt, memory, **options))


def repeated(a: Arguments, once: Outcome) -> Outcome:
    times = whole(a, "num_layers", 0)
    return Outcome(once.output, f"{times} times: {once.arithmetic}", times * once.multiply_adds)


def halves(a: Arguments) -> tuple[Shapes, Shapes]:
    if a["custom_encoder"] is not None or a["custom_decoder"] is not None:
        raise NotKnown("a transformer with an encoder or decoder of its own is not followed")
    return encoder_shapes(a), decoder_shapes(a)


def run_transformer(a: Arguments, src: Tensor, tgt: Tensor, **options: Any) -> Outcome:
    """The encoder over the source, the decoder over the target; the target's shape comes out."""
    halves(a)
    encoded = SINGLE["TransformerEncoderLayer"].run(a, src)
    assert isinstance(encoded.output, Tensor)
    decoded = run_decoder(a, tgt, encoded.output)
    cost = whole(a, "num_encoder_layers") * encoded.multiply_adds + whole(a, "num_decoder_layers") * decoded.multiply_adds
    return Outcome(decoded.output, "the shape of the target", cost)


def transformer_shapes(a: Arguments) -> Shapes:
    encoder, decoder = halves(a)
    found: Shapes = {}
    for part, shapes, count in (("encoder", encoder, a["num_encoder_layers"]), ("decoder", decoder, a["num_decoder_layers"])):
        found |= {f"{part}.layers.{n}.{key}": shape for n in range(count) for key, shape in shapes.items()}
        found |= {
            f"{part}.norm.weight": (whole(a, "d_model"),),
            f"{part}.norm.bias": (whole(a, "d_model"),) if a["bias"] else None,
        }
    return found


def weigh_transformer(a: Arguments) -> Weights:
    return counted(
        transformer_shapes(a), f"{a['num_encoder_layers']} encoder and {a['num_decoder_layers']} decoder layers, 2 norms"
    )


LAWS = {
    "TransformerDecoderLayer": Law(
        LAYER, run_decoder, weigh_decoder, check_encoder, inputs=TARGET, needed=2, shapes=decoder_shapes
    ),
    "TransformerEncoder": Law(
        "encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True",
        run_encoder_stack,
        lambda a: weigh_stack("encoder_layer", "TransformerEncoderLayer", a),
        inputs=("src", "mask", "src_key_padding_mask", "is_causal"),
        shapes=lambda a: stack_shapes("encoder_layer", "TransformerEncoderLayer", a),
    ),
    "TransformerDecoder": Law(
        "decoder_layer, num_layers, norm=None",
        run_decoder_stack,
        lambda a: weigh_stack("decoder_layer", "TransformerDecoderLayer", a),
        inputs=TARGET,
        needed=2,
        shapes=lambda a: stack_shapes("decoder_layer", "TransformerDecoderLayer", a),
    ),
    "Transformer": Law(
        "d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048, dropout=0.1, "
        "activation='relu', custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-05, batch_first=False, "
        "norm_first=False, bias=True, device=None, dtype=None",
        run_transformer,
        weigh_transformer,
        check_encoder,
        inputs=(
            "src", "tgt", "src_mask", "tgt_mask", "memory_mask", "src_key_padding_mask", "tgt_key_padding_mask",
            "memory_key_padding_mask",
            "src_is_causal", "tgt_is_causal", "memory_is_causal",
        ),
        needed=2,
        shapes=transformer_shapes,
    ),
}  # fmt: skip
