"""Windows over tables, and what a model is made of in numbers."""

import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, leaves, solves, with_gradients


@solves("convolution-of-numbers")
def _(g: Given) -> Worked:
    x, k = torch.tensor(g.image)[None, None], torch.tensor(g.kernel)[None, None]
    return {"edges": F.conv2d(x, k)[0, 0], "padded": F.conv2d(x, k, padding=1)[0, 0], "strided": F.conv2d(x, k, stride=2)[0, 0]}


@solves("convnet")
def _(g: Given) -> Worked:
    t = leaves(g)
    m = F.max_pool2d(torch.relu(F.conv2d(t.image[None, None], t.kernel[None, None])), 2)
    loss = F.cross_entropy(m.reshape(1, 4) @ t.W, t.y)
    return with_gradients(t, loss, "W", "kernel", m=m[0, 0], loss=loss)


@solves("pooling")
def _(g: Given) -> Worked:
    x = torch.tensor(g.A)[None]
    return {"largest": F.max_pool2d(x, 2)[0], "average": F.avg_pool2d(x, 2)[0], "overlapping": F.max_pool2d(x, 2, 1)[0]}


@solves("kv-cache")
def _(g: Given) -> Worked:
    return {"one": 524288, "gibi": 2.0, "grouped": 0.5, "saved": 4}


@solves("parameter-count")
def _(g: Given) -> Worked:
    layer = torch.nn.TransformerEncoderLayer(768, 12, 3072, device="meta")
    block = sum(p.numel() for p in layer.parameters())
    return {"block": block, "total": 50257 * 768 + 1024 * 768 + 12 * block + 2 * 768}


@solves("flop-count")
def _(g: Given) -> Worked:
    block = 4 * 512 * 512 + 2 * 256 * 512 + 2 * (512 * 2048)
    return {"block": block, "forward": 6 * block + 5_120_000, "flops": 6 * (6 * block + 5_120_000)}
