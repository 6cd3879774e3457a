"""How many bits a product is computed in: all of float32's, or half of them where the device is faster so."""

from contextlib import AbstractContextManager, nullcontext

import torch

HALVES = {"bfloat16": torch.bfloat16, "float16": torch.float16}


def autocasting(device: torch.device, precision: str) -> AbstractContextManager[object]:
    """Products in half of the bits, weights and sums in all of them; nothing of the kind for float32."""
    if precision not in HALVES:
        return nullcontext()
    return torch.autocast(device.type, HALVES[precision])


def loss_scaler(device: torch.device, precision: str) -> torch.amp.GradScaler:
    """float16 has so few exponents that small gradients vanish unless the loss is scaled up; the others have enough."""
    return torch.amp.GradScaler(device.type, enabled=precision == "float16")
