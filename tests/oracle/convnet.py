"""The exam's convolutional net in loops over windows, from its description; knows nothing of the package."""

import numpy as np


def convolution(x, filters, bias):
    """x (channels, h, w), filters (out, channels, k, k)."""
    size = filters.shape[2]
    out = np.empty((len(filters), x.shape[1] - size + 1, x.shape[2] - size + 1))
    for f in range(len(filters)):
        for i in range(out.shape[1]):
            for j in range(out.shape[2]):
                out[f, i, j] = (x[:, i : i + size, j : j + size] * filters[f]).sum() + bias[f]
    return out


def pooling(x, size, average):
    out = np.empty((len(x), x.shape[1] // size, x.shape[2] // size))
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            window = x[:, i * size : (i + 1) * size, j * size : (j + 1) * size]
            out[:, i, j] = window.mean((1, 2)) if average else window.max((1, 2))
    return out


def logits(picture, w1, b1, w2, b2, w3, b3, average):
    """picture (32, 32) from 0 to 255."""
    x = np.maximum(pooling(convolution(picture[None] / 255, w1, b1), 4, average), 0)
    x = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    x = np.maximum(pooling(convolution(x, w2, b2), 2, average), 0)
    return w3 @ x.reshape(-1) + b3
