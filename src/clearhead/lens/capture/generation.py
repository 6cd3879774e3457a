"""Attention while a model writes: the rows of every step put together to one triangle, with a cache or without."""

from collections.abc import Sequence

import torch
from torch import Tensor

from clearhead.errors import InputError
from clearhead.lens.capture.recording import Recorded, attentions_of, recording, unasked
from clearhead.models import GPT, lined_up
from clearhead.models.perceiver import Perceiver


def written_on(model: GPT, ids: Sequence[int], tokens: int, stop: int, cache: bool = True) -> tuple[list[int], list[Recorded]]:
    """The text and what the model writes after it, greedily, and the attention of all its steps as of one.

    With a cache each step brings the rows of its own token and they are stitched; without one the last step has read it all.
    The last token that is written is not read any more.
    """
    if tokens < 1:
        raise InputError(f"at least one token must be written; got {tokens}.")
    if len(ids) + tokens > model.config.context:
        raise InputError(f"{len(ids)} tokens and {tokens} more do not fit: the model sees {model.config.context}; write fewer.")
    device = next(model.parameters()).device
    text, lengths = list(ids), []
    with recording(model) as calls:
        given, kept = lined_up([text], 0, device)
        for _ in range(tokens):
            lengths.append(len(text))
            fed = given if cache else torch.tensor([text], device=device)
            following = int(model(fed, kept if cache else None)[0, -1].argmax())
            if following == stop:
                break
            text.append(following)
            given = torch.tensor([[following]], device=device)
    if not cache:
        calls, lengths = [layer[-1:] for layer in calls], lengths[-1:]
    read = text[: lengths[-1]]
    return read, [
        stitched(model, layer, steps, lengths) if steps else unasked(attention)
        for layer, (steps, attention) in enumerate(zip(calls, attentions_of(model), strict=True))
    ]


def stitched(model: GPT, layer: int, steps: Sequence[Recorded], lengths: Sequence[int]) -> Recorded:
    """The steps of one layer as one: rows below one another; keys and values are those of the last step, which has them all."""
    last = steps[-1]
    split = isinstance(model, Perceiver) and model.config.all_seeing and layer == model.config.layers - 1
    n_k = last.k.shape[-2]
    latents = n_k - lengths[-1] if split else 0
    sizes = lengths if split else [step.k.shape[-2] for step in steps]
    kept = [(step, size) for step, size in zip(steps, sizes, strict=True) if step.q.shape[-2]]
    if not kept:
        return last
    rows = torch.cat([widened(step.weights(), n_k, latents, size) for step, size in kept], dim=-2)  # (1, heads, n_q, n_k)
    q, output = (torch.cat([getattr(step, name) for step, _ in kept], dim=-2) for name in ("q", "output"))
    return Recorded(q, last.k, last.v, seen_by(rows, split), output, rows)


def widened(weights: Tensor, n_k: int, latents: int, tokens: int) -> Tensor:
    """Rows of a step that knew fewer keys, as wide as the last: latents first, then tokens."""
    before = weights.shape[-1] - tokens if latents else 0  # latents that there were
    wide = weights.new_zeros(*weights.shape[:-1], n_k)
    wide[..., :before] = weights[..., :before]
    wide[..., latents : latents + weights.shape[-1] - before] = weights[..., before:]
    return wide


def seen_by(weights: Tensor, split: bool) -> Tensor:
    """What each row could see: in a triangle all up to its own place, else whatever has any weight in any head."""
    n_q, n_k = weights.shape[-2:]
    if n_q == n_k and not split:
        return torch.ones(n_q, n_k, dtype=torch.bool, device=weights.device).tril()
    return (weights[0] > 0).any(0)
