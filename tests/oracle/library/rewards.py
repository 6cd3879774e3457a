"""Learning from preferences and rewards, and from another net."""

import math

from torch.nn import functional as F

from oracle.library.solution import Given, Worked, descended, leaves, solves, with_gradients


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


@solves("policy-gradient")
def _(g: Given) -> Worked:
    t = leaves(g)
    loss = 1.5 * F.cross_entropy(t.s @ t.W, t.action)
    return descended(g, with_gradients(t, loss, "W", loss=loss), 0.1, "W")


@solves("q-learning")
def _(g: Given) -> Worked:
    return {"target": 2 + 0.9 * 4, "new": 0 + 0.5 * (2 + 0.9 * 4 - 0)}


@solves("distillation")
def _(g: Given) -> Worked:
    t = leaves(g)
    soft = (t.teacher / 2).softmax(1).detach()
    loss = F.kl_div((t.z / 2).log_softmax(1), soft, reduction="batchmean") + F.cross_entropy(t.z, t.y)
    return with_gradients(t, loss, "z", loss=loss)


@solves("kl-divergence")
def _(g: Given) -> Worked:
    return {"entropy": 1.5, "cross": 1.75, "divergence": 0.25, "nats": 0.25 * math.log(2), "other": 0.25 * math.log(2)}


@solves("value-iteration")
def _(g: Given) -> Worked:
    first = g.R[0]  # nothing is expected yet
    second = [r + 0.9 * max(a @ first, b @ first) for r, a, b in zip(g.R[0], g.stay, g.go, strict=True)]
    return {"V1": first, "V2": second}
