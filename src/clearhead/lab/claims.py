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
}
"""Rooms of the lab, and in each the claims: name and sentence; the file of that name has `QUICK` and `experiment`."""

CLAIMS: dict[str, str] = {name: sentence for room in ROOMS.values() for name, sentence in room.items()}


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
