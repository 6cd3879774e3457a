"""How the learning rates rise and fall, by tokens seen."""

import math

from clearhead.training.recipes.config import TrainConfig


def factor(config: TrainConfig, seen: int) -> float:
    """What the rates are multiplied by once `seen` real tokens are done.

    >>> config = TrainConfig(tokens=100, warmup=0.1, decay="linear", decay_start=0.5)
    >>> [factor(config, seen) for seen in (0, 5, 10, 50, 75, 100)]
    [0.1, 0.5, 1.0, 1.0, 0.5, 0.0]
    """
    share = max(seen - config.since, 0) / (config.tokens - config.since)
    if share < config.warmup:
        return max(share / config.warmup, 0.1)  # a rate of 0 would waste the first step
    if config.decay == "none" or share <= config.decay_start:
        return 1.0
    fallen = min(1.0, (share - config.decay_start) / (config.decay_end - config.decay_start))
    left = 1 - fallen if config.decay == "linear" else 0.5 * (1 + math.cos(math.pi * fallen))
    if config.decay == "cosine":  # as the course has it: the floor cuts the curve off
        return max(config.floor, left)
    return config.floor + (1 - config.floor) * left
