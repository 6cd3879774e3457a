"""The bundled formula problems once more, in numpy and torch: from the givens of each, the numbers it must come to.

Knows nothing of clearhead. Each function takes the givens as arrays (a list is one row) and returns some of the steps,
the answers always among them.
"""

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

Given = SimpleNamespace
Worked = dict[str, Any]
LIBRARY: dict[str, Callable[[Given], Worked]] = {}


def solves(name: str) -> Callable[[Callable[[Given], Worked]], Callable[[Given], Worked]]:
    def enter(solution: Callable[[Given], Worked]) -> Callable[[Given], Worked]:
        LIBRARY[name] = solution
        return solution

    return enter


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def relu(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, x, 0.0)


def leaves(g: Given) -> SimpleNamespace:
    """The givens as tensors whose gradients are kept."""
    return SimpleNamespace(
        **{name: torch.tensor(value, dtype=torch.float64, requires_grad=True) for name, value in vars(g).items()}
    )


def with_gradients(t: SimpleNamespace, of: Tensor, /, *names: str, **steps: Tensor) -> Worked:
    of.backward()
    found = {f"d_{name}": getattr(t, name).grad.numpy() for name in names}
    return {**{name: step.detach().numpy() for name, step in steps.items()}, **found}


def descended(g: Given, worked: Worked, rate: float, *names: str) -> Worked:
    return {**worked, **{f"new_{name}": getattr(g, name) - rate * worked[f"d_{name}"] for name in names}}


def hidden_later(scores: np.ndarray) -> np.ndarray:
    return np.where(np.tril(np.ones_like(scores)) > 0, scores, -np.inf)


def normal(x: np.ndarray, axis: int = 1) -> np.ndarray:
    return (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True))


@solves("matrix-product")
def _(g: Given) -> Worked:
    Ax = np.einsum("ik,kj->ij", g.A, g.x)
    return {
        "AB": np.einsum("ik,kj->ij", g.A, g.B),
        "BA": np.einsum("ik,kj->ij", g.B, g.A),
        "Ax": Ax,
        "back": np.einsum("ki,kj->ij", g.A, Ax),
    }


@solves("mlp")
def _(g: Given) -> Worked:
    h = g.X
    for w, b in ((g.W1, g.b1), (g.W2, g.b2)):
        h = relu(h @ w + b)
    return {"h2": h, "y": h @ g.W3 + g.b3}


@solves("backpropagation")
def _(g: Given) -> Worked:
    t = leaves(g)
    z2 = torch.relu(t.X @ t.W1 + t.b1) @ t.W2 + t.b2
    loss = F.cross_entropy(z2, t.Y.argmax(1))
    names = ("W1", "b1", "W2", "b2")
    return descended(g, with_gradients(t, loss, *names, z2=z2, loss=loss), 0.5, *names)


@solves("rnn")
def _(g: Given) -> Worked:
    h, found = g.h0, {}
    for n, x in enumerate(g.x, start=1):
        h = relu(h @ g.W + x @ g.U + g.b)
        found[f"h{n}"] = h
    return {**found, "y": h @ g.V}


@solves("rnn-through-time")
def _(g: Given) -> Worked:
    t = leaves(g)
    h = t.h0
    for x in t.x:
        h = torch.tanh(h @ t.W + x[None] @ t.U)
    return with_gradients(t, loss := F.mse_loss(h @ t.v, t.y), "W", "U", "v", h2=h, loss=loss)


@solves("lstm")
def _(g: Given) -> Worked:
    cell = torch.nn.LSTMCell(2, 2).double()
    with torch.no_grad():
        gates = [torch.tensor(w, dtype=torch.float64).T for w in (g.W_i, g.W_f, g.W_g, g.W_o)]  # torch's order
        cell.weight_ih.copy_(torch.cat([w[:, :2] for w in gates]))
        cell.weight_hh.copy_(torch.cat([w[:, 2:] for w in gates]))
        cell.bias_hh.zero_()
        cell.bias_ih.copy_(torch.cat([torch.zeros(2), torch.tensor(g.b_f[0]), torch.zeros(4)]))
        state = (torch.tensor(g.h0), torch.tensor(g.c0))
        found = {}
        for n, x in enumerate(torch.tensor(g.x), start=1):
            state = cell(x[None], state)
            found |= {f"h{n}": state[0].numpy(), f"c{n}": state[1].numpy()}
    return found


@solves("gru")
def _(g: Given) -> Worked:
    h, found = g.h0[0], {}
    for n, x in enumerate(g.x, start=1):
        z = sigmoid(x @ g.W_z + h @ g.U_z)
        r = sigmoid(x @ g.W_r + h @ g.U_r)
        new = np.tanh(x @ g.W_h + (r * h) @ g.U_h)
        h = (1 - z) * new + z * h
        found |= {f"z{n}": z, f"r{n}": r, f"n{n}": new, f"h{n}": h}
    return found


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


@solves("batch-norm")
def _(g: Given) -> Worked:
    normed = F.batch_norm(torch.tensor(g.X), None, None, training=True, eps=1e-300).numpy()
    return {"normed": normed, "Y": normed * g.g + g.b, "variance": g.X.var(0)[None]}


@solves("layer-norm")
def _(g: Given) -> Worked:
    out = F.layer_norm(torch.tensor(g.x), (4,), torch.tensor(g.g[0]), eps=0.0).numpy()
    return {"out": out, "spread": g.x.std(1, keepdims=True), "normed": out / g.g}


@solves("rms-norm")
def _(g: Given) -> Worked:
    t = leaves(g)
    out = F.rms_norm(t.x, (2,), eps=0.0) * t.w
    return with_gradients(t, loss := F.mse_loss(out, t.y), "x", "w", out=out, loss=loss)


@solves("dropout")
def _(g: Given) -> Worked:
    h = relu(g.x @ g.W1)
    return {"dropped": h * g.mask * 2, "train": (h * g.mask * 2) @ g.W2, "use": h @ g.W2}


@solves("autoencoder")
def _(g: Given) -> Worked:
    t = leaves(g)
    xhat = torch.relu(t.x @ t.W_e + t.b_e) @ t.W_d + t.b_d
    return with_gradients(t, loss := F.mse_loss(xhat, t.x), "W_d", "b_d", "W_e", "b_e", xhat=xhat, loss=loss)


@solves("variational-autoencoder")
def _(g: Given) -> Worked:
    z = torch.tensor(g.mu + np.exp(g.s / 2) * g.noise)
    rebuilt = F.binary_cross_entropy_with_logits(z @ torch.tensor(g.W), torch.tensor(g.x), reduction="sum")
    posterior = torch.distributions.Normal(torch.tensor(g.mu), torch.tensor(np.exp(g.s / 2)))
    far = torch.distributions.kl_divergence(posterior, torch.distributions.Normal(0.0, 1.0)).sum()
    return {"z": z, "rebuilt": rebuilt, "far": far, "loss": rebuilt + far}


@solves("residual-net")
def _(g: Given) -> Worked:
    h1 = relu(g.x + relu(g.x @ g.W1) @ g.W2)
    return {"h1": h1, "h2": relu(h1 + relu(h1 @ g.W3) @ g.W4)}


@solves("graph-convolution")
def _(g: Given) -> Worked:
    def mean_of_neighbours(h: np.ndarray) -> np.ndarray:
        near = [[j for j in range(4) if abs(i - j) <= 1] for i in range(4)]  # a path
        return np.array([h[n].mean(0) for n in near])

    h1 = relu(mean_of_neighbours(g.H) @ g.W1)
    return {"H1": h1, "H2": mean_of_neighbours(h1) @ g.W2}


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


@solves("sampling-temperature")
def _(g: Given) -> Worked:
    p = softmax(g.z)
    drawn = 1 + int(np.searchsorted(p[0].cumsum(), float(g.u), side="left"))
    return {"p": p, "cold": softmax(2 * g.z), "hot": softmax(g.z / 2), "running": p.cumsum()[None], "drawn": drawn}


@solves("sampling-top-k-top-p")
def _(g: Given) -> Worked:
    z, p = g.z[0], softmax(g.z)[0]
    first = softmax(z[:3])  # z is in order
    kept = next(n for n in range(1, 6) if p[:n].sum() >= 0.8)
    return {"topk3": [[*first, 0, 0]], "topp": [[*(p[:kept] / p[:kept].sum()), *[0.0] * (5 - kept)]]}


@solves("diffusion-step")
def _(g: Given) -> Worked:
    t = leaves(g)
    xt = 0.8 * t.x0 + 0.6 * t.noise
    guess = xt @ t.W
    return with_gradients(t, F.mse_loss(guess, t.noise), "W", xt=xt, x0hat=(xt - 0.6 * guess) / 0.8)


@solves("diffusion-transformer")
def _(g: Given) -> Worked:
    steered = normal(g.X) * (1 + g.c @ g.W_s) + g.c @ g.W_t
    weights = softmax(steered @ g.W_QK @ steered.T / math.sqrt(2))
    return {"steered": steered, "weights": weights, "out": g.X + (g.c @ g.W_g) * (weights @ steered @ g.W_V)}


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


@solves("rlhf-reward")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = -F.logsigmoid((t.good - t.bad) @ t.w).mean()
    return descended(g, with_gradients(t, loss, "w", loss=loss), 1.0, "w")


@solves("rlhf-policy")
def _(g: Given) -> Worked:
    t = leaves(g)
    p = t.z.softmax(1)
    drift = (p * (p / t.ref).log()).sum()
    loss = 0.5 * drift - (p * t.reward).sum()
    return descended(g, with_gradients(t, loss, "z", drift=drift, loss=loss), 1.0, "z")


@solves("dpo")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = -F.logsigmoid(0.5 * ((t.logp_good - t.ref_good) - (t.logp_bad - t.ref_bad)))
    return with_gradients(t, loss, "logp_good", "logp_bad", loss=loss)


@solves("state-space")
def _(g: Given) -> Worked:
    h, found = [0.0, 0.0], {}
    for n, x in enumerate(g.x[0], start=1):
        step = math.log1p(math.exp(0.5 * x))
        h = [math.exp(step * a) * old + step * x * (x * b) for a, old, b in zip(g.A[0], h, g.W_B[0], strict=True)]
        found |= {f"h{n}": [h], f"y{n}": sum(x * c * s for c, s in zip(g.W_C[0], h, strict=True))}
    return found


@solves("gan")
def _(g: Given) -> Worked:
    t = leaves(g)
    fake = torch.relu(t.noise @ t.G + t.g)
    loss_G = -F.logsigmoid(fake @ t.D + t.d).mean()
    loss_D = -F.logsigmoid(t.real @ t.D + t.d).mean() - F.logsigmoid(-(fake @ t.D + t.d)).mean()
    return with_gradients(t, loss_G, "G", "g", fake=fake, loss_D=loss_D, loss_G=loss_G)


@solves("word2vec")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = -F.logsigmoid(t.v @ t.u_o.T).sum() - F.logsigmoid(-t.v @ t.U_n.T).sum()
    return with_gradients(t, loss, "v", "u_o", "U_n", loss=loss)


@solves("lora")
def _(g: Given) -> Worked:
    t = leaves(g)
    out = t.x @ (t.W + 2 * t.A @ t.B)
    return with_gradients(t, loss := F.mse_loss(out, t.y), "A", "B", out=out, loss=loss)


@solves("grouped-query-attention")
def _(g: Given) -> Worked:
    q = torch.tensor(np.stack([g.Q1, g.Q2]))[None]
    k, v = (torch.tensor(x)[None, None] for x in (g.K, g.V))
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)[0]
    return {"Z1": z[0], "Z2": z[1], "out": torch.cat([z[0], z[1]], 1).numpy() @ g.W_O}


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


def optimised(g: Given, make: Callable[[list[Tensor]], torch.optim.Optimizer], state: dict[str, Any] | None = None) -> Worked:
    """One step of torch's own optimiser on the valley sum(c w²)/2."""
    w = torch.nn.Parameter(torch.tensor(g.w))
    optimiser = make([w])
    optimiser.state[w].update(state or {})
    c = torch.tensor(getattr(g, "c", np.ones_like(g.w)))
    (c * w**2).sum().div(2).backward()
    optimiser.step()
    return {"d_w": w.grad, "new_w": w.detach()}


@solves("adam")
def _(g: Given) -> Worked:
    w = torch.nn.Parameter(torch.tensor(g.w))
    loss = F.mse_loss(torch.tensor(g.X) @ w, torch.tensor(g.y))
    loss.backward()
    torch.optim.Adam([w], lr=0.1).step()
    return {"loss": loss.detach(), "d_w": w.grad, "new_w": w.detach()}


@solves("adam-second-step")
def _(g: Given) -> Worked:
    past = {"step": torch.tensor(1.0), "exp_avg": torch.tensor(g.m0_w), "exp_avg_sq": torch.tensor(g.v0_w)}
    return optimised(g, lambda w: torch.optim.Adam(w, lr=0.1), past)


@solves("momentum")
def _(g: Given) -> Worked:
    return optimised(g, lambda w: torch.optim.SGD(w, lr=0.1, momentum=0.5), {"momentum_buffer": torch.tensor(g.v0_w)})


@solves("rmsprop")
def _(g: Given) -> Worked:
    return optimised(g, lambda w: torch.optim.RMSprop(w, lr=0.1, alpha=0.75, eps=0.0))


@solves("linear-regression")
def _(g: Given) -> Worked:
    slope, start = np.polyfit(g.x[0], g.y[0], 1)
    t = leaves(g)
    loss = F.mse_loss(t.a * t.x + t.b, t.y)
    return descended(g, with_gradients(t, loss, "a", "b", loss=loss), 0.05, "a", "b") | {"slope": slope, "start": start}


@solves("logistic-regression")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = F.binary_cross_entropy_with_logits(t.X @ t.w, t.y)
    return with_gradients(t, loss, "w", loss=loss)


@solves("softmax-regression")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = F.cross_entropy(t.X @ t.W, t.Y)
    return descended(g, with_gradients(t, loss, "W", loss=loss), 0.5, "W")


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


def paths(g: Given) -> dict[tuple[int, ...], float]:
    """Every path through the states with its probability."""
    from itertools import pairwise, product

    return {
        path: g.start[0][path[0]]
        * math.prod(g.A[a, b] for a, b in pairwise(path))
        * math.prod(g.B[n, s] for n, s in enumerate(path))
        for path in product(range(2), repeat=3)
    }


@solves("viterbi")
def _(g: Given) -> Worked:
    every = paths(g)
    best = max(every, key=lambda path: every[path])
    return {"path": [[n + 1 for n in best]], "v3": [[max(p for path, p in every.items() if path[-1] == s) for s in range(2)]]}


@solves("forward-algorithm")
def _(g: Given) -> Worked:
    total = sum(paths(g).values())
    return {"likelihood": total, "surprise": -math.log2(total)}


@solves("ngram-smoothing")
def _(g: Given) -> Worked:
    smooth = [[(c + 1) / (sum(row) + 3) for c in row] for row in g.C]
    p = [smooth[a][b] for a, b in ((0, 1), (1, 2), (2, 2))]
    return {"smooth": smooth, "perplexity": math.prod(p) ** (-1 / 3)}


@solves("interpolation")
def _(g: Given) -> Worked:
    p = [0.5 * a + 0.3 * b + 0.2 * c for a, b, c in zip(g.tri[0], g.bi[0], g.uni[0], strict=True)]
    return {"p": [p], "total": 1.0, "bits": -math.log2(p[0])}


@solves("tf-idf")
def _(g: Given) -> Worked:
    idf = np.array([math.log(3 / sum(row[j] > 0 for row in g.N)) for j in range(4)])
    rows = [row / row.sum() * idf for row in g.N]
    q = g.q[0] * idf
    likeness = [r @ q / np.linalg.norm(r) / np.linalg.norm(q) for r in rows]
    return {"likeness": [likeness], "best": [[1 + int(np.argmax(likeness))]]}


@solves("naive-bayes")
def _(g: Given) -> Worked:
    joint = []
    for n in range(2):
        words = [(c + 1) / (g.C[n].sum() + 3) for c in g.C[n]]
        joint.append(g.docs[0][n] / 5 * math.prod(w**count for w, count in zip(words, g.x[0], strict=True)))
    return {"posterior": [[j / sum(joint) for j in joint]]}


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


@solves("encoder-decoder")
def _(g: Given) -> Worked:
    e = [math.tanh(h[0] + g.s[0][1]) + 2 * math.tanh(h[1] + g.s[0][0]) for h in g.H]
    weights = softmax(np.array([e]))
    return {"weights": weights, "out": [[*g.s[0], *(weights @ g.H)[0]]]}


@solves("linear-attention")
def _(g: Given) -> Worked:
    q, k = relu(g.Q) + 1, relu(g.K) + 1
    out = [sum((a @ b) * v for b, v in zip(k, g.V, strict=True)) / sum(a @ b for b in k) for a in q]
    return {"out": out, "same": out}


@solves("kl-divergence")
def _(g: Given) -> Worked:
    return {"entropy": 1.5, "cross": 1.75, "divergence": 0.25, "nats": 0.25 * math.log(2), "other": 0.25 * math.log(2)}


@solves("distillation")
def _(g: Given) -> Worked:
    t = leaves(g)
    soft = (t.teacher / 2).softmax(1).detach()
    loss = F.kl_div((t.z / 2).log_softmax(1), soft, reduction="batchmean") + F.cross_entropy(t.z, t.y)
    return with_gradients(t, loss, "z", loss=loss)


@solves("policy-gradient")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = 1.5 * F.cross_entropy(t.s @ t.W, t.action)
    return descended(g, with_gradients(t, loss, "W", loss=loss), 0.1, "W")


@solves("q-learning")
def _(g: Given) -> Worked:
    return {"target": 2 + 0.9 * 4, "new": 0 + 0.5 * (2 + 0.9 * 4 - 0)}


@solves("sorter-as-formulas")
def _(g: Given) -> Worked:
    X = g.E[[3, 0, 0, 4, 0, 3, 5]]
    scores = hidden_later((X @ g.W_Q) @ (X @ g.W_K).T)
    best = scores == scores.max(1, keepdims=True)
    logits = (best / best.sum(1, keepdims=True)) @ (X @ g.W_V) @ g.W_O @ g.E.T
    return {"logits": logits, "loss": F.cross_entropy(torch.tensor(logits[3:6]), torch.tensor([0, 3, 5]), reduction="sum")}
