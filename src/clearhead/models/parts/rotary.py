"""Rotary positions: queries and keys are turned by an angle that grows with their place, so only distances matter."""

import torch
from torch import Tensor

BASE = 10_000.0


def rotations(places: Tensor, width: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Cosines and sines of place · BASE^(−2i/width): places (n,) or (batch, n) give (n, width/2) or (batch, 1, n, width/2)."""
    speeds = BASE ** (-torch.arange(0, width, 2, device=places.device) / width)  # (width/2,)
    angles = places[..., None] * speeds  # (..., n, width/2)
    if places.dim() == 2:
        angles = angles[:, None]  # the same for every head
    return angles.cos().to(dtype), angles.sin().to(dtype)


def rotate(x: Tensor, cosines: Tensor, sines: Tensor) -> Tensor:
    """Turn each pair (xᵢ, xᵢ₊d/2) of x (batch, heads, n, d) by its angle."""
    first, second = x.chunk(2, dim=-1)  # (batch, heads, n, d/2) each
    return torch.cat([first * cosines - second * sines, second * cosines + first * sines], dim=-1)
