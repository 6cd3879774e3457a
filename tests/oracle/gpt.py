"""A GPT in plain numpy, one position and one head at a time, from the formulas; weights come as a dictionary of arrays."""

import math

import numpy as np


def layer_norm(x, weight, bias):
    centred = x - x.mean()
    return centred / math.sqrt((centred**2).mean() + 1e-5) * weight + bias


def rms(x):
    return x / math.sqrt((x**2).mean() + np.finfo(x.dtype).eps)


def gelu(x):
    return np.array([0.5 * value * (1 + math.erf(value / math.sqrt(2))) for value in x])


def turn(x, place):
    """Rotary: pair (i, i + d/2) turned by place · 10000^(−2i/d)."""
    half = len(x) // 2
    out = x.copy()
    for i in range(half):
        angle = place * 10_000 ** (-2 * i / len(x))
        out[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
        out[i + half] = x[i + half] * math.cos(angle) + x[i] * math.sin(angle)
    return out


def logits(weights, tokens, heads, layers, modern, extra=None):
    """Logits after each token; `extra` is added to the embeddings (what a memory says)."""

    def linear(x, name):
        bias = weights.get(name + ".bias")
        y = weights[name + ".weight"] @ x
        return y if bias is None else y + bias

    def norm(x, name):
        return rms(x) if modern else layer_norm(x, weights[name + ".weight"], weights[name + ".bias"])

    states = [weights["embedding.weight"][token].copy() for token in tokens]
    for place, state in enumerate(states):
        if extra is not None:
            state += extra[place]
        if not modern:
            state += weights["positions"][place]
    for layer in range(layers):
        block = f"blocks.{layer}."
        queries, keys, values = [], [], []
        for place, state in enumerate(states):
            normed = norm(state, block + "before_attention")
            q, k, v = (linear(normed, block + f"attention.{name}").reshape(heads, -1) for name in ("query", "key", "value"))
            if modern:
                q, k = (np.array([turn(rms(row), place) for row in rows]) for rows in (q, k))
            queries.append(q)
            keys.append(k)
            values.append(v)
        after = []
        for place, state in enumerate(states):
            mixed = []
            for head in range(heads):
                d_k = queries[place].shape[1]
                scaled = [queries[place][head] @ keys[other][head] / math.sqrt(d_k) for other in range(place + 1)]
                exponentials = [math.exp(value - max(scaled)) for value in scaled]
                mixed.append(sum(e / sum(exponentials) * values[other][head] for other, e in enumerate(exponentials)))
            state = state + linear(np.concatenate(mixed), block + "attention.projection")
            wide = linear(norm(state, block + "before_widening"), block + "widen")
            active = np.maximum(wide, 0) ** 2 if modern else gelu(wide)
            after.append(state + linear(active, block + "narrow"))
        states = after
    return np.array([weights["head.weight"] @ norm(state, "last_norm") for state in states])


def mean_loss(all_logits, targets):
    """Mean of −log softmax at the targets that are not negative."""
    losses = []
    for row, target in zip(all_logits, targets, strict=True):
        if target >= 0:
            losses.append(math.log(sum(math.exp(value - row.max()) for value in row)) + row.max() - row[target])
    return sum(losses) / len(losses)
