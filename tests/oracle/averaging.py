"""A deep averaging network in plain loops over plain numbers, from its formula; knows nothing of the package."""

import math

PRIME, STEP = 1_000_003, 7_920


def pair_row(before, token, rows):
    """Where the pair of two neighbouring words is kept."""
    mixed = token * PRIME + before * STEP
    return (mixed ^ (mixed >> 17)) % rows


def logit(weights, tokens):
    """weights: embedding, pairs (or None), layers as (W, b) with W[out][in], head as (w, b); tokens without pads."""
    width = len(weights["embedding"][0])
    total = [0.0] * width
    for place, token in enumerate(tokens):
        vector = list(weights["embedding"][token])
        if weights["pairs"]:
            before = tokens[place - 1] if place else 0
            vector = [
                a + b for a, b in zip(vector, weights["pairs"][pair_row(before, token, len(weights["pairs"]))], strict=True)
            ]
        total = [a + b for a, b in zip(total, vector, strict=True)]
    x = [each / max(len(tokens), 1) for each in total]
    for matrix, bias in weights["layers"]:
        x = [max(0.0, sum(w * each for w, each in zip(row, x, strict=True)) + b) for row, b in zip(matrix, bias, strict=True)]
    row, bias = weights["head"]
    return sum(w * each for w, each in zip(row, x, strict=True)) + bias


def pushes(weights, tokens):
    """Each word really taken out of the text, and the whole net run on what is left."""
    whole = logit(weights, tokens)
    return [whole - logit(weights, tokens[:place] + tokens[place + 1 :]) for place in range(len(tokens))]


def cross_entropy(logits, labels):
    """Mean of −log of the probability of each label."""
    return sum(math.log1p(math.exp(-z if y else z)) for z, y in zip(logits, labels, strict=True)) / len(labels)


def weights_of(model) -> dict:
    """The weights of a torch net as plain lists, by the names used above."""
    return {
        "embedding": model.embedding.weight.tolist(),
        "pairs": model.pairs.weight.tolist() if model.pairs is not None else None,
        "layers": [(layer.weight.tolist(), layer.bias.tolist()) for layer in model.layers],
        "head": (model.head.weight[0].tolist(), model.head.bias.item()),
    }
