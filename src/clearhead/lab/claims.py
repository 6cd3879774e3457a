"""The table of claims: one file each, read when asked for."""

from importlib import import_module

from clearhead.errors import InputError
from clearhead.lab.claim import Claim

ROOMS: dict[str, dict[str, str]] = {
    "attention": {
        "temperature": "softmax(z/T): uniform as T grows and for equal z, the maximum as T falls; no weight is ever 0.",
        "scaling": "Without √d_k the spread of q·k grows like √d, softmax saturates, its gradient vanishes; with it none does.",
        "copying": "A query λk of one key, with λ far above ln n, copies that key's value.",
        "averaging": "A query λ(k_a + k_b) gives the average of two values, also when the keys are a little off.",
        "projection": "M = AAᵀ takes v_a out of v_a + v_b where A is an orthonormal basis and v_b is perpendicular to it.",
        "two-heads": "When the length of a key varies, two heads keep the average of two values; one head swings between them.",
        "identical-heads": "A second head identical to the first changes nothing, also with W_O = I (so the exam's key says).",
        "hard-attention": "At temperature 0 W_Q, W_K and W_V never change (so the exam says), and the usual softmax mends it.",
    },
    "sight": {
        "perceiver-blindness": "The course's Perceiver leaks nothing but is blind past its m-th token; a causal one sees all.",
        "dependence": "An encoder's place sees every place, a decoder's and an RNN's those up to it, an MLP's its own.",
        "own-position": "Trained to say the token at its own place, a model scores perfectly and writes rubbish.",
        "parallel": "Training passes are parallel over positions for a decoder, not for an RNN; generation is for neither.",
        "half-length": "Half the length saves about 75 % of the compute (so the course says).",
    },
    "learning": {
        "separable": "On separable data the logistic loss falls for ever and ‖w‖ grows like log t; with a penalty it stops.",
        "max-norm": "A step on ½λ‖w‖∞² touches one coordinate, the largest: λ w ⊙ e_argmax|w|.",
        "through-time": "A scalar RNN's gradient is one number three ways, and vanishes or explodes by w a step.",
        "saturation": "Gradients vanish through sigmoid and tanh, not through ReLU.",
        "residuals": "Residual connections carry gradients through any depth; without them hardly any arrives.",
        "batch-size": "Gradient noise falls like 1/√B; a larger batch needs fewer steps and more examples.",
    },
    "nets": {
        "pooling": "Pooling makes a net bear shifts, max better than average, and lets each cell see more of the picture.",
        "dense-as-convolution": "Flatten and a linear layer are one convolution with filters as large as the map.",
        "bottleneck": "An autoencoder's narrow middle keeps what is salient, more than as many principal components.",
    },
    "language": {
        "sorter": "One layer of attention without positions learns to deduplicate and sort; positions help nothing.",
        "characters-or-words": "Characters meet nothing unknown and need a small table; words need far shorter sequences.",
        "perplexity-base": "Perplexity is the same in every base.",
        "pretraining": "What a model knows of people comes from reading about them, not from the questions it learned.",
        "exposure": "The more wordings of a fact a model has read, the more often it can be asked for.",
    },
}
"""Rooms of the lab, and in each the claims: name and sentence; the file of that name has `QUICK` and `experiment`."""

CLAIMS: dict[str, str] = {name: sentence for room in ROOMS.values() for name, sentence in room.items()}
"""Every claim by name, with its sentence."""


def claim_named(name: str) -> Claim:
    """The claim, read from its file."""
    for room, claims in ROOMS.items():
        if name in claims:
            module = import_module(f"clearhead.lab.{room}.{name.replace('-', '_')}")
            return Claim(name, claims[name], module.QUICK, module.experiment)
    from difflib import get_close_matches

    near = get_close_matches(name, CLAIMS, n=1)
    hint = f"; did you mean {near[0]}?" if near else "; clearhead lab lists them."
    raise InputError(f"there is no claim {name!r}{hint}")
