"""Attention in its forms, and transformer blocks."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, hidden_later, leaves, normal, relu, softmax, solves, with_gradients


@solves("attention-steps")
def _(g: Given) -> Worked:
    q, k, v = (torch.tensor(g.X @ w) for w in (g.W_Q, g.W_K, g.W_V))
    return {"output": F.scaled_dot_product_attention(q, k, v), "scores": np.einsum("ik,jk->ij", q, k)}


@solves("attention-backward")
def _(g: Given) -> Worked:
    t = leaves(g)
    output = F.scaled_dot_product_attention(t.X @ t.W_Q, t.X @ t.W_K, t.X @ t.W_V)
    return with_gradients(t, loss := F.mse_loss(output, t.Y), "W_Q", "W_K", "W_V", output=output, loss=loss)


@solves("causal-attention")
def _(g: Given) -> Worked:
    q, k, v = (torch.tensor(x) for x in (g.Q, g.K, g.V))
    return {"output": F.scaled_dot_product_attention(q, k, v, is_causal=True)}


@solves("multi-head")
def _(g: Given) -> Worked:
    heads = [torch.tensor(x).reshape(2, 2, 2).transpose(0, 1) for x in (g.Q, g.K, g.V)]  # head, token, cell
    z = F.scaled_dot_product_attention(*heads).transpose(0, 1).reshape(2, 4).numpy()
    return {"Z": z, "out": z @ g.W_O}


@solves("transformer-block")
def _(g: Given) -> Worked:
    waves = [[(math.sin, math.cos)[j % 2](i / 100 ** (j // 2)) for j in range(4)] for i in range(3)]
    X = g.E + np.array(waves)
    weights = softmax(hidden_later((X @ g.W_Q) @ (X @ g.W_K).T / math.sqrt(2)))
    normed = normal(X + weights @ (X @ g.W_V))
    fed = relu(normed @ g.W1 + g.b1) @ g.W2
    return {"X": X, "weights": weights, "normed": normed, "fed": fed, "out": normal(normed + fed) * g.g}


@solves("grouped-query-attention")
def _(g: Given) -> Worked:
    q = torch.tensor(np.stack([g.Q1, g.Q2]))[None]
    k, v = (torch.tensor(x)[None, None] for x in (g.K, g.V))
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)[0]
    return {"Z1": z[0], "Z2": z[1], "out": torch.cat([z[0], z[1]], 1).numpy() @ g.W_O}


@solves("linear-attention")
def _(g: Given) -> Worked:
    q, k = relu(g.Q) + 1, relu(g.K) + 1
    out = [sum((a @ b) * v for b, v in zip(k, g.V, strict=True)) / sum(a @ b for b in k) for a in q]
    return {"out": out, "same": out}


@solves("positions")
def _(g: Given) -> Worked:
    waves = np.array([[math.sin(n), math.cos(n), math.sin(n / 100), math.cos(n / 100)] for n in range(3)])
    return {
        "X": g.E + waves,
        "likeness": [[math.cos(a - b) + math.cos((a - b) / 100) for b in range(3)] for a in range(3)],
    }


@solves("rope")
def _(g: Given) -> Worked:
    return {"scores": [[math.sin(i - j) for j in range(3)] for i in range(3)]}  # Re of e^(−iα) · i e^(iβ)


@solves("feed-forward-gelu")
def _(g: Given) -> Worked:
    h = F.gelu(torch.tensor(g.x @ g.W1 + g.b1)).numpy()
    return {"h": h, "out": g.x + h @ g.W2}


@solves("swiglu")
def _(g: Given) -> Worked:
    gate = F.silu(torch.tensor(g.x @ g.W)).numpy()
    return {"gate": gate, "out": (gate * (g.x @ g.V)) @ g.O}


@solves("sorter-as-formulas")
def _(g: Given) -> Worked:
    X = g.E[[3, 0, 0, 4, 0, 3, 5]]
    scores = hidden_later((X @ g.W_Q) @ (X @ g.W_K).T)
    best = scores == scores.max(1, keepdims=True)
    logits = (best / best.sum(1, keepdims=True)) @ (X @ g.W_V) @ g.W_O @ g.E.T
    return {"logits": logits, "loss": F.cross_entropy(torch.tensor(logits[3:6]), torch.tensor([0, 3, 5]), reduction="sum")}


@solves("mixture-of-experts")
def _(g: Given) -> Worked:
    out = []
    for x in g.X:
        logits = x @ g.W_g
        asked = np.argsort(-logits)[:2]
        shares = softmax(logits[asked])
        out.append(sum(s * relu(x @ (g.W_1, g.W_2, g.W_3)[e]) for s, e in zip(shares, asked, strict=True)))
    return {"Y": out}


@solves("switch-transformer")
def _(g: Given) -> Worked:
    p = softmax(g.X @ g.W_r)
    best = p.argmax(1)
    Y = [p[n, e] * (x @ (g.W_1, g.W_2)[e]) for n, (x, e) in enumerate(zip(g.X, best, strict=True))]
    shares = np.bincount(best, minlength=2) / len(best)
    return {"Y": Y, "balance": 2 * float(shares @ p.mean(0)), "share": shares[None]}
