"""The course-style GPT under GPT-2's names: the same numbers, laid out as transformers lays them out, and back.

GPT-2 keeps its maps as (in, out) and queries, keys and values as one map side by side; ours are (out, in), three of them.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from clearhead.errors import InputError
from clearhead.models.gpt import GPTConfig

EPSILON = 1e-5  # of every norm, here and there
ACTIVATIONS = {"exact": "gelu", "tanh": "gelu_new"}
GELUS = {"gelu": "exact", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh", "gelu_fast": "tanh"}
HEADS = ("query", "key", "value")
NORMS = {"before_attention": "ln_1", "before_widening": "ln_2"}
MAPS = {"attention.projection": "attn.c_proj", "widen": "mlp.c_fc", "narrow": "mlp.c_proj"}
SMALL = {"embedding.weight": "transformer.wte.weight", "positions": "transformer.wpe.weight", "head.weight": "lm_head.weight"}


def is_gpt2(config: object) -> bool:
    """Whether a model is what GPT-2 is: the course's style, without a memory of phrases."""
    return isinstance(config, GPTConfig) and not config.modern and not config.memory


def gpt2_config(config: GPTConfig, mark: int) -> dict[str, Any]:
    """config.json; `mark` is the token that begins and ends a text."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": config.vocab,
        "n_positions": config.context,
        "n_embd": config.width,
        "n_layer": config.layers,
        "n_head": config.heads,
        "n_inner": None,
        "activation_function": ACTIVATIONS[config.gelu],
        "layer_norm_epsilon": EPSILON,
        **dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), config.dropout),
        "tie_word_embeddings": False,
        "bos_token_id": mark,
        "eos_token_id": mark,
        "dtype": "float32",
    }


def to_gpt2(weights: Mapping[str, Tensor], layers: int) -> dict[str, Tensor]:
    """Our weights under GPT-2's names."""
    named = {theirs: weights[ours] for ours, theirs in SMALL.items()}
    for part in ("weight", "bias"):
        named[f"transformer.ln_f.{part}"] = weights[f"last_norm.{part}"]
    for layer in range(layers):
        ours, theirs = f"blocks.{layer}", f"transformer.h.{layer}"
        for part in ("weight", "bias"):
            three = torch.cat([weights[f"{ours}.attention.{head}.{part}"] for head in HEADS])  # (3·width, width) or (3·width,)
            named[f"{theirs}.attn.c_attn.{part}"] = three.T if part == "weight" else three
            for norm, other in NORMS.items():
                named[f"{theirs}.{other}.{part}"] = weights[f"{ours}.{norm}.{part}"]
            for place, other in MAPS.items():
                found = weights[f"{ours}.{place}.{part}"]
                named[f"{theirs}.{other}.{part}"] = found.T if part == "weight" else found
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in named.items()}


def from_gpt2(weights: Mapping[str, Tensor], layers: int, vocab: int) -> dict[str, Tensor]:
    """GPT-2's weights under our names, of the first `vocab` tokens; a head that is tied is the embedding."""
    whole = {
        name if name.startswith(("transformer.", "lm_head.")) else f"transformer.{name}": each for name, each in weights.items()
    }
    whole.setdefault("lm_head.weight", whole["transformer.wte.weight"])
    named = {ours: whole[theirs] for ours, theirs in SMALL.items()}
    for part in ("weight", "bias"):
        named[f"last_norm.{part}"] = whole[f"transformer.ln_f.{part}"]
    for layer in range(layers):
        ours, theirs = f"blocks.{layer}", f"transformer.h.{layer}"
        for part in ("weight", "bias"):
            three = whole[f"{theirs}.attn.c_attn.{part}"]
            split = (three.T if part == "weight" else three).chunk(3)
            named |= {f"{ours}.attention.{head}.{part}": each for head, each in zip(HEADS, split, strict=True)}
            for norm, other in NORMS.items():
                named[f"{ours}.{norm}.{part}"] = whole[f"{theirs}.{other}.{part}"]
            for place, other in MAPS.items():
                found = whole[f"{theirs}.{other}.{part}"]
                named[f"{ours}.{place}.{part}"] = found.T if part == "weight" else found
    for table in ("embedding.weight", "head.weight"):
        named[table] = named[table][:vocab]
    return {name: tensor.float().contiguous().clone() for name, tensor in named.items()}


def settings_of(config: Mapping[str, Any], where: str) -> dict[str, Any]:
    """The [model] table of a recipe for a GPT-2 by its config.json; what ours does not compute is refused by name."""
    wanted: dict[str, tuple[Any, ...]] = {
        "model_type": ("gpt2",),
        "layer_norm_epsilon": (EPSILON,),
        "scale_attn_weights": (True,),
        "scale_attn_by_inverse_layer_idx": (False,),
        "add_cross_attention": (False,),
        "activation_function": tuple(GELUS),
        "n_inner": (None, 4 * int(config.get("n_embd", 768))),
    }
    defaults = {"activation_function": "gelu_new", "scale_attn_by_inverse_layer_idx": False, "add_cross_attention": False}
    for key, known in wanted.items():
        value = config.get(key, defaults.get(key, known[0]))
        if value not in known:
            listed = ", ".join(map(str, known))
            raise InputError(f"{where}: {key} is {value!r}, and this model computes only with {listed}; take another one.")
    return {
        "kind": "gpt",
        "style": "course",
        "context": int(config.get("n_positions", 1024)),
        "layers": int(config.get("n_layer", 12)),
        "heads": int(config.get("n_head", 12)),
        "width": int(config.get("n_embd", 768)),
        "dropout": float(config.get("resid_pdrop", 0.1)),
        "gelu": GELUS[str(config.get("activation_function", "gelu_new"))],
    }
