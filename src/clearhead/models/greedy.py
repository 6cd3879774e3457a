"""Going on from prompts: the most likely next token, again and again, many prompts at once."""

from collections.abc import Sequence

import torch

from clearhead.errors import InputError
from clearhead.models.gpt import GPT
from clearhead.models.parts.cache import lined_up


@torch.no_grad()
def continue_greedily(
    model: GPT, prompts: Sequence[Sequence[int]], most: int, stop: int, pad: int = 0, batch: int = 128
) -> list[list[int]]:
    """What the model says after each prompt: up to `most` tokens, ended before `stop`; the prompts may be of any length.

    Prompts of like length go together, so that next to nothing is computed on pads.
    """
    if any(len(prompt) == 0 for prompt in prompts):
        raise InputError("a prompt must hold at least one token.")
    training = model.training
    model.eval()
    answers: list[list[int]] = [[] for _ in prompts]
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    for start in range(0, len(order), batch):
        chosen = order[start : start + batch]
        for place, answer in zip(chosen, one_batch(model, [prompts[i] for i in chosen], most, stop, pad), strict=True):
            answers[place] = answer
    model.train(training)
    return answers


def one_batch(model: GPT, prompts: Sequence[Sequence[int]], most: int, stop: int, pad: int) -> list[list[int]]:
    """Answers to prompts that fit into one batch; one that has ended takes no more part."""
    device = next(model.parameters()).device
    tokens, cache = lined_up(prompts, pad, device)
    most = min(most, model.config.context - tokens.shape[1] + 1)
    answers: list[list[int]] = [[] for _ in prompts]
    going = torch.arange(len(prompts), device=device)
    for _ in range(most):
        following = model.following(tokens, cache).argmax(-1)  # (rows,)
        on = (following != stop).nonzero()[:, 0]
        if len(on) < len(going):
            going, following = going[on], following[on]
            if len(going) == 0:
                break
            cache = cache.rows(on)
        for row, token in zip(going.tolist(), following.tolist(), strict=True):
            answers[row].append(token)
        tokens = following[:, None]
    return answers
