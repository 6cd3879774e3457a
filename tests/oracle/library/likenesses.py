"""What lies near what: contrastive losses, word vectors, search, clusters, components."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, leaves, solves, with_gradients


@solves("clip")
def _(g: Given) -> Worked:
    logits = torch.tensor(g.t) * F.normalize(torch.tensor(g.I)) @ F.normalize(torch.tensor(g.C)).T
    a, b = (F.cross_entropy(x, torch.arange(3)) for x in (logits, logits.T))
    return {"logits": logits, "loss_I": a, "loss_C": b, "loss": (a + b) / 2}


@solves("vector-search")
def _(g: Given) -> Worked:
    likeness = [float(d @ g.q[0]) / math.sqrt(d @ d) / math.sqrt(g.q[0] @ g.q[0]) for d in g.D]
    best = sorted(range(5), key=lambda n: -likeness[n])
    return {"likeness": [likeness], "best": [[best[0] + 1]], "two": [[float(n in best[:2]) for n in range(5)]]}


@solves("word2vec")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = -F.logsigmoid(t.v @ t.u_o.T).sum() - F.logsigmoid(-t.v @ t.U_n.T).sum()
    return with_gradients(t, loss, "v", "u_o", "U_n", loss=loss)


@solves("tf-idf")
def _(g: Given) -> Worked:
    idf = np.array([math.log(3 / sum(row[j] > 0 for row in g.N)) for j in range(4)])
    rows = [row / row.sum() * idf for row in g.N]
    q = g.q[0] * idf
    likeness = [r @ q / np.linalg.norm(r) / np.linalg.norm(q) for r in rows]
    return {"likeness": [likeness], "best": [[1 + int(np.argmax(likeness))]]}


@solves("k-means")
def _(g: Given) -> Worked:
    D = np.array([[((x - c) ** 2).sum() for c in g.C] for x in g.X])
    own = D.argmin(1)
    return {"D": D, "nearest": own[:, None] + 1, "moved": [g.X[own == n].mean(0) for n in range(2)]}


@solves("pca")
def _(g: Given) -> Worked:
    values, vectors = np.linalg.eigh(np.cov(g.X.T, bias=True))
    u = vectors[:, 1:] * np.sign(vectors[0, 1])
    return {"large": values[1], "small": values[0], "u": u, "scores": (g.X - g.X.mean(0)) @ u, "kept": values[1] / values.sum()}
