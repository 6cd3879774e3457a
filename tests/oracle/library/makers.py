"""What makes something new: sampling, diffusion, adversaries."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, leaves, normal, softmax, solves, with_gradients


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


@solves("gan")
def _(g: Given) -> Worked:
    t = leaves(g)
    fake = torch.relu(t.noise @ t.G + t.g)
    loss_G = -F.logsigmoid(fake @ t.D + t.d).mean()
    loss_D = -F.logsigmoid(t.real @ t.D + t.d).mean() - F.logsigmoid(-(fake @ t.D + t.d)).mean()
    return with_gradients(t, loss_G, "G", "g", fake=fake, loss_D=loss_D, loss_G=loss_G)
