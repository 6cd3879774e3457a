"""Both Perceivers in plain numpy, one position and one head at a time, from the formulas; weights come as arrays by name.

The course's: latent i asks with row i of C and sees tokens 0 … i; token t asks with its own embedding and sees latents 0 … t.
The causal one: latent i stands at p = (i + 1)·stride − 1, asks with the token there and sees tokens 0 … p; token t sees the
latents with p ≤ t and, in the same softmax, tokens t − window + 1 … t; the window is the stride unless told.
Before it asks, token t takes over the last of these latents: it is added to the token.
"""

import math

import numpy as np

from oracle.gpt import gelu, layer_norm, rms, turn


def logits(weights, tokens, heads, layers, modern, stride=None, extra=None, window=None):
    """Logits after each token; stride None is the course's; `extra` is added to the embeddings (what a memory says)."""

    def linear(x, name):
        bias = weights.get(name + ".bias")
        y = weights[name + ".weight"] @ x
        return y if bias is None else y + bias

    def norm(x, name):
        return rms(x) if modern else layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])

    def prepared(x, name, place):
        rows = linear(x, name).reshape(heads, -1)
        if modern and not name.endswith("value"):
            return np.array([turn(rms(row), place) for row in rows])
        return rows

    def block(number, state, place, seen):
        """One position through one block; seen is a list of (state, place) that it may look at."""
        name = f"blocks.{number}."
        q = prepared(norm(state, name + "before_attention"), name + "attention.query", place)
        keys, values = [], []
        for other, where in seen:
            normed = norm(other, name + "before_attention")
            keys.append(prepared(normed, name + "attention.key", where))
            values.append(prepared(normed, name + "attention.value", where))
        mixed = []
        for head in range(heads):
            scaled = [q[head] @ k[head] / math.sqrt(q.shape[1]) for k in keys]
            exponentials = [math.exp(value - max(scaled)) for value in scaled]
            mixed.append(sum(e / sum(exponentials) * v[head] for e, v in zip(exponentials, values, strict=True)))
        state = state + linear(np.concatenate(mixed), name + "attention.projection")
        wide = linear(norm(state, name + "before_widening"), name + "widen")
        return state + linear(np.maximum(wide, 0) ** 2 if modern else gelu(wide), name + "narrow")

    n = len(tokens)
    inputs = [weights["embedding.weight"][token].copy() for token in tokens]
    for place, state in enumerate(inputs):
        if extra is not None:
            state += extra[place]
        if not modern:
            state += weights["positions"][place]
    if stride is None:
        ends = list(range(min(n, len(weights["basis"]))))
        latents = [weights["basis"][i] for i in ends]
    else:
        ends = [p for p in range(n) if (p + 1) % stride == 0]
        latents = [inputs[p] for p in ends]
    latents = [block(0, state, p, [(inputs[j], j) for j in range(p + 1)]) for state, p in zip(latents, ends, strict=True)]
    for number in range(1, layers - 1):
        latents = [block(number, latents[i], ends[i], [(latents[j], ends[j]) for j in range(i + 1)]) for i in range(len(ends))]
    outputs = []
    for t in range(n):
        seen = [(latents[i], p) for i, p in enumerate(ends) if p <= t]
        if stride is not None:
            seen += [(inputs[j], j) for j in range(max(0, t - (window or stride) + 1), t + 1)]
        come = [i for i, p in enumerate(ends) if p <= t]
        asking = inputs[t] + latents[come[-1]] if stride is not None and come else inputs[t]
        outputs.append(block(layers - 1, asking, t, seen))
    return np.array([weights["head.weight"] @ norm(state, "last_norm") for state in outputs])
