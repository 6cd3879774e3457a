"""What goes through time: recurrent nets, gates, state spaces."""

import math

import numpy as np
import torch
from torch.nn import functional as F

from oracle.library.solution import Given, Worked, leaves, relu, sigmoid, softmax, solves, with_gradients


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


@solves("state-space")
def _(g: Given) -> Worked:
    h, found = [0.0, 0.0], {}
    for n, x in enumerate(g.x[0], start=1):
        step = math.log1p(math.exp(0.5 * x))
        h = [math.exp(step * a) * old + step * x * (x * b) for a, old, b in zip(g.A[0], h, g.W_B[0], strict=True)]
        found |= {f"h{n}": [h], f"y{n}": sum(x * c * s for c, s in zip(g.W_C[0], h, strict=True))}
    return found


@solves("encoder-decoder")
def _(g: Given) -> Worked:
    e = [math.tanh(h[0] + g.s[0][1]) + 2 * math.tanh(h[1] + g.s[0][0]) for h in g.H]
    weights = softmax(np.array([e]))
    return {"weights": weights, "out": [[*g.s[0], *(weights @ g.H)[0]]]}
