"""Nets of layers: products, perceptrons, norms, residuals, autoencoders, graphs."""

import numpy as np
import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, descended, leaves, relu, solves, with_gradients


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


@solves("lora")
def _(g: Given) -> Worked:
    t = leaves(g)
    out = t.x @ (t.W + 2 * t.A @ t.B)
    return with_gradients(t, loss := F.mse_loss(out, t.y), "A", "B", out=out, loss=loss)
