"""The logit lens for a transformers decoder: each block's state read by the model's own last norm and head."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

BEST = 3
LAST_NORMS = ("ln_f", "norm", "final_layer_norm", "final_layernorm")
"""What models call the norm before their head: GPT-2, Llama and its kin, OPT, Phi."""


@torch.no_grad()
def hf_guesses(model: Any, ids: Sequence[int], named: Callable[[Sequence[int]], list[str]]) -> tuple[dict[str, Any], ...]:
    """What the model would say next after each block, at every place; nothing for a model without a head for the next token."""
    base = getattr(model, "base_model", None)
    decoder = getattr(base, "decoder", base)
    norm = next((getattr(decoder, name) for name in LAST_NORMS if hasattr(decoder, name)), None)
    head = model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None
    if norm is None or head is None or getattr(model.config, "is_encoder_decoder", False):
        return ()
    out = model(input_ids=torch.tensor([list(ids)]), output_hidden_states=True)
    states = getattr(out, "hidden_states", None)
    if not states or getattr(out, "logits", None) is None or out.logits.shape[1] != len(ids):
        return ()
    found = []
    for number, state in enumerate(states):
        last = number == len(states) - 1
        logits = out.logits[0] if last else head(norm(state))[0]  # (n, vocab): the last state has passed its norm already
        top = logits.float().softmax(-1).topk(min(BEST, logits.shape[-1]), dim=-1)
        best = [
            [[word, round(share, 4)] for word, share in zip(named(row), shares, strict=True)]
            for row, shares in zip(top.indices.tolist(), top.values.tolist(), strict=True)
        ]
        where = f"after block {number}" if number else "before the first block"
        found.append({"where": where, "places": list(range(len(ids))), "best": best})
    return tuple(found)
